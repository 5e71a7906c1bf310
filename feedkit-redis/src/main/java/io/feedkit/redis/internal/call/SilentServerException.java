package io.feedkit.redis.internal.call;

import io.lettuce.core.RedisException;

/** A call was not sent, because its server has not answered another call in time, and has not answered since. */
final class SilentServerException extends RedisException {

    private static final long serialVersionUID = 1L;

    private final boolean ofCluster;

    SilentServerException(String server, boolean ofCluster) {
        super(server + " has not answered in time, and calls to it fail at once until it answers");
        this.ofCluster = ofCluster;
    }

    /** Whether other servers hold other data. */
    boolean isOfCluster() {
        return ofCluster;
    }
}

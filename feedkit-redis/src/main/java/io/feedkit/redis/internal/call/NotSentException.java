package io.feedkit.redis.internal.call;

import io.lettuce.core.RedisException;

/** A call was not sent, because there is no connection to its server. */
final class NotSentException extends RedisException {

    private static final long serialVersionUID = 1L;

    NotSentException(Throwable cause) {
        super(String.valueOf(cause.getMessage()), cause);
    }
}

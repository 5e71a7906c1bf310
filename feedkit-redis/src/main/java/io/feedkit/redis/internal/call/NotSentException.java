package io.feedkit.redis.internal.call;

import io.lettuce.core.RedisException;

/** There is no connection to the server that a call is for. */
final class NotSentException extends RedisException {

    private static final long serialVersionUID = 1L;

    NotSentException(Throwable cause) {
        super(String.valueOf(cause.getMessage()), cause);
    }
}

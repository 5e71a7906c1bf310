package io.feedkit.redis.internal.link;

import io.feedkit.FeedKitException;
import io.feedkit.OutcomeUnknownException;
import io.feedkit.StoreUnavailableException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;

/** Tells apart what Lettuce says when something fails. */
final class Failures {

    private Failures() {}

    static FeedKitException dressed(String operation, Effect effect, Throwable failure) {
        return effect == Effect.READ || wasRefused(failure) || wasNotSent(failure)
                ? new StoreUnavailableException(operation, failure)
                : new OutcomeUnknownException(operation, failure);
    }

    /** Whether the server refused to begin. A script that fails has done what it did before; its name is in the message. */
    private static boolean wasRefused(Throwable failure) {
        return failure instanceof RedisCommandExecutionException
                && !String.valueOf(failure.getMessage()).contains("user_script");
    }

    /** Whether there was no connection to send it on, for which Lettuce has no type of its own. */
    private static boolean wasNotSent(Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        return failure.getClass().equals(RedisException.class)
                && (message.contains("Commands are rejected") || message.equals("Connection is closed"));
    }
}

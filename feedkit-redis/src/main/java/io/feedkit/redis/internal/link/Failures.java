package io.feedkit.redis.internal.link;

import io.feedkit.FeedKitException;
import io.feedkit.OutcomeUnknownException;
import io.feedkit.StoreUnavailableException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;

/** Tells apart what Lettuce says when something fails. */
final class Failures {

    private Failures() {}

    static FeedKitException dressed(String operation, Effect effect, Throwable failure) {
        return effect == Effect.READ || didNothing(failure)
                ? new StoreUnavailableException(operation, failure)
                : new OutcomeUnknownException(operation, failure);
    }

    /** Whether a call has certainly had no effect: it was refused by the server, or by the client, which says so with a plain exception, before it was sent. */
    private static boolean didNothing(Throwable failure) {
        return failure instanceof RedisCommandExecutionException
                || (failure.getClass() == RedisException.class && failure.getCause() == null && !wasSent(failure));
    }

    private static boolean wasSent(Throwable failure) {
        return failure instanceof RedisCommandTimeoutException || !String.valueOf(failure.getMessage()).contains("rejected");
    }
}

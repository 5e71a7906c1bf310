package io.feedkit.redis.internal.call;

import io.feedkit.FeedKitException;
import io.feedkit.OutcomeUnknownException;
import io.feedkit.StoreUnavailableException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.cluster.PartitionException;
import io.netty.channel.ConnectTimeoutException;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/** Classifies the failures that Lettuce reports. */
final class CallFailures {

    private static final String NOT_CONNECTED = "Currently not connected";

    /**
     * How a server refuses the first writing command of a script. The script has changed nothing then. Redis 6.2 puts a
     * minus sign before the word, in the middle of the message.
     */
    private static final Pattern NO_WRITES = Pattern.compile("(^|[ -])(READONLY|OOM|MISCONF|NOREPLICAS) ");

    private CallFailures() {}

    static FeedKitException toException(String operation, Effect effect, Throwable failure) {
        if (failure instanceof SilentServerException silent && silent.isOfCluster()) {
            return StoreUnavailableException.ofPart(operation, failure);
        }
        return effect == Effect.READ || isHarmless(failure)
                ? new StoreUnavailableException(operation, failure)
                : new OutcomeUnknownException(operation, failure);
    }

    /** Whether the call was certainly not executed. */
    static boolean isHarmless(Throwable failure) {
        return wasRefused(failure) || wasNotSent(failure);
    }

    /** Whether some of the call's keys are at the slot's old master, and others at its new one. */
    private static boolean isMoving(Throwable failure) {
        return failure instanceof RedisCommandExecutionException
                && message(failure).startsWith("TRYAGAIN");
    }

    /** Whether a master did not execute the call because the slot belongs to another master, or is moving. */
    static boolean isElsewhere(Throwable failure) {
        return isMoving(failure)
                || master(failure).isPresent()
                || (failure instanceof RedisCommandExecutionException
                        && message(failure).startsWith("ASK "));
    }

    /** The address of the slot's master, if the failure names another master. */
    static Optional<String> master(Throwable failure) {
        String message = message(failure);
        return failure instanceof RedisCommandExecutionException && message.startsWith("MOVED ")
                ? Optional.of(message.substring(message.lastIndexOf(' ') + 1))
                : Optional.empty();
    }

    /** Whether there is no connection yet to the server that the call was for, or was redirected to. */
    static boolean isNotConnected(Throwable failure) {
        return failure instanceof RedisException && message(failure).startsWith(NOT_CONNECTED);
    }

    /**
     * Whether the server refused to start the call. A script that fails later may have done a part of its work; then
     * the script's name is in the message.
     */
    private static boolean wasRefused(Throwable failure) {
        return failure instanceof RedisCommandExecutionException
                && (!message(failure).contains("user_script")
                        || NO_WRITES.matcher(message(failure)).find());
    }

    /**
     * Whether there was no connection to send the call on. Lettuce has no exception type of its own for most such
     * cases.
     */
    private static boolean wasNotSent(Throwable failure) {
        String message = message(failure);
        return failure instanceof NotSentException
                || failure instanceof SilentServerException
                || failure instanceof RedisConnectionException
                || failure instanceof PartitionException
                || (failure.getClass().equals(RedisException.class)
                        && (message.startsWith(NOT_CONNECTED)
                                || message.equals("Connection is closed")
                                || message.contains("queue size exceeded")
                                || message.contains("buffer size exceeded")));
    }

    /** Whether the call, or the connection that it needed, took too long. */
    static boolean isTimeout(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof RedisCommandTimeoutException
                    || cause instanceof TimeoutException
                    || cause instanceof ConnectTimeoutException) {
                return true;
            }
        }
        return false;
    }

    private static String message(Throwable failure) {
        return String.valueOf(failure.getMessage());
    }
}

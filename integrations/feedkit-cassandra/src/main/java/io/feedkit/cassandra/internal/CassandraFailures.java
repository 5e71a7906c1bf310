package io.feedkit.cassandra.internal;

import com.datastax.oss.driver.api.core.servererrors.QueryValidationException;
import io.feedkit.FeedKitException;
import io.feedkit.StoreUnavailableException;
import java.util.concurrent.CompletionException;

/** Turns failures of the driver into failures of a store. */
final class CassandraFailures {

    private CassandraFailures() {}

    /**
     * Returns the failure to throw. A statement that the server rejects fails until an operator changes something: a
     * table is missing, or the user lacks a permission.
     */
    static FeedKitException of(String operation, Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof Error error) {
            throw error;
        }
        if (cause instanceof FeedKitException typed) {
            return typed;
        }
        return cause instanceof QueryValidationException
                ? StoreUnavailableException.permanent(operation, cause)
                : new StoreUnavailableException(operation, cause);
    }
}

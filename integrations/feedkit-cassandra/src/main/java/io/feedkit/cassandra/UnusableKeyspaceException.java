package io.feedkit.cassandra;

import io.feedkit.Beta;
import io.feedkit.FeedKitException;
import io.feedkit.internal.check.Arguments;

/**
 * FeedKit cannot use the keyspace as it is. Nothing was changed, and a retry does not help.
 *
 * @since 0.1.0
 */
@Beta
public final class UnusableKeyspaceException extends FeedKitException {

    private static final long serialVersionUID = 1L;

    /** The keyspace. */
    private final String keyspace;

    /**
     * Creates an exception.
     *
     * @param keyspace the name of the keyspace
     * @param problem what is wrong with it, with the values that were found and expected, and what to do
     */
    public UnusableKeyspaceException(String keyspace, String problem) {
        super(
                "unusable keyspace " + Arguments.nonNull("keyspace", keyspace) + ": "
                        + Arguments.nonNull("problem", problem),
                null);
        this.keyspace = keyspace;
    }

    /**
     * The keyspace.
     *
     * @return its name
     */
    public String keyspace() {
        return keyspace;
    }

    @Override
    public boolean isRetryable() {
        return false;
    }
}

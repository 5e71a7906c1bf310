package io.feedkit.jdbc;

import io.feedkit.FeedKitException;

/**
 * FeedKit's tables are missing or have another version than this library needs. The message names the remedy.
 *
 * @since 0.1.0
 */
public final class SchemaVersionException extends FeedKitException {

    private static final long serialVersionUID = 1L;

    /** The version of the tables; 0 if there are none. */
    private final int found;

    /** The version that this library needs. */
    private final int expected;

    SchemaVersionException(String tables, int found, int expected, String remedy) {
        super(
                (found == 0
                                ? "there are no FeedKit tables " + tables + "*"
                                : "the FeedKit tables " + tables + "* are of version " + found)
                        + ", but version " + expected + " is needed: " + remedy,
                null);
        this.found = found;
        this.expected = expected;
    }

    /**
     * The version of the tables.
     *
     * @return the version; {@code 0} if there are no tables
     */
    public int found() {
        return found;
    }

    /**
     * The version that this library needs.
     *
     * @return the version
     */
    public int expected() {
        return expected;
    }

    @Override
    public boolean isRetryable() {
        return false;
    }
}

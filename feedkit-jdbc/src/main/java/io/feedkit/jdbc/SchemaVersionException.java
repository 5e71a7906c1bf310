package io.feedkit.jdbc;

import io.feedkit.FeedKitException;

/** FeedKit's tables are missing, or of another version than this library works with. The message says what to run. Nothing was changed. */
public final class SchemaVersionException extends FeedKitException {

    private static final long serialVersionUID = 1L;

    /** The version found; 0 if there are no tables. */
    private final int found;

    /** The version needed. */
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
     * The version found.
     *
     * @return the version; {@code 0} if there are no tables
     */
    public int found() {
        return found;
    }

    /**
     * The version needed.
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

package io.feedkit;

import io.feedkit.internal.check.Arguments;
import io.feedkit.internal.check.Ids;

/**
 * Inboxes or cached counters belong to another source of truth. Another deployment, with another database, uses the
 * same place, or the database was copied or restored. Nothing was read or written.
 *
 * @since 0.1.0
 */
public final class ForeignStoreException extends FeedKitException {

    private static final long serialVersionUID = 1L;

    /** What belongs to another source of truth. */
    private final String place;

    /** The identity that was found. */
    private final String found;

    /** The identity that was expected. */
    private final String expected;

    /**
     * Creates an exception with both identities.
     *
     * @param place what belongs to another source of truth, with the name of the table or key that records it
     * @param found the identity of the source of truth that the place belongs to
     * @param expected the identity of the source of truth that tried to use the place
     * @param remedy what to do, in one sentence without a full stop
     */
    public ForeignStoreException(String place, String found, String expected, String remedy) {
        super(
                Arguments.nonNull("place", place) + " belong to the source of truth "
                        + Ids.printable(Arguments.nonNull("found", found)) + ", but this source of truth is "
                        + Ids.printable(Arguments.nonNull("expected", expected)) + ": "
                        + Arguments.nonNull("remedy", remedy),
                null);
        this.place = place;
        this.found = found;
        this.expected = expected;
    }

    /**
     * What belongs to another source of truth.
     *
     * @return the place, with the name of the table or key that records its source of truth
     */
    public String place() {
        return place;
    }

    /**
     * The identity that was found.
     *
     * @return the identity of the source of truth that the place belongs to
     */
    public String found() {
        return found;
    }

    /**
     * The identity that was expected.
     *
     * @return the identity of the source of truth that tried to use the place
     */
    public String expected() {
        return expected;
    }

    @Override
    public boolean isRetryable() {
        return false;
    }
}

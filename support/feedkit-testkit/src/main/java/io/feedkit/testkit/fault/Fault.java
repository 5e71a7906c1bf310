package io.feedkit.testkit.fault;

/**
 * The failure of one call to a store. For a call that only reads, the extent does not matter.
 *
 * @since 0.1.0
 */
public enum Fault {
    /** Nothing is done, and the caller gets {@link io.feedkit.StoreUnavailableException}. */
    FAIL_BEFORE(Extent.NOTHING, false),
    /**
     * A delivery reaches the first readers of the batch, half of them unless a number is given, and answers
     * {@link io.feedkit.spi.Inbox.Outcome#UNREACHABLE} for the others. Other calls fail as with {@link #FAIL_BEFORE}.
     */
    REACH_PARTLY(Extent.NOTHING, false),
    /**
     * The first keys of the batch are done, half of the keys unless a number is given, and the answer is lost:
     * {@link io.feedkit.OutcomeUnknownException}. For a single request nothing is done.
     */
    FAIL_PARTLY(Extent.SOME, false),
    /** All keys are done, and the answer is lost: {@link io.feedkit.OutcomeUnknownException}. */
    FAIL_AFTER(Extent.ALL, false),
    /** The process dies before anything is done: {@link ProcessCrash}. */
    CRASH_BEFORE(Extent.NOTHING, true),
    /** The process dies after the first keys of the batch are done: {@link ProcessCrash}. */
    CRASH_PARTLY(Extent.SOME, true),
    /** The process dies after all keys are done: {@link ProcessCrash}. */
    CRASH_AFTER(Extent.ALL, true);

    /** The extent to which a call takes effect. */
    enum Extent {
        NOTHING,
        SOME,
        ALL
    }

    private final Extent extent;
    private final boolean crash;

    Fault(Extent extent, boolean crash) {
        this.extent = extent;
        this.crash = crash;
    }

    Extent extent() {
        return extent;
    }

    /**
     * Returns whether this fault kills the process.
     *
     * @return true if every later call through the same store fails too
     */
    public boolean isCrash() {
        return crash;
    }

    /**
     * Returns whether some keys of a batch are done and others are not.
     *
     * @return true for the partly kinds
     */
    public boolean isPartly() {
        return extent == Extent.SOME;
    }
}

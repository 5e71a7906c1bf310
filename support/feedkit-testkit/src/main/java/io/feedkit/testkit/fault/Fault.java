package io.feedkit.testkit.fault;

/** What goes wrong with one call to a store. For a call that only reads it does not matter what was done before. */
public enum Fault {
    /** Nothing is done, and the caller is told so: {@link io.feedkit.StoreUnavailableException}. */
    FAIL_BEFORE(Extent.NOTHING, false),
    /**
     * The first keys of the batch are done, half of them unless told otherwise, and the answer is lost:
     * {@link io.feedkit.OutcomeUnknownException}. Of a single request nothing is done.
     */
    FAIL_PARTLY(Extent.SOME, false),
    /** All is done, and the answer is lost: {@link io.feedkit.OutcomeUnknownException}. */
    FAIL_AFTER(Extent.ALL, false),
    /** The process dies before anything is done: {@link ProcessCrash}. */
    CRASH_BEFORE(Extent.NOTHING, true),
    /** The process dies when the first keys of the batch have been done: {@link ProcessCrash}. */
    CRASH_PARTLY(Extent.SOME, true),
    /** The process dies when all has been done: {@link ProcessCrash}. */
    CRASH_AFTER(Extent.ALL, true);

    /** How much of a call takes effect. */
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
     * Says whether the process dies of it.
     *
     * @return true if every later call through the same store fails too
     */
    public boolean isCrash() {
        return crash;
    }

    /**
     * Says whether some keys of a batch are done and others are not.
     *
     * @return true if so
     */
    public boolean isPartly() {
        return extent == Extent.SOME;
    }
}

package io.feedkit.survival.copies;

/** Faults of the store of copies. */
enum CopyFault {
    DOWN,
    /** Every answer comes too late. */
    SLOW,
    WIPED,
    /** The server returns with the data of an earlier time. */
    RESTORED
}

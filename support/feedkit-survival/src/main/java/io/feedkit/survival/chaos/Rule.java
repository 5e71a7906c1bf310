package io.feedkit.survival.chaos;

/** The rules for every page, count and call. */
enum Rule {

    /** Pages, and the pages of a walk one after the other, are newest first. */
    ORDER,

    /** A walk or a polling client sees no post twice. */
    SHOWN_ONCE,

    /** A page shows only posts whose publish has begun, each with its stored time. */
    PUBLISHED,

    /** A page shows no author who was certainly not followed during the whole call. */
    FOLLOWED,

    /**
     * A page shows no post whose delete returned before the call. Without content, a delete within the staleness bound
     * does not count.
     */
    DELETED,

    /** A post that a page of the reader has shown is on every later page that covers its place. */
    VISIBLE_ON_ALL,

    /** A polling client gets each post that the reader can see and that its cursor does not record as shown. */
    POLLED,

    /** The unread count is not higher than the number of posts that were not marked as seen. */
    COUNT_TOO_HIGH,

    /** The unread count includes all posts that pages of the reader have shown and that were not marked as seen. */
    COUNT_TOO_LOW,

    /** A call fails with a typed exception, or not at all. */
    TYPED_FAILURE,

    /** A call ends in time. */
    BOUNDED_TIME,

    /** After all faults have ended, every engine shows the whole feed, and counts its unread posts exactly. */
    FINAL_STATE
}

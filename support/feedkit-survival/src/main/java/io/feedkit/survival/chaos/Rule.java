package io.feedkit.survival.chaos;

/** What must hold for every page, count and call. */
enum Rule {

    /** Pages, and the pages of a walk one after the other, are newest first. */
    ORDER,

    /** A walk or a polling client sees no post twice. */
    SHOWN_ONCE,

    /** A page shows only posts that somebody began to publish, with the one time of each that is stored. */
    PUBLISHED,

    /** No author is shown who was certainly not followed during the whole call. */
    FOLLOWED,

    /** No post is shown whose delete had returned: for the staleness bound, or at all on a page with content. */
    DELETED,

    /** A post that a page of the reader has shown is on every later page that covers its place. */
    VISIBLE_ON_ALL,

    /** A post that the reader can see, and that the cursor does not take for shown, is polled. */
    POLLED,

    /** No more posts are unread than exist that were not marked. */
    COUNT_TOO_HIGH,

    /** Posts that pages of the reader have shown are unread unless they were marked. */
    COUNT_TOO_LOW,

    /** A call fails with a typed exception, or not at all. */
    TYPED_FAILURE,

    /** A call ends in time. */
    BOUNDED_TIME,

    /** When all is quiet, every engine shows the whole feed, and counts what is unread of it exactly. */
    FINAL_STATE
}

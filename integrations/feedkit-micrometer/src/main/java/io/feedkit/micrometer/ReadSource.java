package io.feedkit.micrometer;

import io.feedkit.event.FeedRead;

/** Where the posts of a page came from. */
enum ReadSource {
    /** All from the inbox. */
    INBOX,
    /** All from outboxes. */
    OUTBOX,
    /** From both. */
    MIXED,
    /** The page has no posts. */
    EMPTY;

    static ReadSource of(FeedRead event) {
        if (event.fromInbox() == 0) {
            return event.fromOutboxes() == 0 ? EMPTY : OUTBOX;
        }
        return event.fromOutboxes() == 0 ? INBOX : MIXED;
    }
}

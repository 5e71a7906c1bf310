package io.feedkit.redis.internal.inbox;

import io.feedkit.redis.internal.call.IdScan;
import io.feedkit.redis.internal.call.Link;
import io.feedkit.redis.internal.format.Keys;
import java.util.List;

/** The names of a reader's keys. */
record InboxKeys(Keys keys) {

    private static final String INBOX = "inbox";
    private static final String PENDING_FOLLOWS = "notes";

    /** The kinds of a reader's keys. */
    static final List<String> KINDS = List.of(INBOX, PENDING_FOLLOWS);

    IdScan scan(Link link) {
        return new IdScan(link, keys);
    }

    byte[] inbox(String reader) {
        return keys.ofUser(INBOX, reader);
    }

    byte[] pendingFollows(String reader) {
        return keys.ofUser(PENDING_FOLLOWS, reader);
    }

    byte[] losses() {
        return keys.ofBucket("losses", 0);
    }

    List<byte[]> both(String reader) {
        return List.of(inbox(reader), pendingFollows(reader));
    }

    List<byte[]> inboxes(List<String> readers) {
        return readers.stream().map(this::inbox).toList();
    }
}

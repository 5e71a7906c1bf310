package io.feedkit.redis.internal.inbox;

import io.feedkit.redis.internal.format.Keys;
import java.util.List;

/** The names of a reader's keys. */
record InboxKeys(Keys keys) {

    byte[] inbox(String reader) {
        return keys.ofUser("inbox", reader);
    }

    byte[] pendingFollows(String reader) {
        return keys.ofUser("notes", reader);
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

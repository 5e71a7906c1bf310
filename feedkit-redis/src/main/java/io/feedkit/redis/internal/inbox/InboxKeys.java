package io.feedkit.redis.internal.inbox;

import io.feedkit.redis.internal.layout.Keys;
import java.util.List;

/** The names of a reader's keys. */
record InboxKeys(Keys keys) {

    private static final byte[] INBOX = Keys.kind("inbox");
    private static final byte[] NOTES = Keys.kind("notes");

    byte[] inbox(String reader) {
        return keys.ofUser(INBOX, reader);
    }

    byte[] notes(String reader) {
        return keys.ofUser(NOTES, reader);
    }

    List<byte[]> both(String reader) {
        return List.of(inbox(reader), notes(reader));
    }

    List<byte[]> inboxes(List<String> readers) {
        return readers.stream().map(this::inbox).toList();
    }
}

package io.feedkit.redis.internal.inbox;

import java.nio.charset.StandardCharsets;

/**
 * The names of a reader's keys. All of them have the reader in the hash tag, so a cluster keeps them together; the {@code @} is there because a tag must not be empty, as
 * it would be for a reader whose id begins with a brace.
 */
final class Keys {

    private final String prefix;

    Keys(String prefix) {
        this.prefix = prefix;
    }

    byte[] inbox(String reader) {
        return key("inbox", reader);
    }

    byte[] notes(String reader) {
        return key("notes", reader);
    }

    private byte[] key(String kind, String reader) {
        return (prefix + ":" + kind + ":{@" + reader + "}").getBytes(StandardCharsets.US_ASCII);
    }
}

package io.feedkit.cassandra.internal;

import io.feedkit.spi.InboxCopies.Head;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A head as one value: the token in 8 bytes, and the content. Values of two writes are never mixed; two columns might
 * be. The empty value says that the copy was dropped. It replaces a head without a tombstone.
 */
public final class HeadCodec {

    private HeadCodec() {}

    /** The value of a dropped copy. */
    public static ByteBuffer dropped() {
        return ByteBuffer.allocate(0);
    }

    /** The value of a head. */
    public static ByteBuffer encode(Head head) {
        return ByteBuffer.allocate(Long.BYTES + head.content().length)
                .putLong(head.token())
                .put(head.content())
                .flip();
    }

    /** Returns the head; empty if it was dropped, or is not FeedKit's. */
    public static Optional<Head> decode(String reader, @Nullable ByteBuffer value) {
        if (value == null || value.remaining() < Long.BYTES) {
            return Optional.empty();
        }
        ByteBuffer rest = value.duplicate();
        long token = rest.getLong();
        return Optional.of(new Head(reader, token, bytes(rest)));
    }

    /** Returns the remaining bytes. */
    public static byte[] bytes(ByteBuffer value) {
        byte[] bytes = new byte[value.remaining()];
        value.duplicate().get(bytes);
        return bytes;
    }
}

package io.feedkit.redis.internal.outbox;

import io.feedkit.Post;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.AbstractList;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/**
 * An author's recent posts, each decoded at its first access, because a page shows few of them. Unmodifiable.
 * Thread-safe: two threads may decode the same post.
 */
final class PackedRecentPosts extends AbstractList<Post> implements RandomAccess {

    private static final int COUNT_AT = 1;
    private static final int FIRST_AT = 2;
    private static final int TIME_BYTES = 6;

    private final String author;
    private final ByteBuffer packed;
    private final int size;
    private final @Nullable Post[] decoded;

    /**
     * Creates a list of the first packed posts.
     *
     * @param most the most posts
     */
    PackedRecentPosts(String author, byte[] packed, int most) {
        this.author = author;
        this.packed = ByteBuffer.wrap(packed);
        size = Math.min(packed[COUNT_AT], most);
        decoded = new Post[size];
    }

    @Override
    public Post get(int index) {
        Post post = decoded[index];
        if (post == null) {
            post = decode(placeOf(index));
            decoded[index] = post;
        }
        return post;
    }

    private int placeOf(int index) {
        int place = FIRST_AT;
        for (int i = 0; i < index; i++) {
            byte length = packed.get(place + TIME_BYTES);
            place += TIME_BYTES + 1 + (isPacked(length) ? (digits(length) + 1) / 2 : length);
        }
        return place;
    }

    private Post decode(int place) {
        long millis = Short.toUnsignedLong(packed.getShort(place)) << Integer.SIZE
                | Integer.toUnsignedLong(packed.getInt(place + Short.BYTES));
        byte length = packed.get(place + TIME_BYTES);
        int idAt = place + TIME_BYTES + 1;
        return Post.of(author, isPacked(length) ? unpacked(idAt, digits(length)) : text(idAt, length), millis);
    }

    private static boolean isPacked(byte length) {
        return length < 0;
    }

    private static int digits(byte length) {
        return length & Byte.MAX_VALUE;
    }

    private String unpacked(int place, int digits) {
        byte[] id = new byte[digits];
        for (int i = 0; i < digits; i++) {
            int two = packed.get(place + i / 2);
            id[i] = (byte) ('0' + ((i % 2 == 0 ? two >> 4 : two) & 0xF));
        }
        return new String(id, StandardCharsets.US_ASCII);
    }

    private String text(int place, int length) {
        return new String(packed.array(), place, length, StandardCharsets.US_ASCII);
    }

    @Override
    public int size() {
        return size;
    }
}

package io.feedkit.redis.internal.outbox;

import io.feedkit.Post;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/** An author's newest posts, each made when it is first looked at: of many heads a page shows a few posts. Cannot be changed, and is thread-safe: two threads may make the same post. */
final class HeadPosts extends AbstractList<Post> implements RandomAccess {

    private static final int VERSION_BYTES = 1;
    private static final int TIME_BYTES = 6;

    private final String author;
    private final ByteBuffer head;
    private final int[] places;
    private final @Nullable Post[] made;

    private HeadPosts(String author, ByteBuffer head, int[] places) {
        this.author = author;
        this.head = head;
        this.places = places;
        made = new Post[places.length];
    }

    /** The first of them, but not more than so many. */
    static List<Post> of(String author, byte[] head, int most) {
        ByteBuffer bytes = ByteBuffer.wrap(head);
        int[] places = new int[most];
        int count = 0;
        for (int place = VERSION_BYTES; place < head.length && count < most; count++) {
            places[count] = place;
            place += TIME_BYTES + 1 + Byte.toUnsignedInt(head[place + TIME_BYTES]);
        }
        return new HeadPosts(author, bytes, Arrays.copyOf(places, count));
    }

    @Override
    public Post get(int index) {
        Post post = made[index];
        if (post == null) {
            post = make(places[index]);
            made[index] = post;
        }
        return post;
    }

    private Post make(int place) {
        long millis = Short.toUnsignedLong(head.getShort(place)) << Integer.SIZE
                | Integer.toUnsignedLong(head.getInt(place + Short.BYTES));
        byte[] id = new byte[Byte.toUnsignedInt(head.get(place + TIME_BYTES))];
        head.get(place + TIME_BYTES + 1, id);
        return Post.of(author, new String(id, StandardCharsets.US_ASCII), millis);
    }

    @Override
    public int size() {
        return places.length;
    }
}

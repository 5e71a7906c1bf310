package io.feedkit.redis.internal.outbox;

import io.feedkit.Post;
import io.feedkit.redis.internal.call.Effect;
import io.feedkit.redis.internal.call.RedisLink;
import io.feedkit.redis.internal.format.Arguments;
import io.feedkit.redis.internal.format.Keys;
import io.feedkit.redis.internal.format.PartitionBatcher;
import io.feedkit.redis.internal.format.ScriptClock;
import io.feedkit.spi.Position;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * A cache of the recent posts of pulled authors. It packs the posts of an author into one string, so the posts of many
 * authors cost one MGET (in a cluster, one for each partition). A read that misses an entry creates it. New posts of
 * the author are added to it, and any other change to the author's posts removes it. It is kept for ten minutes at
 * most.
 */
final class RecentPosts {

    /** The number of posts that the engine asks for: 25, and one more to see whether there are others. */
    static final int POSTS = 26;

    private static final String OPERATION = "outbox.newest";
    private static final int PACKED_AT_ONCE = 20;
    private static final int KEPT_MILLIS = 600_000;
    private static final byte VERSION = 3;

    private final RedisLink link;
    private final Keys keys;
    private final ScriptClock clock;

    RecentPosts(RedisLink link, Keys keys, ScriptClock clock) {
        this.link = link;
        this.keys = keys;
        this.clock = clock;
    }

    /** The recent posts of each author, from a position on. The supplier waits for the answer. */
    Supplier<List<List<Post>>> newest(List<String> authors, Position from, int each) {
        Supplier<List<byte[]>> asked = OutboxCommands.stringsLater(
                link, OPERATION, authors, Keys::partition, author -> keys.ofAuthor("head", author));
        return () -> posts(authors, asked.get(), from, each);
    }

    private List<List<Post>> posts(List<String> authors, List<byte[]> found, Position from, int each) {
        List<byte[]> packed = new ArrayList<>(found);
        List<Integer> missed = new ArrayList<>();
        for (int i = 0; i < packed.size(); i++) {
            if (!isPacked(packed.get(i))) {
                missed.add(i);
            }
        }
        List<byte[]> made = pack(missed.stream().map(authors::get).toList());
        for (int i = 0; i < missed.size(); i++) {
            packed.set(missed.get(i), made.get(i));
        }
        List<List<Post>> answers = new ArrayList<>();
        for (int i = 0; i < packed.size(); i++) {
            answers.add(from(from, new PackedRecentPosts(authors.get(i), packed.get(i), each)));
        }
        return answers;
    }

    /** Looks at the oldest posts first, because most often none lies below. */
    private static List<Post> from(Position from, List<Post> posts) {
        if (from.equals(Position.LOWEST)) {
            return posts;
        }
        int size = posts.size();
        while (size > 0 && from.compareOf(posts.get(size - 1)) < 0) {
            size--;
        }
        return posts.subList(0, size);
    }

    private static boolean isPacked(byte[] bytes) {
        return bytes.length > 1 && bytes[0] == VERSION && bytes[1] >= 0 && bytes[1] <= POSTS;
    }

    private List<byte[]> pack(List<String> authors) {
        PartitionBatcher<String> split = PartitionBatcher.of(authors, link.apart(Keys::partition), PACKED_AT_ONCE);
        List<byte[]> arguments = List.of(clock.now(), Arguments.number(POSTS), Arguments.number(KEPT_MILLIS));
        List<List<Object>> made = link.runAll(
                OPERATION,
                Effect.READ,
                split.each(batch -> OutboxScripts.RECENT_POSTS.on(
                        batch.items().stream()
                                .flatMap(author ->
                                        List.of(keys.ofAuthor("posts", author), keys.ofAuthor("head", author)).stream())
                                .toList(),
                        arguments)));
        return split.<Object>inPlace(made).stream().map(head -> (byte[]) head).toList();
    }
}

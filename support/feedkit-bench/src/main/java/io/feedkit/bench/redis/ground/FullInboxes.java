package io.feedkit.bench.redis.ground;

import io.feedkit.FeedEngineBuilder;
import io.feedkit.Post;
import io.feedkit.bench.core.MadeUpGraph;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Position;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** What inboxes are filled with: posts with ids of 19 digits by authors with ids of 10. */
public final class FullInboxes {

    public static final InboxLimits LIMITS =
            new InboxLimits(FeedEngineBuilder.DEFAULT_CAP, FeedEngineBuilder.DEFAULT_LIVE_WINDOW.toMillis());

    /** Entries of a short inbox: five pages. */
    public static final int SHORT = 100;

    private static final int TENTH = 10;
    private static final long LEASE_MILLIS = 60_000;
    private static final long MILLIS_APART = 1000;
    private static final int PARTS = 100;
    private static final int AUTHORS = 50;
    private static final long FIRST_AUTHOR = 1_029_384_756L;
    private static final long FIRST_POST = 1_730_000_000_000_000_000L;
    private static final long POSTS_APART = 4_194_304_123L;

    private FullInboxes() {}

    /** Posts, oldest first, the newest a while ago. */
    public static List<Post> posts(int count) {
        long newest = System.currentTimeMillis() - LEASE_MILLIS;
        List<Post> posts = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            String author = Long.toString(FIRST_AUTHOR + i % AUTHORS);
            posts.add(
                    Post.of(author, Long.toString(FIRST_POST + i * POSTS_APART), newest - (count - i) * MILLIS_APART));
        }
        return posts;
    }

    /** An id like those of the posts here, but higher than all. */
    public static String nextId(int number) {
        return Long.toString(FIRST_POST + (1_000_000L + number) * POSTS_APART);
    }

    /**
     * Makes the made-up readers' inboxes live and full: each with as many beyond the cap as one that has been full for
     * long may have.
     */
    public static void fill(Inbox inbox, int readers) {
        fill(inbox, LIMITS, readers);
    }

    /** The same of inboxes with other limits. */
    public static void fill(Inbox inbox, InboxLimits limits, int readers) {
        List<Post> posts = posts(limits.stored());
        int beyond = posts.size() - limits.cap();
        for (int i = 0; i < readers; i++) {
            fill(inbox, MadeUpGraph.user(i), posts.subList(beyond * (i % PARTS) / PARTS, posts.size()));
        }
    }

    /** Makes the made-up readers' inboxes live, with as many entries as the cap. */
    public static void fillToCap(Inbox inbox, int readers) {
        List<Post> posts = posts(LIMITS.cap());
        for (int i = 0; i < readers; i++) {
            fill(inbox, MadeUpGraph.user(i), posts);
        }
    }

    /** Makes the made-up readers' inboxes live: the first few full, the others with {@link #SHORT} entries. */
    public static void fillShort(Inbox inbox, int full, int readers) {
        fillToCap(inbox, full);
        List<Post> posts = posts(SHORT);
        for (int i = full; i < readers; i++) {
            fill(inbox, MadeUpGraph.user(i), posts);
        }
    }

    /** Makes the inbox of every tenth made-up reader live. */
    public static void fillEveryTenth(Inbox inbox, int readers) {
        List<Post> posts = posts(SHORT);
        for (int i = 0; i < readers; i += TENTH) {
            fill(inbox, MadeUpGraph.user(i), posts);
        }
    }

    /** Makes the inboxes of made-up readers after the first ones full. */
    public static void fillBeyond(Inbox inbox, int first, int readers) {
        List<Post> posts = posts(LIMITS.cap());
        for (int i = first; i < first + readers; i++) {
            fill(inbox, MadeUpGraph.user(i), posts);
        }
    }

    /** Who wrote the posts. */
    public static List<String> authors() {
        return IntStream.range(0, AUTHORS)
                .mapToObj(i -> Long.toString(FIRST_AUTHOR + i))
                .toList();
    }

    private static void fill(Inbox inbox, String reader, List<Post> posts) {
        long generation = inbox.open(reader, LEASE_MILLIS, true).generation();
        inbox.merge(reader, generation, posts, Position.of(posts.get(0)));
        inbox.complete(reader, generation, 1, 0);
    }
}

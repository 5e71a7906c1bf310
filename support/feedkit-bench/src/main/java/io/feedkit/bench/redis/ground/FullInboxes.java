package io.feedkit.bench.redis.ground;

import io.feedkit.FeedEngineBuilder;
import io.feedkit.Post;
import io.feedkit.bench.core.MadeUpGraph;
import io.feedkit.internal.cache.FolloweeSet;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Position;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;

/** Fills inboxes with posts that have ids of 19 digits, by authors with ids of 10 digits. */
public final class FullInboxes {

    public static final InboxLimits LIMITS =
            new InboxLimits(FeedEngineBuilder.DEFAULT_CAP, FeedEngineBuilder.DEFAULT_LIVE_WINDOW.toMillis());

    /** Entries of a short inbox: five pages. */
    public static final int SHORT = 100;

    private static final int TENTH = 10;
    private static final long LEASE_MILLIS = 60_000;
    /** The mark of inboxes that no engine reads, so no engine looks for posts appended since. */
    private static final long NO_MARK = 1;

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

    /** An id like those of these posts, but higher than all of them. */
    public static String nextId(int number) {
        return Long.toString(FIRST_POST + (1_000_000L + number) * POSTS_APART);
    }

    /**
     * Makes the made-up readers' inboxes live and full. Each has a different number of entries beyond the cap, like
     * inboxes that have been full for a long time.
     */
    public static void fill(Inbox inbox, int readers) {
        fill(inbox, LIMITS, readers);
    }

    /** Does the same for inboxes with other limits. */
    public static void fill(Inbox inbox, InboxLimits limits, int readers) {
        List<Post> posts = posts(limits.stored());
        int beyond = posts.size() - limits.cap();
        for (int i = 0; i < readers; i++) {
            fill(inbox, MadeUpGraph.user(i), posts.subList(beyond * (i % PARTS) / PARTS, posts.size()));
        }
    }

    /** Makes the made-up readers' inboxes live, filled exactly to the cap. */
    public static void fillToCap(Inbox inbox, int readers) {
        List<Post> posts = posts(LIMITS.cap());
        for (int i = 0; i < readers; i++) {
            fill(inbox, MadeUpGraph.user(i), posts);
        }
    }

    /**
     * Makes the made-up readers' inboxes live, for an engine that reads them: the first few with all posts, the others
     * with the newest {@link #SHORT}.
     *
     * @param posts the outbox's posts of some of the followees
     * @param followees the authors that each of the readers follows
     * @param mark a time since which none of the followees has appended a post
     */
    public static void fillForReads(
            Inbox inbox, List<Post> posts, int full, int readers, Collection<String> followees, long mark) {
        List<Post> newest = posts.subList(posts.size() - SHORT, posts.size());
        long checksum = FolloweeSet.checksum(followees);
        for (int i = 0; i < readers; i++) {
            fill(inbox, MadeUpGraph.user(i), i < full ? posts : newest, mark, checksum);
        }
    }

    /** Makes the inbox of every tenth made-up reader live. */
    public static void fillEveryTenth(Inbox inbox, int readers) {
        List<Post> posts = posts(SHORT);
        for (int i = 0; i < readers; i += TENTH) {
            fill(inbox, MadeUpGraph.user(i), posts);
        }
    }

    /** The authors of the posts. */
    public static List<String> authors() {
        return IntStream.range(0, AUTHORS)
                .mapToObj(i -> Long.toString(FIRST_AUTHOR + i))
                .toList();
    }

    private static void fill(Inbox inbox, String reader, List<Post> posts) {
        fill(inbox, reader, posts, NO_MARK, FolloweeSet.NOBODY.checksum());
    }

    private static void fill(Inbox inbox, String reader, List<Post> posts, long mark, long followees) {
        long generation = inbox.open(reader, LEASE_MILLIS, true).generation();
        inbox.merge(reader, generation, posts, Position.of(posts.get(0)));
        inbox.complete(reader, generation, mark, followees);
    }
}

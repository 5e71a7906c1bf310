package io.feedkit.jdbc.internal.outbox;

import io.feedkit.Post;
import io.feedkit.spi.Outbox.PageQuery;
import java.util.List;
import java.util.OptionalLong;

/**
 * How far back a page of newest posts probably goes, from how far earlier pages went, whoever read them: a page that has a bound costs a third of one that has to find it. A guess
 * that is too near costs a search of the index for each author and is not used; one that is too far costs rows. So it is far enough for three pages, goes further at
 * once, and comes back slowly. Thread-safe: what one thread learns, another may overwrite.
 */
final class Reach {

    private static final int PAGES = 3;
    private static final int SLOWLY = 8;
    private static final double LONGEST_MILLIS = 1e15;

    /** What was learned: where feeds begin, and how long it takes an author to publish a post. */
    private record Learned(long newest, double millisPerPost) {}

    private static final Learned NOTHING = new Learned(0, 0);

    private volatile Learned learned = NOTHING;

    /** A time that leaves a few pages, if there is any idea of it. */
    OptionalLong guess(PageQuery query) {
        Learned known = learned;
        if (known.equals(NOTHING)) {
            return OptionalLong.empty();
        }
        double span =
                PAGES * known.millisPerPost() * query.limit() / query.authors().size();
        long guess = top(known.newest(), query) - (long) Math.min(span, LONGEST_MILLIS) - 1;
        return OptionalLong.of(Math.max(query.range().from().millis(), guess));
    }

    /** Learns from a page; one that is not full says nothing. */
    void learn(PageQuery query, List<Post> page) {
        if (page.size() < query.limit()) {
            return;
        }
        Learned before = learned;
        long newest = newest(before, page.get(0).publishedAt().toEpochMilli());
        long last = page.get(page.size() - 1).publishedAt().toEpochMilli();
        double millisPerPost = (double) Math.max(0, top(newest, query) - last)
                * query.authors().size()
                / query.limit();
        learned =
                new Learned(newest, Math.max(millisPerPost, before.millisPerPost() - before.millisPerPost() / SLOWLY));
    }

    private static long newest(Learned before, long seen) {
        return before.newest() <= seen ? seen : before.newest() - (before.newest() - seen) / SLOWLY;
    }

    private static long top(long newest, PageQuery query) {
        return Math.min(newest, query.range().below().millis());
    }
}

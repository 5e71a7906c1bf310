package io.feedkit.jdbc.internal.posts;

import io.feedkit.Post;
import io.feedkit.spi.Outbox.PageQuery;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Estimates how far back a page of newest posts reaches, from earlier pages: pages of the same authors if they are
 * remembered, else of any authors. A page with a known bound costs a third of one that has to find its bound: with 1000
 * authors 0.40 of a LATERAL join, as measured in {@code docs/reference/bench/jdbc.md}. If the estimate is too near, the
 * index is searched for each author, and the page is read again. If it is too far, extra rows are read. The estimate
 * therefore leaves room for three pages; it grows at once and shrinks slowly. Thread-safe: one thread may overwrite
 * what another learned.
 */
final class PageSpanEstimator {

    private static final int PAGES = 3;
    private static final int SLOWLY = 8;
    private static final double LONGEST_MILLIS = 1e15;
    /** The number of sets of authors whose pace is remembered, as a power of two: 32 KB. */
    private static final int REMEMBERED_BITS = 12;
    /** Spreads hashes over the upper bits (Knuth, The Art of Computer Programming 3, 6.4). */
    private static final int SPREAD = 0x9E3779B9;

    /** What pages have shown: the newest post of all, and the pace, the average time between two posts of an author. */
    private record Learned(long newest, double millisPerPost) {}

    private static final Learned NOTHING = new Learned(0, 0);

    private volatile Learned learned = NOTHING;
    /** Each slot has the hash of a set of authors, and the bits of its pace as a float. Sets may share a slot. */
    private final AtomicLongArray paces = new AtomicLongArray(1 << REMEMBERED_BITS);

    /** Returns the estimated time, once any page has been learned. */
    OptionalLong estimate(PageQuery query) {
        Learned known = learned;
        if (known.equals(NOTHING)) {
            return OptionalLong.empty();
        }
        double millisPerPost = pace(query.authors().hashCode()).orElse(known.millisPerPost());
        double span = PAGES * millisPerPost * query.limit() / query.authors().size();
        long estimate = top(known.newest(), query) - (long) Math.min(span, LONGEST_MILLIS) - 1;
        return OptionalLong.of(Math.max(query.range().from().millis(), estimate));
    }

    /** Learns from a page. A page that is not full is ignored. */
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
        learned = new Learned(newest, slower(before.millisPerPost(), millisPerPost));
        int authors = query.authors().hashCode();
        remember(authors, slower(pace(authors).orElse(0), millisPerPost));
    }

    private static double slower(double before, double seen) {
        return Math.max(seen, before - before / SLOWLY);
    }

    private OptionalDouble pace(int authors) {
        long pace = paces.get(slot(authors));
        return pace != 0 && (int) (pace >>> Integer.SIZE) == authors
                ? OptionalDouble.of(Float.intBitsToFloat((int) pace))
                : OptionalDouble.empty();
    }

    private void remember(int authors, double millisPerPost) {
        paces.set(
                slot(authors),
                ((long) authors << Integer.SIZE) | Integer.toUnsignedLong(Float.floatToIntBits((float) millisPerPost)));
    }

    private static int slot(int authors) {
        return (authors * SPREAD) >>> (Integer.SIZE - REMEMBERED_BITS);
    }

    private static long newest(Learned before, long seen) {
        return before.newest() <= seen ? seen : before.newest() - (before.newest() - seen) / SLOWLY;
    }

    private static long top(long newest, PageQuery query) {
        return Math.min(newest, query.range().below().millis());
    }
}

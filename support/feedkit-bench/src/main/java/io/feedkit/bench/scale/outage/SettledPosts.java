package io.feedkit.bench.scale.outage;

/**
 * Which posts a page must show: with inboxes, those whose fan-out was over before; without them, all that were
 * acknowledged before. Thread-safe.
 */
final class SettledPosts {

    /** What was known when a page was begun: the settled mark, and since when inboxes are out of reach. */
    record Bound(long mark, long downSince) {}

    private static final long UP = Long.MAX_VALUE;

    private final OutageStores stores;
    private volatile long mark;
    private volatile long downSince = UP;

    SettledPosts(OutageStores stores) {
        this.stores = stores;
    }

    /** Asks for the mark again. PostgreSQL rounds to milliseconds what Java cuts off. */
    void look() {
        mark = stores.settledMark() - 1;
    }

    /** No inbox can be reached from now on. */
    void down() {
        downSince = System.currentTimeMillis();
    }

    /** From now on some may be reached. */
    void up() {
        downSince = UP;
    }

    Bound bound() {
        return new Bound(mark, downSince);
    }

    /** The time before which posts must have been acknowledged to be in a page that has just been read. */
    long asOf(Bound bound, long from) {
        boolean withoutInboxes = bound.downSince() < from && bound.downSince() == downSince;
        return withoutInboxes ? from : Math.min(from, bound.mark());
    }
}

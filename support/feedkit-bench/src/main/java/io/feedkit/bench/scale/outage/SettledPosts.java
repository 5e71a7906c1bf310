package io.feedkit.bench.scale.outage;

/**
 * The posts that a page must show: with inboxes, the posts whose fan-out had ended before; without them, all posts that
 * were acknowledged before. Thread-safe.
 */
final class SettledPosts {

    /** The state when the read of a page began: the settled mark, and the time since which inboxes are unreachable. */
    record Bound(long mark, long downSince) {}

    private static final long UP = Long.MAX_VALUE;

    private final OutageStores stores;
    private volatile long mark;
    private volatile long downSince = UP;

    SettledPosts(OutageStores stores) {
        this.stores = stores;
    }

    /**
     * Reads the mark again. One millisecond is subtracted, because PostgreSQL rounds to milliseconds and Java
     * truncates.
     */
    void look() {
        mark = stores.settledMark() - 1;
    }

    /** Records that no inbox can be reached from now on. */
    void down() {
        downSince = System.currentTimeMillis();
    }

    /** Records that inboxes may be reached from now on. */
    void up() {
        downSince = UP;
    }

    Bound bound() {
        return new Bound(mark, downSince);
    }

    /** The time before which posts must have been acknowledged to be on a page that has just been read. */
    long asOf(Bound bound, long from) {
        boolean withoutInboxes = bound.downSince() < from && bound.downSince() == downSince;
        return withoutInboxes ? from : Math.min(from, bound.mark());
    }
}

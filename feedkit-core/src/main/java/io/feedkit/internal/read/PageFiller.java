package io.feedkit.internal.read;

import io.feedkit.internal.paging.ReadPage;
import io.feedkit.internal.read.Content.Item;
import io.feedkit.spi.Order;
import io.feedkit.spi.Position;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Fills one page from the chunks of a scan, and decides when the page is full. It looks for one item more than the page
 * holds, so the page has an older cursor only if there are older posts. Content is loaded when the entries of the
 * chunks would fill the page, so that a page without gaps takes one call of the loader. After a bounded number of posts
 * it breaks off: it continues only to the end of the millisecond, so that the cursor need not name a post that was not
 * shown. Used by one thread.
 */
final class PageFiller<T> {

    /** The largest chunk read at once. */
    static final int MAX_CHUNK = 500;

    private final int limit;
    private final int wanted;
    private final long bound;
    private final List<Item<T>> items;

    /** Entries whose content is not loaded yet, in the order of the walk. */
    private final List<FeedEntry> pending = new ArrayList<>();

    private int chunk;
    private int scanned;
    private boolean hides;
    private Optional<Position> last = Optional.empty();
    private Optional<Position> brokenOff = Optional.empty();

    /**
     * An empty page.
     *
     * @param limit the most items of the page
     * @param passedOver how many posts the page leaves out, because the client has them
     * @param bound how many posts are scanned before the page breaks off
     */
    PageFiller(int limit, int passedOver, int bound) {
        this.limit = limit;
        this.wanted = limit + 1;
        this.bound = (long) bound + passedOver;
        this.chunk = wanted + passedOver;
        this.items = new ArrayList<>(wanted);
    }

    /**
     * Whether the page is not full yet, and the scan may have more posts for it. Loads the content that the answer
     * depends on.
     */
    boolean wantsMore(Scan scan, Content<T> content) {
        boolean isEnough = items.size() + pending.size() >= wanted || scanned >= bound;
        if (isEnough || scan.atEnd() || scan.isCutOff()) {
            load(content);
        }
        if (items.size() >= wanted || scan.atEnd() || scan.isCutOff()) {
            return false;
        }
        if (brokenOff.isPresent() || scanned < bound || last.isEmpty()) {
            return true;
        }
        if (last.equals(place(items))) {
            brokenOff = last;
            return false;
        }
        brokenOff = Optional.of(scan.endWithMillisecondOf(last.get()));
        return !scan.atEnd();
    }

    /** How large the next chunk should be. */
    int chunk() {
        return chunk;
    }

    /** Adds a chunk; {@code entries} are its entries that may be shown. */
    void add(Scan.Chunk part, List<FeedEntry> entries) {
        pending.addAll(entries);
        if (brokenOff.isEmpty()) {
            last = part.last().isPresent() ? part.last() : last;
        }
        scanned += part.candidates();
        chunk = Math.min(MAX_CHUNK, chunk * 2);
    }

    /** Records that the host's filter hid posts of the last chunk. */
    void hides() {
        hides = true;
    }

    /** Turns the pending entries into items. Loads no more content than the page needs. */
    private void load(Content<T> content) {
        for (int from = 0; from < pending.size() && items.size() < wanted; ) {
            int to = Math.min(pending.size(), from + wanted - items.size());
            List<Item<T>> loaded = content.of(pending.subList(from, to));
            hides |= loaded.size() < to - from;
            items.addAll(loaded);
            from = to;
        }
        pending.clear();
    }

    /** The items of the page, in the order of the walk. */
    List<Item<T>> shown() {
        return items.subList(0, Math.min(limit, items.size()));
    }

    /** The page. If the scan was cut off, the next page can begin at this page's last item. */
    ReadPage<T> page(Order order, Scan scan) {
        boolean more = items.size() > limit || scan.isCutOff();
        List<Item<T>> newestFirst = new ArrayList<>(shown());
        if (order == Order.OLDEST_FIRST) {
            Collections.reverse(newestFirst);
        }
        return new ReadPage<>(
                newestFirst.stream().map(Item::value).toList(),
                newestFirst.stream().map(item -> item.entry().post()).toList(),
                more ? place(shown()) : brokenOff,
                scan.isBeyondInbox(),
                scan.caveats(),
                hides);
    }

    private static Optional<Position> place(List<? extends Item<?>> items) {
        return items.isEmpty()
                ? Optional.empty()
                : Optional.of(items.get(items.size() - 1).place());
    }
}

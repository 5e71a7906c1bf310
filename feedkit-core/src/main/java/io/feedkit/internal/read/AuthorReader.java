package io.feedkit.internal.read;

import io.feedkit.Post;
import io.feedkit.PostLoader;
import io.feedkit.internal.paging.ReadPage;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.PositionRange;
import io.feedkit.spi.SeenPosts;
import java.util.Set;

/** Reads pages of one author's own posts. No filter applies, because the reader is not known. Thread-safe. */
public final class AuthorReader {

    private final Outbox outbox;
    private final int maxScanned;

    /**
     * A reader of outboxes.
     *
     * @param maxScanned how many posts a page with content scans before it breaks off
     */
    public AuthorReader(Outbox outbox, int maxScanned) {
        this.outbox = outbox;
        this.maxScanned = maxScanned;
    }

    /** Reads a page of an author's posts, without the posts in {@code before}. */
    public ReadPage<Post> read(String author, PositionRange range, Order order, int limit, SeenPosts before) {
        PageFiller<Post> page = new PageFiller<>(limit, before.size(), Integer.MAX_VALUE);
        return fill(author, range, order, page, before, Content.posts());
    }

    /** Reads a page of an author's posts with the host's content, without the posts in {@code before}. */
    public <T> ReadPage<T> read(
            String author, PositionRange range, Order order, int limit, SeenPosts before, PostLoader<T> loader) {
        PageFiller<T> page = new PageFiller<>(limit, before.size(), maxScanned);
        return fill(author, range, order, page, before, Content.loadedBy(loader));
    }

    private <T> ReadPage<T> fill(
            String author, PositionRange range, Order order, PageFiller<T> page, SeenPosts before, Content<T> content) {
        try (Scan scan = new OutboxScan(outbox::page, Set.of(author), range, order, false)) {
            while (page.wantsMore(scan, content)) {
                Scan.Chunk chunk = scan.next(page.chunk());
                page.add(chunk, FeedEntry.without(before, chunk.entries()));
            }
            return page.page(order, scan);
        }
    }
}

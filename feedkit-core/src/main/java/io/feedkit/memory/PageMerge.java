package io.feedkit.memory;

import io.feedkit.Post;
import io.feedkit.spi.Order;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Merges a page from many authors' posts. A first pass keeps the authors whose first post may be on the page; these are
 * at most as many authors as the page has posts. A k-way merge continues with only these authors.
 */
final class PageMerge {

    private final PositionRange range;
    private final Order order;
    private final int limit;
    private final Comparator<Post> pageOrder;

    PageMerge(PositionRange range, Order order, int limit) {
        this.range = range;
        this.order = order;
        this.limit = limit;
        this.pageOrder = order == Order.NEWEST_FIRST ? (a, b) -> Position.compare(b, a) : Position::compare;
    }

    List<Post> of(Collection<AuthorOutbox> authors) {
        PriorityQueue<Source> sources = new PriorityQueue<>();
        sources.addAll(candidates(authors));
        List<Post> page = new ArrayList<>();
        while (page.size() < limit) {
            Source source = sources.poll();
            if (source == null) {
                break;
            }
            page.add(source.first);
            if (source.advance(limit - page.size())) {
                sources.add(source);
            }
        }
        return page;
    }

    private Collection<Source> candidates(Collection<AuthorOutbox> authors) {
        PriorityQueue<Source> lastFirst = new PriorityQueue<>(Comparator.reverseOrder());
        for (AuthorOutbox author : authors) {
            Post first = author.first(range, order);
            if (first == null) {
                continue;
            }
            if (lastFirst.size() == limit) {
                Source last = lastFirst.element();
                if (pageOrder.compare(first, last.first) > 0) {
                    continue;
                }
                lastFirst.remove();
            }
            lastFirst.add(new Source(author, first));
        }
        return lastFirst;
    }

    /** One author's posts in page order, read in growing batches. No lock is held between batches. */
    private final class Source implements Comparable<Source> {

        private static final int FIRST_BATCH = 4;
        private static final int LARGEST_BATCH = 256;

        private final AuthorOutbox author;
        private List<Post> batch = List.of();
        private int next;
        private int batchSize = FIRST_BATCH;
        private Post first;

        Source(AuthorOutbox author, Post first) {
            this.author = author;
            this.first = first;
        }

        /** Moves to the next post, and returns whether there is one. */
        boolean advance(int wanted) {
            if (next == batch.size()) {
                Position read = Position.of(first);
                PositionRange rest = order == Order.NEWEST_FIRST
                        ? new PositionRange(range.from(), read)
                        : new PositionRange(read.next(), range.below());
                batch = author.page(rest, order, Math.min(wanted, batchSize));
                batchSize = Math.min(batchSize * 2, LARGEST_BATCH);
                next = 0;
            }
            if (next == batch.size()) {
                return false;
            }
            first = batch.get(next++);
            return true;
        }

        @Override
        public int compareTo(Source other) {
            return pageOrder.compare(first, other.first);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(this);
        }
    }
}

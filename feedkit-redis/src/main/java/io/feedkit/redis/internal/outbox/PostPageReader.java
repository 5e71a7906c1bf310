package io.feedkit.redis.internal.outbox;

import io.feedkit.Post;
import io.feedkit.redis.internal.outbox.PostRangeReader.RangeQuery;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox.PageQuery;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Reads a page of many authors' posts, in two rounds at most. The first reads a few posts of each author. The second
 * reads more of the authors who may have others above the bottom of the page. Twice an author's fair share of the page
 * is enough for most.
 */
final class PostPageReader {

    private static final String OPERATION = "outbox.page";

    private final PostRangeReader ranges;
    private final PageQuery query;
    private final Comparator<Post> order;

    PostPageReader(PostRangeReader ranges, PageQuery query) {
        this.ranges = ranges;
        this.query = query;
        order = query.order() == Order.NEWEST_FIRST ? (a, b) -> Position.compare(b, a) : Position::compare;
    }

    List<Post> read() {
        if (query.authors().isEmpty()) {
            return List.of();
        }
        int some = (int)
                Math.min(query.limit(), 2L * query.limit() / query.authors().size() + 2);
        List<List<Post>> first = ranges.read(
                OPERATION,
                query.authors().stream()
                        .map(author -> new RangeQuery(author, query.range(), some))
                        .toList(),
                query.order());
        List<Post> page = page(first);
        List<RangeQuery> open = first.stream()
                .filter(posts -> posts.size() == some && mayHaveMore(posts, page))
                .map(posts -> rest(posts.get(some - 1), page))
                .toList();
        if (some == query.limit() || open.isEmpty()) {
            return page;
        }
        List<List<Post>> all = new ArrayList<>(ranges.read(OPERATION, open, query.order()));
        all.add(page);
        return page(all);
    }

    private boolean mayHaveMore(List<Post> posts, List<Post> page) {
        return page.size() < query.limit() || order.compare(posts.get(posts.size() - 1), last(page)) < 0;
    }

    /** The range beyond an author's last post, within the page. */
    private RangeQuery rest(Post after, List<Post> page) {
        Position reached = Position.of(after);
        PositionRange range = query.range();
        boolean full = page.size() == query.limit();
        PositionRange rest = query.order() == Order.NEWEST_FIRST
                ? new PositionRange(full ? Position.of(last(page)) : range.from(), reached)
                : new PositionRange(
                        reached.next(), full ? Position.of(last(page)).next() : range.below());
        return new RangeQuery(after.author(), rest, query.limit());
    }

    private static Post last(List<Post> page) {
        return page.get(page.size() - 1);
    }

    private List<Post> page(List<List<Post>> posts) {
        return posts.stream()
                .flatMap(List::stream)
                .sorted(order)
                .limit(query.limit())
                .toList();
    }
}

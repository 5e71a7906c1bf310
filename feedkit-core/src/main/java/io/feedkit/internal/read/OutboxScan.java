package io.feedkit.internal.read;

import io.feedkit.FeedPage.Caveat;
import io.feedkit.Post;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox.PageQuery;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** A walk over the outboxes of some authors. It finds all posts that are visible there, so no post is late. */
final class OutboxScan implements Scan {

    private final Function<PageQuery, List<Post>> outbox;
    private final Set<String> authors;
    private final Order order;
    private final boolean early;
    private PositionRange rest;
    private int calls;

    /**
     * A walk.
     *
     * @param early whether a feed of the reader may look for these posts in the inbox, as {@link FeedEntry#early} says
     */
    OutboxScan(
            Function<PageQuery, List<Post>> outbox,
            Set<String> authors,
            PositionRange range,
            Order order,
            boolean early) {
        this.outbox = outbox;
        this.authors = authors;
        this.order = order;
        this.early = early;
        this.rest = authors.isEmpty() ? new PositionRange(range.from(), range.from()) : range;
    }

    @Override
    public Chunk next(int limit) {
        calls++;
        List<Post> posts = outbox.apply(new PageQuery(authors, rest, order, limit));
        Optional<Position> last =
                posts.isEmpty() ? Optional.empty() : Optional.of(Position.of(posts.get(posts.size() - 1)));
        Position reached = posts.size() < limit
                ? ScanEnd.of(rest, order)
                : last.map(place -> order == Order.NEWEST_FIRST ? place : place.next())
                        .orElseThrow();
        rest = ScanEnd.after(rest, order, reached);
        return new Chunk(
                posts.stream().map(post -> new FeedEntry(post, false, early)).toList(), last, posts.size());
    }

    @Override
    public boolean atEnd() {
        return rest.isEmpty();
    }

    @Override
    public boolean isCutOff() {
        return false;
    }

    @Override
    public boolean isBeyondInbox() {
        return false;
    }

    @Override
    public Position endWithMillisecondOf(Position reached) {
        Position end = ScanEnd.ofMillisecond(reached, order);
        rest = ScanEnd.upTo(rest, order, end);
        return end;
    }

    @Override
    public Set<Caveat> caveats() {
        return Set.of();
    }

    @Override
    public int outboxCalls() {
        return calls;
    }

    @Override
    public void close() {
        // There is nothing to release.
    }
}

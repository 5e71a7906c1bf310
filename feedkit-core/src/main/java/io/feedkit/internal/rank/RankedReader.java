package io.feedkit.internal.rank;

import io.feedkit.FeedPage.Caveat;
import io.feedkit.Post;
import io.feedkit.PostLoader;
import io.feedkit.event.FeedRead;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.GuardedListener;
import io.feedkit.internal.paging.FeedAuthors;
import io.feedkit.internal.paging.RankPlace;
import io.feedkit.internal.paging.ReadPage;
import io.feedkit.internal.rank.RankContent.Item;
import io.feedkit.internal.read.FeedReader;
import io.feedkit.internal.view.Walk;
import io.feedkit.rank.RankContext;
import io.feedkit.rank.RankCursor;
import io.feedkit.rank.RankRequest;
import io.feedkit.rank.RankedPage;
import io.feedkit.rank.Ranker;
import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.PositionRange;
import io.feedkit.spi.RankSnapshots;
import io.feedkit.spi.SeenPosts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;

/**
 * Reads ranked pages.
 *
 * <p>The first page reads the candidates as one page of the feed, has them scored, and saves the order of those that it
 * does not show. Later pages take posts from the saved order, and ask the outbox and the graph which of them may still
 * be shown. So scores and new posts change nothing for a walk that has begun, and nothing is shown twice. Every page
 * looks for one more item than it shows: so a next cursor means that there was a next item.
 *
 * <p>The saved order is never changed. How far a walk has come is in its cursor, so a client may repeat a request.
 * Thread-safe.
 */
public final class RankedReader {

    /** The most posts that a later page checks in one call. */
    private static final int MAX_CHUNK = 500;

    private final EngineSettings settings;
    private final FeedReader feed;
    private final Outbox outbox;
    private final FollowGraph graph;
    private final SavedOrders orders;
    private final GuardedListener listener;

    public RankedReader(
            EngineSettings settings,
            FeedReader feed,
            Outbox outbox,
            FollowGraph graph,
            RankSnapshots snapshots,
            GuardedListener listener) {
        this.settings = settings;
        this.feed = feed;
        this.outbox = outbox;
        this.graph = graph;
        this.orders = new SavedOrders(settings, snapshots);
        this.listener = listener;
    }

    /** Reads a page. */
    public RankedPage<Post> read(String reader, RankRequest request, Ranker ranker) {
        RankContent<Post> content = RankContent.posts();
        return request.cursor().isPresent()
                ? next(reader, request.cursor().get(), request.limit(), content)
                : first(
                        reader,
                        request,
                        ranker,
                        content,
                        walk -> feed.read(walk, request.candidates(), SeenPosts.NOTHING));
    }

    /** Reads a page with the host's content. A page that is not stale respects every delete that has returned. */
    public <T> RankedPage<T> read(String reader, RankRequest request, Ranker ranker, PostLoader<T> loader) {
        RankContent<T> content = RankContent.loadedBy(loader);
        return request.cursor().isPresent()
                ? next(reader, request.cursor().get(), request.limit(), content)
                : first(reader, request, ranker, content, walk -> feed.readLatest(walk, request.candidates()));
    }

    private <T> RankedPage<T> first(
            String reader,
            RankRequest request,
            Ranker ranker,
            RankContent<T> content,
            Function<Walk, ReadPage<Post>> candidates) {
        RankContext context = new RankContext(reader, settings.clock().instant());
        ReadPage<Post> found = candidates.apply(
                Walk.visit(reader, FeedAuthors.FOLLOWEES, PositionRange.ALL, Order.NEWEST_FIRST, false));
        List<Post> order = Scores.order(found.items(), ranker, context);
        List<Item<T>> items = items(RankedPosts.of(order), request.limit(), content);
        Set<Caveat> caveats = EnumSet.noneOf(Caveat.class);
        caveats.addAll(found.caveats());
        Optional<RankCursor> next = Optional.empty();
        if (items.size() > request.limit()) {
            OptionalLong saved = orders.save(reader, order.subList(end(items, request.limit()), order.size()), caveats);
            if (saved.isPresent()) {
                next = Optional.of(cursor(saved.getAsLong(), 0));
            } else {
                caveats.add(Caveat.ORDER_NOT_SAVED);
            }
        }
        return RankedPage.of(values(items, request.limit()), next, caveats);
    }

    private <T> RankedPage<T> next(String reader, RankCursor cursor, int limit, RankContent<T> content) {
        long start = System.nanoTime();
        SavedOrder order = orders.load(reader, cursor);
        CheckedOrder posts = new CheckedOrder(settings, outbox, graph, reader, order);
        List<Item<T>> items = items(posts, limit, content);
        List<T> values = values(items, limit);
        report(reader, values.size(), posts.outboxCalls(), start);
        Optional<RankCursor> next = items.size() > limit
                ? Optional.of(cursor(RankPlace.parse(cursor.toString()).snapshot(), end(items, limit)))
                : Optional.empty();
        return RankedPage.of(values, next, order.caveats());
    }

    /**
     * The first items of a ranking: those of the page, and one more if there is one. Loads no more content than that.
     */
    private static <T> List<Item<T>> items(RankedPosts posts, int limit, RankContent<T> content) {
        int wanted = limit + 1;
        List<Item<T>> items = new ArrayList<>(wanted);
        int chunk = Math.min(MAX_CHUNK, wanted);
        while (items.size() < wanted && !posts.atEnd()) {
            List<RankedPosts.Ranked> part = posts.next(chunk);
            for (int from = 0; from < part.size() && items.size() < wanted; ) {
                int to = Math.min(part.size(), from + wanted - items.size());
                items.addAll(content.of(part.subList(from, to)));
                from = to;
            }
            chunk = Math.min(MAX_CHUNK, chunk * 2);
        }
        return items;
    }

    private static <T> List<T> values(List<Item<T>> items, int limit) {
        return items.stream().limit(limit).map(Item::value).toList();
    }

    /** The place behind the last item of a page. */
    private static int end(List<? extends Item<?>> items, int limit) {
        return items.get(limit - 1).place() + 1;
    }

    private static RankCursor cursor(long snapshot, int place) {
        return RankCursor.parse(new RankPlace(snapshot, place).toString());
    }

    private void report(String reader, int shown, int outboxCalls, long start) {
        if (!listener.hasListener()) {
            return;
        }
        FeedRead event = FeedRead.builder(reader)
                .fromOutboxes(shown)
                .outboxCalls(outboxCalls)
                .took(Duration.ofNanos(System.nanoTime() - start))
                .build();
        listener.notify(each -> each.read(event));
    }
}

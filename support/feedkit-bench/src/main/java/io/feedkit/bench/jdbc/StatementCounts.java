package io.feedkit.bench.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.bench.Figure;
import io.feedkit.bench.HeapWatch;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FollowGraph.FollowerQuery;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Delivery;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.KeyRange;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox.PageQuery;
import io.feedkit.spi.PositionRange;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Round trips to the database: of single calls, and of an idle engine. */
final class StatementCounts implements Measurement {

    private static final int READERS = 1000;
    private static final int AUTHORS = 200;
    private static final int ENTRIES = 100;
    private static final int PAGE = 20;
    private static final String STAR = "star";
    private static final long LEASE_MILLIS = 30_000;

    private final Optional<String> url;

    StatementCounts(Optional<String> url) {
        this.url = url;
    }

    @Override
    public String name() {
        return "round trips";
    }

    @Override
    public List<Figure> measure(Scale scale) {
        RoundTrips trips = new RoundTrips();
        try (BenchDatabase database = BenchDatabase.open(url)) {
            InboxLoad.createHandMade(database);
            new InboxLoad(1, READERS + 1, ENTRIES, 1).into(database);
            FollowLoad.follow(database, STAR, READERS);
            try (HikariDataSource pool = database.pool(trips);
                    JdbcFeedStore store = database.store(pool)) {
                List<Figure> figures = new ArrayList<>(ofCalls(trips, store));
                figures.add(idle(scale, trips, store));
                return figures;
            }
        }
    }

    private List<Figure> ofCalls(RoundTrips trips, JdbcFeedStore store) {
        Inbox inbox = store.inbox(
                new InboxLimits(FeedEngineBuilder.DEFAULT_CAP, FeedEngineBuilder.DEFAULT_LIVE_WINDOW.toMillis()));
        List<String> readers =
                IntStream.rangeClosed(1, READERS).mapToObj(FollowLoad::user).toList();
        List<String> authors = readers.subList(0, AUTHORS);
        Post post = Post.of(STAR, "1", System.currentTimeMillis());
        List<Claim> claims = new ArrayList<>();
        try (FeedEngine engine = FeedEngine.builder(store).workers(0).build()) {
            return List.of(
                    count(trips, "publish, push", () -> engine.publish(post)),
                    count(
                            trips,
                            "claim",
                            () -> claims.addAll(store.outbox().fanout().claim(64, LEASE_MILLIS))),
                    count(
                            trips,
                            "1000 followers",
                            () -> store.graph().followers(List.of(new FollowerQuery(STAR, KeyRange.ALL, "", READERS)))),
                    count(
                            trips,
                            "deliver to 1000 inboxes",
                            () -> inbox.deliver(List.of(new Delivery(post, readers, 0)))),
                    count(trips, "existing", () -> store.outbox().existing(List.of(new PostKey(STAR, "1")))),
                    count(trips, "finish", () -> store.outbox().fanout().finish(claims, LEASE_MILLIS)),
                    count(trips, "slice", () -> inbox.slice(List.of(slice(readers.get(0))))),
                    count(
                            trips,
                            "page of 200 authors",
                            () -> store.outbox()
                                    .page(new PageQuery(
                                            new HashSet<>(authors), PositionRange.ALL, Order.NEWEST_FIRST, PAGE))),
                    count(
                            trips,
                            "newest of 200 authors",
                            () -> store.outbox().newest(authors, PositionRange.ALL, PAGE)),
                    count(trips, "follow", () -> engine.follow("alice", STAR)));
        }
    }

    private static SliceQuery slice(String reader) {
        return new SliceQuery(reader, PositionRange.ALL, Order.NEWEST_FIRST, PAGE, true);
    }

    private Figure count(RoundTrips trips, String operation, Runnable action) {
        long before = trips.count();
        action.run();
        return new Figure(name() + ": " + operation, "round trips", trips.count() - before, 1, Target.NONE);
    }

    private Figure idle(Scale scale, RoundTrips trips, JdbcFeedStore store) {
        try (FeedEngine engine = FeedEngine.builder(store).build()) {
            engine.fanout().drain();
            long start = System.nanoTime();
            long before = trips.count();
            HeapWatch.pause(scale.idle().toMillis());
            double seconds = (System.nanoTime() - start) / 1e9;
            double polls = 1000.0 / FeedEngineBuilder.DEFAULT_POLL_INTERVAL.toMillis();
            return new Figure(
                    name() + ": an idle engine with two workers (against a poll every 200 ms)",
                    "round trips/s",
                    (trips.count() - before) / seconds,
                    polls,
                    Target.NONE);
        }
    }
}

package io.feedkit.bench.live;

import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.bench.Clocked;
import io.feedkit.bench.Figure;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Rounds;
import io.feedkit.bench.Rounds.Medians;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import io.feedkit.bench.jdbc.BenchDatabase;
import io.feedkit.bench.redis.ground.BenchRedis;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.rank.RankRequest;
import io.feedkit.rank.Ranker;
import io.feedkit.rank.Rankers;
import io.feedkit.redis.RedisFeedStore;
import io.feedkit.spi.FeedStore;
import io.feedkit.testservers.Durability;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The first page of 500 ranked posts, against a plain page of 100. */
final class RankedCost implements Measurement {

    private static final int CANDIDATES = 500;
    private static final int RANKED_PAGE = 20;
    private static final int PLAIN_PAGE = 100;

    @Override
    public String name() {
        return "ranked";
    }

    @Override
    public List<Figure> measure(Scale scale) {
        try (BenchRedis redis = new BenchRedis(Durability.FAST);
                RedisFeedStore inRedis = redis.store();
                BenchDatabase database = BenchDatabase.open(Optional.empty());
                JdbcFeedStore inPostgres = database.store()) {
            return List.of(
                    figure(scale, "memory", InMemoryFeedStore.create()),
                    figure(scale, "Redis", inRedis),
                    figure(scale, "PostgreSQL", inPostgres));
        }
    }

    private Figure figure(Scale scale, String where, FeedStore store) {
        try (FullFeed feed = new FullFeed(store)) {
            FeedEngine engine = feed.engine();
            Map<Post, Long> reactions = new HashMap<>();
            feed.posts().forEach(post -> reactions.put(post, reactions.size() % 100L));
            Ranker hot = Rankers.hot(posts -> reactions, Rankers.DEFAULT_GRAVITY);
            RankRequest request = RankRequest.top(CANDIDATES, RANKED_PAGE);
            Clocked clock = Clocked.of(scale);
            Medians medians = Rounds.of(scale)
                    .medians(
                            () -> clock.millis(() -> requireFull(
                                    engine.ranked(FullFeed.READER, request, hot).items(), RANKED_PAGE)),
                            () -> clock.millis(() -> requireFull(
                                    engine.read(FullFeed.READER, PageRequest.first(PLAIN_PAGE))
                                            .items(),
                                    PLAIN_PAGE)));
            return Figure.of(
                    name() + ": 20 of 500 candidates, in " + where + " (against a plain page of 100)",
                    "ms",
                    medians,
                    new Target.RatioAtMost(2));
        }
    }

    private static void requireFull(List<Post> items, int size) {
        if (items.size() != size) {
            throw new IllegalStateException("the page must have " + size + " posts, but has " + items.size());
        }
    }
}

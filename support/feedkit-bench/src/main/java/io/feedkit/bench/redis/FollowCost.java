package io.feedkit.bench.redis;

import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.bench.Callers;
import io.feedkit.bench.Figure;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import io.feedkit.bench.redis.ground.BenchRedis;
import io.feedkit.bench.redis.ground.CountedCommands;
import io.feedkit.bench.redis.ground.CountedCommands.Counts;
import io.feedkit.redis.RedisFeedStore;
import io.feedkit.redis.RedisServers;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Order;
import io.feedkit.spi.PositionRange;
import io.feedkit.testservers.Durability;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The cost of follows on the server: one alone, many at once, and many in one call. The figures are counts, which are
 * the same on any machine, except for the effects of concurrent threads.
 */
final class FollowCost implements Measurement {

    private static final int AT_ONCE = 64;
    private static final int MANY = 1000;
    private static final int POSTS = 3;
    private static final double AS_MANY_AS_ALONE = 1.5;

    @Override
    public String name() {
        return "follow";
    }

    @Override
    public List<Figure> measure(Scale scale) {
        CountedCommands counted = new CountedCommands();
        try (BenchRedis redis = new BenchRedis(Durability.FAST)) {
            RedisClient client = RedisClient.create(redis.uri());
            client.setOptions(ClientOptions.builder()
                    .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                    .replayFilter(command -> true)
                    .build());
            client.addListener(counted);
            try (RedisFeedStore store = RedisFeedStore.create(RedisServers.of(client));
                    FeedEngine engine = FeedEngine.builder(store).workers(0).build()) {
                return measure(store, engine, counted);
            } finally {
                client.shutdown();
            }
        }
    }

    private List<Figure> measure(RedisFeedStore store, FeedEngine engine, CountedCommands counted) {
        List<String> authors =
                IntStream.range(0, MANY).mapToObj(n -> "author-" + n).toList();
        engine.publishAll(authors.stream().flatMap(FollowCost::posts).toList());
        List<String> readers =
                IntStream.range(0, AT_ONCE).mapToObj(n -> "reader-" + n).toList();
        open(engine, "warm");
        engine.follow("warm", authors.get(0));
        engine.followAll("warm", authors);
        readers.forEach(reader -> open(engine, reader));

        open(engine, "alone");
        Counts alone = count(counted, () -> engine.follow("alone", authors.get(0)));

        Callers callers = new Callers(AT_ONCE, Duration.ZERO);
        open(engine, "one");
        Counts ofOne = count(
                counted, () -> callers.forEach(authors.subList(0, AT_ONCE), author -> engine.follow("one", author)));
        Counts ofMany = count(
                counted,
                () -> callers.forEach(readers, reader -> engine.follow(reader, authors.get(readers.indexOf(reader)))));
        List<String> all = new ArrayList<>(readers);
        all.add("one");

        open(engine, "crowd");
        Counts together = count(counted, () -> engine.followAll("crowd", authors));
        all.add("crowd");
        return List.of(
                figure("one alone: commands", "commands", alone.commands(), alone.scripts(), Target.NONE),
                figure("one alone: scripts", "scripts", alone.scripts(), alone.scripts(), Target.NONE),
                figure(
                        "64 at once by one reader: scripts each (against one alone)",
                        "scripts",
                        ofOne.scripts() / AT_ONCE,
                        alone.scripts(),
                        new Target.RatioAtMost(AS_MANY_AS_ALONE)),
                figure(
                        "64 at once by 64 readers: scripts each (against one alone)",
                        "scripts",
                        ofMany.scripts() / AT_ONCE,
                        alone.scripts(),
                        new Target.RatioAtMost(AS_MANY_AS_ALONE)),
                figure(
                        "1000 authors in one call: scripts (against 1000 times one alone)",
                        "scripts",
                        together.scripts(),
                        MANY * alone.scripts(),
                        Target.NONE),
                figure(
                        "1000 authors in one call: round trips (against 1000 times one alone)",
                        "round trips",
                        together.roundTrips(),
                        MANY * alone.roundTrips(),
                        new Target.AtMost(20)),
                figure(
                        "left pending (of all that were made)",
                        "follows",
                        (double) pending(store, all),
                        2.0 * AT_ONCE + MANY,
                        new Target.AtMost(0)));
    }

    private Figure figure(String what, String unit, double value, double baseline, Target target) {
        return new Figure(name() + ": " + what, unit, value, baseline, target);
    }

    private static Stream<Post> posts(String author) {
        long now = System.currentTimeMillis();
        return IntStream.range(0, POSTS).mapToObj(n -> Post.of(author, "post-" + n, now));
    }

    /** Opens a reader's inbox. */
    private static void open(FeedEngine engine, String reader) {
        engine.follow(reader, "somebody");
        engine.read(reader, PageRequest.first(1));
    }

    private static Counts count(CountedCommands counted, Runnable action) {
        Counts before = counted.counts();
        action.run();
        return counted.counts().since(before);
    }

    private static long pending(RedisFeedStore store, List<String> readers) {
        InboxLimits limits =
                new InboxLimits(FeedEngineBuilder.DEFAULT_CAP, FeedEngineBuilder.DEFAULT_LIVE_WINDOW.toMillis());
        return store
                .inbox(limits)
                .slice(readers.stream()
                        .map(reader -> new SliceQuery(reader, PositionRange.ALL, Order.NEWEST_FIRST, 1, false))
                        .toList())
                .stream()
                .mapToLong(slice -> slice.pending().size())
                .sum();
    }
}

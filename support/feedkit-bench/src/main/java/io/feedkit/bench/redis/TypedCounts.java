package io.feedkit.bench.redis;

import io.feedkit.bench.Callers;
import io.feedkit.bench.Figure;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Rounds;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import io.feedkit.bench.redis.ground.BenchRedis;
import io.feedkit.bench.redis.hand.HandTypedCounts;
import io.feedkit.redis.RedisCounterStore;
import io.feedkit.redis.RedisServers;
import io.feedkit.testservers.Durability;
import io.feedkit.unread.Announcements;
import io.feedkit.unread.UnreadCounter;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Typed counters in Redis against hashes by hand, and the announcements that are counted a second. */
final class TypedCounts implements Measurement {

    private static final int CALLERS = 16;
    /** With fewer rounds, the first figure would measure code that is not compiled yet. */
    private static final int WARM_UPS = 12;

    private static final int USERS = 10_000;
    private static final int FEW = 10;
    private static final int MANY = 1000;
    private static final List<String> TYPES = List.of("comment", "mention", "like", "follower");

    @Override
    public String name() {
        return "typed";
    }

    @Override
    public List<Figure> measure(Scale scale) {
        List<String> users =
                IntStream.range(0, USERS).mapToObj(i -> "user-" + i).toList();
        try (BenchRedis redis = new BenchRedis(Durability.FAST);
                RedisCounterStore store = RedisCounterStore.create(RedisServers.at(redis.uri()));
                HandTypedCounts byHand = new HandTypedCounts(redis)) {
            UnreadCounter unread = UnreadCounter.of(store);
            TYPES.forEach(type -> {
                unread.add(users, type, 1);
                byHand.add(users, type);
            });
            Callers callers = new Callers(CALLERS, scale.window());
            Rounds.Medians reads = new Rounds(scale.rounds(), WARM_UPS)
                    .medians(
                            () -> callers.perSecond(chance -> unread.get(one(users, chance))),
                            () -> callers.perSecond(chance -> byHand.read(one(users, chance))));
            Callers alone = new Callers(1, scale.window());
            Rounds.Medians adds = new Rounds(scale.rounds(), WARM_UPS)
                    .medians(
                            () -> USERS * alone.perSecond(chance -> unread.add(users, "like", 1)),
                            () -> USERS * alone.perSecond(chance -> byHand.add(users, "like")));
            return List.of(
                    Figure.of(
                            name() + ": " + CALLERS + " callers read all types of a user (against HGETALL)",
                            "reads/s",
                            reads,
                            new Target.RatioAtLeast(1 / 1.3)),
                    Figure.of(
                            name() + ": add for " + USERS + " users in a call (against HINCRBY in a pipeline)",
                            "users/s",
                            adds,
                            new Target.RatioAtLeast(1 / 1.5)),
                    announcements(scale, redis, users));
        }
    }

    private static String one(List<String> users, SplittableRandom chance) {
        return users.get(chance.nextInt(USERS));
    }

    private Figure announcements(Scale scale, BenchRedis redis, List<String> users) {
        try (RedisCounterStore few = RedisCounterStore.builder(RedisServers.at(redis.uri()))
                        .prefix("few")
                        .build();
                RedisCounterStore many = RedisCounterStore.builder(RedisServers.at(redis.uri()))
                        .prefix("many")
                        .build()) {
            Announcements fewNews = withNews(few, FEW, users);
            Announcements manyNews = withNews(many, MANY, users);
            Callers callers = new Callers(CALLERS, scale.window());
            return Figure.of(
                    name() + ": " + CALLERS + " callers count " + MANY + " announcements (against " + FEW + ")",
                    "reads/s",
                    new Rounds(scale.rounds(), WARM_UPS)
                            .medians(
                                    () -> callers.perSecond(chance -> manyNews.get(one(users, chance), List.of())),
                                    () -> callers.perSecond(chance -> fewNews.get(one(users, chance), List.of()))),
                    Target.NONE);
        }
    }

    private static Announcements withNews(RedisCounterStore store, int count, List<String> users) {
        Announcements news = Announcements.of(store);
        users.forEach(news::enter);
        IntStream.range(0, count).forEach(i -> news.add("news-" + i, Announcements.EVERYBODY));
        return news;
    }
}

package io.feedkit.bench.redis;

import io.feedkit.FeedEngine;
import io.feedkit.Post;
import io.feedkit.bench.Figure;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Rounds;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import io.feedkit.bench.core.MadeUpGraph;
import io.feedkit.bench.redis.ground.BenchRedis;
import io.feedkit.bench.redis.ground.FullInboxes;
import io.feedkit.bench.redis.hand.HandPipeline;
import io.feedkit.bench.redis.hand.RawLooks;
import io.feedkit.bench.redis.hand.RawSocket;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.redis.RedisInboxes;
import io.feedkit.spi.FeedStore;
import io.feedkit.testservers.Durability;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

/**
 * Followers a second that posts are delivered to, all with full inboxes, against pipelines written by hand and a bare
 * socket.
 */
final class DeliveryCost implements Measurement {

    private static final int PART = 500;
    private static final int FEWEST = 1000;
    private static final int AT_ONCE = 8;
    private static final long PAUSE_NANOS = 1_000_000;
    private static final String STAR = "1029384756";
    private static final String NOBODYS = "1029384757";
    /** A miss may cost at most a fifth of a delivery. */
    private static final Target MISS = new Target.RatioAtLeast(5);

    private int posts;

    @Override
    public String name() {
        return "deliver";
    }

    @Override
    public List<Figure> measure(Scale scale) {
        int readers = Math.max(FEWEST, scale.followers() / PART);
        List<String> ids =
                IntStream.range(0, readers).mapToObj(MadeUpGraph::user).toList();
        MadeUpGraph graph = new MadeUpGraph();
        graph.follow(STAR, 0, readers);
        graph.follow(NOBODYS, readers, 2 * readers);
        InMemoryFeedStore truth = InMemoryFeedStore.create();
        try (BenchRedis redis = new BenchRedis(Durability.FAST);
                RedisInboxes inboxes = redis.inboxes();
                HandPipeline<String> plain = HandPipeline.plain(redis, ids);
                HandPipeline<byte[]> tuned = HandPipeline.tuned(redis, ids);
                RawSocket raw = new RawSocket(redis, ids)) {
            FullInboxes.fill(inboxes.inbox(FullInboxes.LIMITS), readers);
            plain.fill(FullInboxes.posts(FullInboxes.LIMITS.cap()));
            FeedStore store = FeedStore.of(truth.outbox(), inboxes::inbox, graph, truth.seenMarks());
            try (FeedEngine one = FeedEngine.builder(store).workers(0).build();
                    FeedEngine engine = FeedEngine.builder(store).build()) {
                ToIntFunction<Post> byWorkers = post -> fanOut(engine, post, readers);
                ToIntFunction<Post> byOne = post -> fanOutAlone(one, post, readers);
                List<Figure> figures = new ArrayList<>();
                figures.add(figure(
                        scale, "against a pipeline by hand", new Target.RatioAtLeast(3), byWorkers, plain::deliver));
                figures.add(figure(
                        scale, "against the same, tuned", new Target.RatioAtLeast(1.8), byWorkers, tuned::deliver));
                figures.add(figure(
                        scale,
                        "against one command after the other",
                        new Target.RatioAtLeast(60),
                        byWorkers,
                        plain::deliverSingly));
                figures.add(
                        figure(scale, "against a bare socket", new Target.RatioAtLeast(0.8), byWorkers, raw::deliver));
                figures.add(figure(scale, "one worker, against a bare socket", Target.NONE, byOne, raw::deliver));
                figures.add(figure(
                        scale,
                        "without inboxes, against with",
                        MISS,
                        post -> fanOutAlone(one, new Post(NOBODYS, post.id(), post.publishedAt()), readers),
                        byOne));
                figures.addAll(looks(scale, redis, readers, byOne));
                return figures;
            }
        }
    }

    /** The cost of only looking for inboxes that do not exist. */
    private List<Figure> looks(Scale scale, BenchRedis redis, int readers, ToIntFunction<Post> byOne) {
        List<String> ids = IntStream.range(readers, 2 * readers)
                .mapToObj(MadeUpGraph::user)
                .toList();
        try (HandPipeline<byte[]> tuned = HandPipeline.tuned(redis, ids);
                RawLooks oneByOne = RawLooks.oneByOne(redis, ids);
                RawLooks together = RawLooks.together(redis, ids)) {
            return List.of(
                    look(scale, "LINDEX for each by hand, tuned", tuned::look, byOne),
                    look(scale, "EXISTS for 500 by hand, tuned", tuned::lookTogether, byOne),
                    look(scale, "LINDEX for each over a bare socket", oneByOne::look, byOne),
                    look(scale, "EXISTS for 100 over a bare socket", together::look, byOne));
        }
    }

    private Figure look(Scale scale, String what, IntSupplier look, ToIntFunction<Post> byOne) {
        return figure(
                scale, "without inboxes, " + what + " (against with)", Target.NONE, post -> look.getAsInt(), byOne);
    }

    /** Fans out several posts at a time. */
    private int fanOut(FeedEngine engine, Post first, int readers) {
        engine.publish(first);
        for (int more = 1; more < AT_ONCE; more++) {
            engine.publish(nextPost());
        }
        while (engine.fanout().backlog().tasks() > 0) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return AT_ONCE * readers;
    }

    private static int fanOutAlone(FeedEngine engine, Post post, int readers) {
        engine.publish(post);
        engine.fanout().drain();
        return readers;
    }

    private Figure figure(
            Scale scale, String what, Target target, ToIntFunction<Post> delivery, ToIntFunction<Post> byHand) {
        Rounds.Medians medians = Rounds.of(scale)
                .medians(() -> perSecond(scale.window(), delivery), () -> perSecond(scale.window(), byHand));
        return Figure.of(name() + ": " + what, "followers/s", medians, target);
    }

    private double perSecond(Duration window, ToIntFunction<Post> delivery) {
        long start = System.nanoTime();
        long delivered = 0;
        long elapsed;
        do {
            delivered += delivery.applyAsInt(nextPost());
            elapsed = System.nanoTime() - start;
        } while (elapsed < window.toNanos());
        return delivered * 1e9 / elapsed;
    }

    private Post nextPost() {
        return Post.of(STAR, FullInboxes.nextId(posts++), System.currentTimeMillis());
    }
}

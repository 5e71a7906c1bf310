package io.feedkit.bench.jdbc;

import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.Post;
import io.feedkit.bench.Figure;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Rounds;
import io.feedkit.bench.Rounds.Medians;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Delivery;
import io.feedkit.spi.Inbox.Outcome;
import io.feedkit.spi.InboxLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

/** Followers a second that a post is delivered to, in batches of 1000: by the inbox alone, and by the whole engine. */
final class DeliveryCost implements Measurement {

    private static final int BATCH = FeedEngineBuilder.DEFAULT_BATCH_SIZE;
    private static final int CAP = FeedEngineBuilder.DEFAULT_CAP;
    private static final int PART = 500;
    private static final int FULL_PART = 10;
    private static final int ENTRIES = 100;
    private static final int AT_ONCE = 4;
    private static final long PAUSE_NANOS = 1_000_000;
    private static final String STAR = "star";
    private static final Target OF_SINGLE = new Target.RatioAtLeast(25);
    /** The time may be one and a half times that of the baseline. */
    private static final Target OF_BATCH = new Target.RatioAtLeast(1 / 1.5);

    private final Optional<String> url;
    private int posts;

    DeliveryCost(Optional<String> url) {
        this.url = url;
    }

    @Override
    public String name() {
        return "deliver";
    }

    @Override
    public List<Figure> measure(Scale scale) {
        int readers = Math.max(2 * BATCH, scale.followers() / PART);
        int full = Math.max(BATCH, readers / FULL_PART);
        try (BenchDatabase database = BenchDatabase.open(url)) {
            InboxLoad.createHandMade(database);
            new InboxLoad(1, readers + 1, ENTRIES, 1).into(database);
            new InboxLoad(readers + 1, readers + full + 1, CAP, CAP / 8).into(database);
            FollowLoad.follow(database, STAR, readers);
            database.settle("inbox", "inbox_entry", "hand_inbox", "hand_entry", "follow", "follow_count");
            try (JdbcFeedStore store = database.store();
                    FeedEngine engine = FeedEngine.builder(store).workers(0).build();
                    HandInboxes hand = new HandInboxes(database)) {
                Inbox inbox = store.inbox(new InboxLimits(CAP, FeedEngineBuilder.DEFAULT_LIVE_WINDOW.toMillis()));
                List<List<String>> roomy = batches(1, readers);
                List<List<String>> filled = batches(readers + 1, full);
                return List.of(
                        perBatch(
                                scale,
                                "into inboxes with room (against an INSERT a follower)",
                                inbox,
                                roomy,
                                OF_SINGLE,
                                post -> hand.deliverSingly(post, roomy.get(0))),
                        perBatch(
                                scale,
                                "into inboxes with room (against INSERT .. SELECT by hand)",
                                inbox,
                                roomy,
                                OF_BATCH,
                                post -> all(roomy, batch -> hand.deliver(post, batch))),
                        perBatch(
                                scale,
                                "into full inboxes (against INSERT .. SELECT by hand, never trimmed)",
                                inbox,
                                filled,
                                Target.NONE,
                                post -> all(filled, batch -> hand.deliver(post, batch))),
                        throughEngine(
                                scale,
                                "through the engine (against an INSERT a follower)",
                                engine,
                                readers,
                                OF_SINGLE,
                                post -> hand.deliverSingly(post, roomy.get(0))),
                        throughEngine(
                                scale,
                                "through the engine (against pages of followers and INSERT .. SELECT by hand)",
                                engine,
                                readers,
                                OF_BATCH,
                                post -> hand.fanOut(post, BATCH)),
                        byWorkers(scale, store, readers, post -> hand.deliverSingly(post, roomy.get(0))));
            }
        }
    }

    private Figure perBatch(
            Scale scale,
            String what,
            Inbox inbox,
            List<List<String>> batches,
            Target target,
            ToIntFunction<Post> byHand) {
        return figure(scale, what, target, post -> all(batches, batch -> deliver(inbox, post, batch)), byHand);
    }

    private Figure throughEngine(
            Scale scale, String what, FeedEngine engine, int readers, Target target, ToIntFunction<Post> byHand) {
        return figure(
                scale,
                what,
                target,
                post -> {
                    engine.publish(post);
                    engine.fanout().drain();
                    return readers;
                },
                byHand);
    }

    /** Four posts at a time, shared by the default number of workers. */
    private Figure byWorkers(Scale scale, JdbcFeedStore store, int readers, ToIntFunction<Post> byHand) {
        try (FeedEngine engine = FeedEngine.builder(store).build()) {
            return figure(
                    scale,
                    "through the engine, " + FeedEngineBuilder.DEFAULT_WORKERS
                            + " workers (against an INSERT a follower, one after the other)",
                    Target.NONE,
                    first -> {
                        engine.publish(first);
                        for (int more = 1; more < AT_ONCE; more++) {
                            engine.publish(nextPost());
                        }
                        while (engine.fanout().backlog().tasks() > 0) {
                            LockSupport.parkNanos(PAUSE_NANOS);
                        }
                        return AT_ONCE * readers;
                    },
                    byHand);
        }
    }

    private Figure figure(
            Scale scale, String what, Target target, ToIntFunction<Post> delivery, ToIntFunction<Post> byHand) {
        Medians medians = Rounds.of(scale)
                .medians(() -> perSecond(scale.window(), delivery), () -> perSecond(scale.window(), byHand));
        return Figure.of(name() + ": " + what, "followers/s", medians, target);
    }

    /** Delivers one post after the other for a while. */
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
        return Post.of(STAR, String.format("%018d", posts++), System.currentTimeMillis());
    }

    private static int deliver(Inbox inbox, Post post, List<String> readers) {
        List<Outcome> outcomes =
                inbox.deliver(List.of(new Delivery(post, readers, 0))).get(0);
        if (!outcomes.stream().allMatch(Outcome.ADDED::equals)) {
            throw new IllegalStateException("all inboxes must take the post, but the outcomes are " + outcomes);
        }
        return readers.size();
    }

    private static int all(List<List<String>> batches, ToIntFunction<List<String>> delivery) {
        return batches.stream().mapToInt(delivery).sum();
    }

    private static List<List<String>> batches(int first, int readers) {
        List<List<String>> batches = new ArrayList<>();
        for (int from = first; from + BATCH <= first + readers; from += BATCH) {
            batches.add(IntStream.range(from, from + BATCH)
                    .mapToObj(FollowLoad::user)
                    .toList());
        }
        return batches;
    }
}

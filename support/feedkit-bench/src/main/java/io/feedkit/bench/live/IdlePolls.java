package io.feedkit.bench.live;

import io.feedkit.Cursor;
import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.bench.Callers;
import io.feedkit.bench.Figure;
import io.feedkit.bench.HeapWatch;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Rounds;
import io.feedkit.bench.Rounds.Medians;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import io.feedkit.bench.Timing;
import io.feedkit.bench.redis.ground.BenchRedis;
import io.feedkit.redis.RedisFeedStore;
import io.feedkit.redis.RedisLiveBus;
import io.feedkit.redis.RedisServers;
import io.feedkit.testservers.Durability;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * Polls that find nothing new: of connected readers, by the processor time of the thread that polls, against readers who
 * are not connected, by the clock. Posts and inboxes are in Redis.
 */
final class IdlePolls implements Measurement {

    private static final int PART = 10_000;
    private static final int FEWEST = 20;
    private static final int PAGE = 20;
    private static final int AT_ONCE = 50;
    private static final String AUTHOR = "author";
    private static final String CONNECTED = "connected";
    private static final String OTHER = "other";
    private static final long LONGEST_WAIT = Duration.ofSeconds(30).toNanos();
    private static final Target MILLION = new Target.AtLeast(1_000_000);

    /** A reader's id, and a poll from the reader's newest post. */
    private record Poller(String reader, PageRequest newer, String cursor) {}

    private record Rates(Medians perSecond, double calls, double callsBefore) {}

    @Override
    public String name() {
        return "polls";
    }

    @Override
    public List<Figure> measure(Scale scale) {
        int readers = Math.max(FEWEST, scale.followers() / PART);
        try (BenchRedis redis = new BenchRedis(Durability.FAST);
                RedisFeedStore store = redis.store();
                RedisLiveBus bus = RedisLiveBus.create(RedisServers.at(redis.uri()))) {
            StoreCalls calls = new StoreCalls(store);
            PostSubscribers subscribers = new PostSubscribers(post -> {});
            try (FeedEngine engine =
                    FeedEngine.builder(calls).live(live -> live.bus(bus)).build()) {
                fill(engine, readers);
                List<Poller> connected = pollers(engine, CONNECTED, readers);
                List<Poller> others = pollers(engine, OTHER, readers);
                connected.forEach(each -> subscribers.add(engine, each.reader()));
                awaitConnected(engine, calls, connected);

                List<Figure> figures = new ArrayList<>();
                Polls polls = new Polls(scale, calls, connected, others);
                Rates newer = polls.rates(each -> engine.read(each.reader(), each.newer()));
                figures.add(rate("newer pages", newer, MILLION));
                figures.add(calls("newer pages", newer));
                Rates unread = polls.rates(each -> engine.unread(each.reader()));
                figures.add(rate("unread counts", unread, MILLION));
                figures.add(calls("unread counts", unread));
                Rates parsed = polls.rates(
                        each -> engine.read(each.reader(), PageRequest.newer(Cursor.parse(each.cursor()), PAGE)));
                figures.add(rate("newer pages, from the cursor's text", parsed, Target.NONE));
                subscribers.requireNoFailure();
                return figures;
            }
        }
    }

    /** Makes readers follow an author with a page of posts. */
    private static void fill(FeedEngine engine, int readers) {
        for (String kind : List.of(CONNECTED, OTHER)) {
            for (int i = 0; i < readers; i++) {
                engine.follow(kind + i, AUTHOR);
                engine.read(kind + i, PageRequest.first(1));
            }
        }
        for (int i = 0; i < PAGE; i++) {
            engine.publish(AUTHOR, "post" + i);
        }
        while (engine.fanout().backlog().tasks() > 0) {
            HeapWatch.pause(1);
        }
    }

    private static List<Poller> pollers(FeedEngine engine, String kind, int readers) {
        List<Poller> pollers = new ArrayList<>();
        for (int i = 0; i < readers; i++) {
            Cursor cursor = engine.read(kind + i, PageRequest.first(PAGE)).newer();
            pollers.add(new Poller(kind + i, PageRequest.newer(cursor, PAGE), cursor.toString()));
        }
        return pollers;
    }

    /** Waits until the engine answers each reader's second poll by itself. */
    private static void awaitConnected(FeedEngine engine, StoreCalls calls, List<Poller> connected) {
        long end = System.nanoTime() + LONGEST_WAIT;
        for (Poller each : connected) {
            boolean answered = false;
            while (!answered) {
                if (System.nanoTime() > end) {
                    throw new IllegalStateException("polls of " + each.reader() + " always ask the store");
                }
                engine.read(each.reader(), each.newer());
                long before = calls.ofThisThread();
                engine.read(each.reader(), each.newer());
                answered = calls.ofThisThread() == before;
            }
        }
    }

    /** Polls of both kinds of readers, in turns. */
    private record Polls(Scale scale, StoreCalls calls, List<Poller> connected, List<Poller> others) {

        Rates rates(Consumer<Poller> poll) {
            Callers alone = new Callers(1, scale.window());
            // The first poll of each reader in half a minute reads the feed.
            for (int i = 0; i < connected.size(); i++) {
                poll.accept(connected.get(i));
            }
            double ofConnected = callsEach(connected, poll);
            double ofOthers = callsEach(others, poll);
            Timing core = Timing.of(scale);
            SplittableRandom chance = new SplittableRandom(0);
            Medians perSecond = Rounds.of(scale)
                    .medians(
                            () -> AT_ONCE * core.perSecond(() -> some(connected, chance, poll)),
                            () -> AT_ONCE * alone.perSecond(other -> some(others, other, poll)));
            return new Rates(perSecond, ofConnected, ofOthers);
        }

        private static int some(List<Poller> readers, SplittableRandom chance, Consumer<Poller> poll) {
            int reader = 0;
            for (int i = 0; i < AT_ONCE; i++) {
                reader = chance.nextInt(readers.size());
                poll.accept(readers.get(reader));
            }
            return reader;
        }

        /** The calls to the store of a poll, on average. */
        private double callsEach(List<Poller> readers, Consumer<Poller> poll) {
            long before = calls.ofThisThread();
            for (int i = 0; i < readers.size(); i++) {
                poll.accept(readers.get(i));
            }
            return (double) (calls.ofThisThread() - before) / readers.size();
        }
    }

    private Figure rate(String what, Rates rates, Target target) {
        return Figure.of(
                name() + ": " + what + " with nothing new (against readers who are not connected)",
                "calls/s",
                rates.perSecond(),
                target);
    }

    private Figure calls(String what, Rates rates) {
        return new Figure(
                name() + ": store calls of " + what + " with nothing new (against readers who are not connected)",
                "calls",
                rates.calls(),
                rates.callsBefore(),
                new Target.AtMost(0));
    }
}

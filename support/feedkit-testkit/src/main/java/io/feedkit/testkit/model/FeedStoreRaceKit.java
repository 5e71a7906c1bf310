package io.feedkit.testkit.model;

import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.queue.FanoutQueue;
import io.feedkit.queue.QueuedFanout;
import io.feedkit.spi.FeedStore;
import io.feedkit.testkit.Exhaustive;
import io.feedkit.testkit.SettableClock;
import io.feedkit.testkit.oracle.OracleFeed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Real threads on two engines with their own fan-out workers. Some threads publish and delete; some follow, unfollow
 * and read; one rebuilds, refreshes, evicts and changes policies. When they have stopped and all tasks are done, every
 * feed must equal the {@linkplain OracleFeed oracle}'s. Meanwhile no page may be out of order, or show an author whom
 * its reader had unfollowed before. No page with content may show a post that was deleted before.
 *
 * <p>A failure names the seed of the threads' random numbers. The interleaving of the threads is not repeatable.
 * {@code -Dfeedkit.race.rounds=1000} runs more rounds.
 *
 * @since 0.1.0
 */
@Tag("concurrency")
public abstract class FeedStoreRaceKit {

    private static final int WRITERS = 2;
    private static final int READERS = 3;
    private static final Duration LATER = Duration.ofMinutes(1);
    private static final int MOST_DRAINS = 200;

    /** The time of a loan. Drains wait this long for tasks whose messages were lost. */
    private static final Duration LOAN = Duration.ofSeconds(1);

    /** For leaf tests. */
    protected FeedStoreRaceKit() {}

    /**
     * Creates an empty store. It is called for every round.
     *
     * @param clock the clock that the store is to measure leases and live windows by
     * @return an empty store with a writable follow graph
     */
    protected abstract FeedStore emptyStore(SettableClock clock);

    /**
     * Creates the queue through which tasks reach the workers of both engines. It is called for every round.
     *
     * @return none, unless overridden
     */
    protected Optional<FanoutQueue> emptyQueue() {
        return Optional.empty();
    }

    /**
     * How many times the threads race.
     *
     * @return the system property {@code feedkit.race.rounds}, or 10
     */
    protected int rounds() {
        return Integer.getInteger("feedkit.race.rounds", 10);
    }

    /**
     * How many further times the threads race in the {@link Exhaustive} test.
     *
     * @return the system property {@code feedkit.race.moreRounds}, or 40
     */
    protected int moreRounds() {
        return Integer.getInteger("feedkit.race.moreRounds", 40);
    }

    /**
     * How many operations each thread does in a round.
     *
     * @return the system property {@code feedkit.race.operations}, or 150
     */
    protected int operations() {
        return Integer.getInteger("feedkit.race.operations", 150);
    }

    /** Sets further settings of the engines of a round. It is called for every round. */
    UnaryOperator<FeedEngineBuilder> with(SettableClock clock) {
        return UnaryOperator.identity();
    }

    @Test
    @DisplayName("After concurrent operations, every feed equals the oracle's at the end")
    void everyFeedIsTheOraclesInTheEnd() throws InterruptedException {
        raceAll(1, rounds());
    }

    @Exhaustive
    @Test
    @DisplayName("After concurrent operations, every feed equals the oracle's at the end, in more rounds")
    void everyFeedIsTheOraclesInTheEndOfMoreRounds() throws InterruptedException {
        raceAll(1 + rounds(), moreRounds());
    }

    private void raceAll(long first, int count) throws InterruptedException {
        for (long seed = first; seed < first + count; seed++) {
            try {
                race(seed);
            } catch (ExecutionException | RuntimeException | AssertionError failure) {
                throw new AssertionError("the race with seed " + seed + " failed", failure);
            }
        }
    }

    private void race(long seed) throws InterruptedException, ExecutionException {
        SettableClock clock = SettableClock.startingAt(FeedStoreModelKit.START);
        ModelSettings settings = ModelSettings.PLAIN;
        FeedStore store = emptyStore(clock);
        Optional<FanoutQueue> queue = emptyQueue();
        Host host = new Host();
        UnaryOperator<FeedEngineBuilder> more = with(clock);
        try (FeedEngine one = engine("one", store, queue, clock, settings, more);
                FeedEngine two = engine("two", store, queue, clock, settings, more)) {
            RaceTruth truth = new RaceTruth();
            List<FeedEngine> engines = List.of(one, two);
            runAll(threads(seed, engines, store, clock, settings, truth));
            settle(engines, store, clock, settings);
            OracleFeed oracle = truth.oracle();
            FeedCheck feeds = new FeedCheck(oracle, host, settings);
            InboxCheck inboxes = new InboxCheck(oracle, store, settings);
            for (String reader : Users.ALL) {
                engines.forEach(engine -> feeds.check(engine, reader));
                inboxes.check(reader);
            }
        } finally {
            queue.ifPresent(FanoutQueue::close);
        }
    }

    private List<Runnable> threads(
            long seed,
            List<FeedEngine> engines,
            FeedStore store,
            SettableClock clock,
            ModelSettings settings,
            RaceTruth truth) {
        List<Runnable> threads = new ArrayList<>();
        for (int i = 0; i < WRITERS + READERS; i++) {
            Random random = new Random(seed * 31 + i);
            RaceThread thread = new RaceThread(engines, clock, random, truth, operations());
            int part = i - WRITERS;
            if (i < WRITERS) {
                threads.add(thread::write);
            } else {
                List<String> own = new ArrayList<>();
                for (int user = part; user < Users.ALL.size(); user += READERS) {
                    own.add(Users.ALL.get(user));
                }
                threads.add(() -> thread.followAndRead(own));
            }
        }
        RaceThread disturber = new RaceThread(engines, clock, new Random(seed), truth, operations() / 3);
        threads.add(() -> disturber.disturb(store, settings));
        return threads;
    }

    private static FeedEngine engine(
            String name,
            FeedStore store,
            Optional<FanoutQueue> queue,
            SettableClock clock,
            ModelSettings settings,
            UnaryOperator<FeedEngineBuilder> more) {
        FeedEngineBuilder builder = more.apply(settings.apply(FeedEngine.builder(store)))
                .name(name)
                .clock(clock)
                .workers(2)
                .fanout(fanout -> fanout.pollInterval(Duration.ofMillis(5)));
        queue.ifPresent(each -> builder.fanoutQueue(QueuedFanout.over(each).loan(LOAN)));
        return builder.build();
    }

    private static void runAll(List<Runnable> threads) throws InterruptedException, ExecutionException {
        ExecutorService executor = Executors.newFixedThreadPool(threads.size());
        try {
            List<Future<?>> running = new ArrayList<>();
            for (Runnable thread : threads) {
                running.add(executor.submit(thread));
            }
            for (Future<?> thread : running) {
                thread.get();
            }
        } finally {
            executor.shutdownNow();
        }
    }

    private static void settle(List<FeedEngine> engines, FeedStore store, SettableClock clock, ModelSettings settings) {
        int drains = 0;
        do {
            if (++drains > MOST_DRAINS) {
                throw new AssertionError("the backlog is not empty after all drains");
            }
            clock.advance(LATER);
            engines.forEach(engine -> engine.fanout().drain());
        } while (store.outbox().fanout().queueStatus().unfinished() > 0);
        clock.advance(settings.staleness());
    }
}

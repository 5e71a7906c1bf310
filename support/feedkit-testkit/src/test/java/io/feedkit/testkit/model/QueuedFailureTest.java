package io.feedkit.testkit.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.memory.InMemoryFanoutQueue;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.queue.FanoutQueue;
import io.feedkit.queue.QueuedFanout;
import io.feedkit.spi.FeedStore;
import io.feedkit.testkit.Exhaustive;
import io.feedkit.testkit.SettableClock;
import io.feedkit.testkit.fault.Fault;
import io.feedkit.testkit.fault.FaultyFeedStore;
import io.feedkit.testkit.fault.ProcessCrash;
import io.feedkit.testkit.fault.StoreCall;
import io.feedkit.testkit.oracle.OracleFeed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;

/**
 * A publisher, a relay and a worker in engines of their own, with real threads, and a failure or the death of a process
 * at every call of the relay and the worker to the store, and at their calls to the queue. In the end every feed is the
 * oracle's.
 */
@DisplayName("Fan-out through a queue, with a failure at each call")
class QueuedFailureTest {

    private static final ModelSettings SETTINGS = ModelSettings.PLAIN.withSplitThreshold(6);
    private static final int FOLLOWERS = 9;
    private static final int STRIDE = 3;

    /** How many calls of each kind fail in turn: how often an idle engine looks for tasks depends on the machine. */
    private static final int MOST_CALLS = 4;

    private static final Duration STUCK = Duration.ofSeconds(20);
    private static final Duration TIME_LAPSE = Duration.ofSeconds(2);

    /** Calls with which engines start. An engine whose source of truth does not answer does not start. */
    private static final Set<String> AT_START = Set.of("source.boundary", "outbox.identity", "inbox.claim");

    /** A failure of one process: at the store, or at the queue. */
    private record Case(Role role, String operation, int number, Fault fault, FaultyQueue.Failure queueFailure) {}

    private enum Role {
        RELAY,
        WORKER
    }

    @Test
    @Timeout(120)
    @DisplayName("delivers every post once, and no deleted one, with a failure at some calls")
    void someCalls(TestReporter reporter) {
        run(STRIDE, reporter);
    }

    @Exhaustive
    @Test
    @Timeout(600)
    @DisplayName("delivers every post once, and no deleted one, with a failure at every call")
    void everyCall(TestReporter reporter) {
        run(1, reporter);
    }

    private static void run(int stride, TestReporter reporter) {
        List<Case> cases = cases();
        int failed = 0;
        int runs = 0;
        for (int i = 0; i < cases.size(); i += stride) {
            try (Run run = new Run(cases.get(i))) {
                run.run();
                failed += run.hasFailed() ? 1 : 0;
                runs++;
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("with " + cases.get(i) + ": " + e.getMessage(), e);
            }
        }
        reporter.publishEntry("runs", runs + ", of which " + failed + " met their failure");
        assertThat(failed).as("cases of %s in which the failure was met", runs).isGreaterThan(runs / 2);
    }

    /** Runs without a failure, to see which calls there are. */
    private static List<Case> cases() {
        List<Case> cases = new ArrayList<>();
        for (Role role : Role.values()) {
            Queue<StoreCall> calls = new ConcurrentLinkedQueue<>();
            try (Run run = new Run(new Case(role, "", 0, Fault.FAIL_BEFORE, FaultyQueue.Failure.NONE))) {
                run.onCall(call -> !AT_START.contains(call.operation()), calls);
                run.run();
            }
            Map<String, Integer> numbers = new HashMap<>();
            for (StoreCall call : calls) {
                int number = numbers.merge(call.operation(), 1, Integer::sum);
                for (Fault fault : number > MOST_CALLS ? List.<Fault>of() : faults(call)) {
                    cases.add(new Case(role, call.operation(), number, fault, FaultyQueue.Failure.NONE));
                }
            }
        }
        for (FaultyQueue.Failure failure : FaultyQueue.Failure.values()) {
            Role role = failure.name().startsWith("SEND") ? Role.RELAY : Role.WORKER;
            for (int number = 1; number <= 3 && failure != FaultyQueue.Failure.NONE; number++) {
                cases.add(new Case(role, "", number, Fault.FAIL_BEFORE, failure));
            }
        }
        return cases;
    }

    private static List<Fault> faults(StoreCall call) {
        List<Fault> faults = new ArrayList<>(List.of(Fault.FAIL_BEFORE, Fault.CRASH_BEFORE));
        if (call.isEffect()) {
            faults.addAll(List.of(Fault.FAIL_AFTER, Fault.CRASH_AFTER));
        }
        if (call.isEffect() && call.size() > 1) {
            faults.addAll(List.of(Fault.FAIL_PARTLY, Fault.CRASH_PARTLY));
        }
        return faults;
    }

    /** One fan-out of some posts through three processes, of which one fails once. */
    private static final class Run implements AutoCloseable {

        private final SettableClock clock = SettableClock.startingAt(FeedStoreModelKit.START);
        private final FeedStore shared = InMemoryFeedStore.create(clock);
        private final InMemoryFanoutQueue queue = InMemoryFanoutQueue.create();
        private final OracleFeed oracle = new OracleFeed(false);
        private final FeedEngine publisher;
        private final Case failure;
        private final FaultyFeedStore faulty = FaultyFeedStore.around(shared);
        private final FaultyQueue faultyQueue;
        private final Map<Role, FeedEngine> processes = new EnumMap<>(Role.class);

        Run(Case failure) {
            this.failure = failure;
            this.faultyQueue = new FaultyQueue(queue, failure.queueFailure(), failure.number());
            this.publisher = SETTINGS.apply(FeedEngine.builder(shared))
                    .clock(clock)
                    .workers(0)
                    .build();
            AtomicInteger left = new AtomicInteger(failure.number());
            Predicate<StoreCall> when =
                    call -> call.operation().equals(failure.operation()) && left.decrementAndGet() == 0;
            if (failure.fault().isPartly()) {
                faulty.failAfterKeys(when, failure.fault(), 1);
            } else {
                faulty.fail(when, failure.fault());
            }
        }

        void onCall(Predicate<StoreCall> when, Queue<StoreCall> calls) {
            faulty.onCall(when, calls::add);
        }

        boolean hasFailed() {
            return failure.queueFailure() == FaultyQueue.Failure.NONE ? faulty.faults() > 0 : faultyQueue.hasFailed();
        }

        void run() {
            for (int i = 0; i < FOLLOWERS; i++) {
                follow(reader(i), "bob");
                follow(reader(i), i < 3 ? "cat" : "dan");
            }
            for (Role role : Role.values()) {
                boolean fails = role == failure.role();
                processes.put(role, start(role, fails ? faulty : shared, fails ? faultyQueue : queue));
            }
            publish("bob", "p1");
            publish("cat", "p2");
            publish("dan", "p3");
            publish("cat", "p4");
            publisher.delete("cat", "p2");
            oracle.delete(Post.of("cat", "p2", 0).key());
            publish("bob", "p5");
            settle();
            check();
        }

        private static String reader(int number) {
            return "reader" + number;
        }

        private void follow(String reader, String author) {
            publisher.follow(reader, author);
            publisher.read(reader, PageRequest.first(1));
            oracle.follow(reader, author);
        }

        private void publish(String author, String id) {
            clock.advance(Duration.ofMillis(1));
            oracle.publish(publisher.publish(author, id).post());
        }

        private FeedEngine start(Role role, FeedStore store, FanoutQueue queue) {
            return SETTINGS.apply(FeedEngine.builder(store))
                    .name(role.name())
                    .clock(clock)
                    .workers(role == Role.RELAY ? 0 : 2)
                    .fanout(fanout -> fanout.pollInterval(Duration.ofMillis(5)))
                    .fanoutQueue(
                            QueuedFanout.over(queue).relay(role == Role.RELAY).loan(Duration.ofSeconds(1)))
                    .build();
        }

        /** Replaces a process that has died, and lets time pass, until no task is left. */
        private void settle() {
            long begin = System.nanoTime();
            boolean replaced = false;
            for (int i = 1; shared.outbox().fanout().queueStatus().unfinished() > 0; i++) {
                assertThat(System.nanoTime() - begin)
                        .as("time to work off %s", shared.outbox().fanout().queueStatus())
                        .isLessThan(STUCK.toNanos());
                LockSupport.parkNanos(1_000_000);
                if (faulty.isDead() && !replaced) {
                    replaced = true;
                    Optional.ofNullable(processes.remove(failure.role())).ifPresent(Run::close);
                    processes.put(failure.role(), start(failure.role(), shared, queue));
                }
                if (i % 20 == 0) {
                    clock.advance(TIME_LAPSE);
                }
            }
        }

        private void check() {
            FeedCheck feeds = new FeedCheck(oracle, new Host(), SETTINGS);
            InboxCheck inboxes = new InboxCheck(oracle, shared, SETTINGS);
            for (int i = 0; i < FOLLOWERS; i++) {
                feeds.check(publisher, reader(i));
                inboxes.check(reader(i));
            }
            assertThat(publisher.fanout().backlog().deadLetters())
                    .as("dead letters")
                    .isZero();
        }

        /** What a dead process would do at its end fails. */
        private static void close(FeedEngine engine) {
            try {
                engine.close();
            } catch (ProcessCrash e) {
                assertThat(e).isNotNull();
            }
        }

        @Override
        public void close() {
            processes.values().forEach(Run::close);
            publisher.close();
            queue.close();
        }
    }
}

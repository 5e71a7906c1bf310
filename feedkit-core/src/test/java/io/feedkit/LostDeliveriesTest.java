package io.feedkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.feedkit.event.DeliveryLossSuspected;
import io.feedkit.event.FeedListener;
import io.feedkit.event.InboxRefreshed;
import io.feedkit.event.PostDelivered;
import io.feedkit.fanout.Backlog;
import io.feedkit.fanout.TaskKind;
import io.feedkit.internal.inbox.loss.DeliveryLossRecovery;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Retraction;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Order;
import io.feedkit.spi.PositionRange;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("When an inbox store notices that it may have lost deliveries")
class LostDeliveriesTest {

    private static final InboxLimits LIMITS = new InboxLimits(1000, 1000);
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration NOTICED = Duration.ofMillis(Inbox.LOSS_NOTICED_WITHIN_MILLIS);

    private final ManualClock clock = new ManualClock();
    private final InMemoryFeedStore memory = InMemoryFeedStore.create(clock);
    private final AtomicLong deliveriesSafeSince = new AtomicLong();
    private final AtomicLong oldEpoch = new AtomicLong();
    private final ProbedStore store =
            new ProbedStore(FeedStore.of(memory.outbox(), this::inbox, memory.graph(), memory.seenMarks()));
    private final Ear ear = new Ear();
    private final FeedEngine engine = builder()
            .name("detector")
            .workers(0)
            .fanout(fanout -> fanout.batchSize(1))
            .build();
    private final LogCapture log = LogCapture.of(DeliveryLossRecovery.class);
    private final List<Backlog> backlogs = new CopyOnWriteArrayList<>();

    private static final class Ear implements FeedListener {
        private final List<DeliveryLossSuspected> suspectedLosses = new CopyOnWriteArrayList<>();
        private final List<InboxRefreshed> refreshed = new CopyOnWriteArrayList<>();
        private final List<PostDelivered> delivered = new CopyOnWriteArrayList<>();

        @Override
        public void deliveryLossSuspected(DeliveryLossSuspected event) {
            suspectedLosses.add(event);
        }

        @Override
        public void refreshed(InboxRefreshed event) {
            refreshed.add(event);
        }

        @Override
        public void delivered(PostDelivered event) {
            delivered.add(event);
        }

        int healedByReplay() {
            return delivered.stream()
                    .filter(PostDelivered::afterSuspectedLoss)
                    .mapToInt(event -> event.readers().size())
                    .sum();
        }

        int healedByReading() {
            return refreshed.stream()
                    .filter(InboxRefreshed::afterSuspectedLoss)
                    .mapToInt(InboxRefreshed::added)
                    .sum();
        }
    }

    private FeedEngineBuilder builder() {
        return FeedEngine.builder(store).clock(clock).listener(ear);
    }

    /** The inboxes in memory, which answer the time that a test sets. */
    private Inbox inbox(InboxLimits limits) {
        Inbox target = memory.inbox(limits);
        return (Inbox) Proxy.newProxyInstance(
                Inbox.class.getClassLoader(), new Class<?>[] {Inbox.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("deliveriesSafeSince")) {
                        return deliveriesSafeSince.get();
                    }
                    try {
                        if (method.getName().equals("slice") && oldEpoch.get() != 0) {
                            return target.slice(castQueries(arguments[0])).stream()
                                    .map(this::atOldEpoch)
                                    .toList();
                        }
                        return method.invoke(target, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @SuppressWarnings("unchecked") // of the interface's method
    private static List<SliceQuery> castQueries(Object argument) {
        return (List<SliceQuery>) argument;
    }

    private Slice atOldEpoch(Slice slice) {
        return new Slice(
                slice.state(),
                slice.posts(),
                slice.floor(),
                slice.generation(),
                slice.mark(),
                slice.followees(),
                oldEpoch.get(),
                slice.pending());
    }

    @BeforeEach
    void follow() {
        for (String reader : List.of("ann", "zoe")) {
            engine.follow(reader, "bob");
            assertThat(feed(reader)).isEmpty();
        }
        clock.advance(PAUSE);
    }

    @AfterEach
    void close() {
        log.close();
        engine.close();
    }

    private List<String> feed(String reader) {
        return engine.read(reader, PageRequest.first(10)).items().stream()
                .map(Post::id)
                .toList();
    }

    private Post publish(String id) {
        Post post = engine.publish("bob", id).post();
        clock.advance(Duration.ofMillis(1));
        return post;
    }

    private void lose(String reader, Post... posts) {
        memory.inbox(LIMITS)
                .retract(List.of(posts).stream()
                        .map(post -> new Retraction(post, List.of(reader)))
                        .toList());
    }

    private void notice() {
        clock.advance(PAUSE);
        deliveriesSafeSince.set(clock.millis());
    }

    /** Lets the engine notice, wait until all others should have noticed, and do what has to be done. */
    private void heal() {
        engine.fanout().drain();
        clock.advance(NOTICED);
        engine.fanout().drain();
    }

    @Nested
    @DisplayName("finished tasks of the replay horizon")
    class Finished {

        @Test
        @DisplayName("are done again, once, and the host is told how many, and what was lost")
        void replayed() {
            Post p1 = publish("p1");
            Post p2 = publish("p2");
            engine.fanout().drain();
            lose("ann", p1, p2);
            lose("zoe", p2);
            notice();
            Instant lost = clock.instant();
            heal();
            assertThat(ear.suspectedLosses).containsExactly(DeliveryLossSuspected.of(lost, 2));
            assertThat(log.messages(Level.WARN))
                    .containsExactly("detector: the inboxes may have lost deliveries made before " + lost
                            + "; restarting 2 finished tasks and all unfinished tasks");
            assertThat(ear.healedByReplay()).isEqualTo(3);
            assertThat(feed("ann")).containsExactly("p2", "p1");
            assertThat(feed("zoe")).containsExactly("p2", "p1");
            assertThat(ear.healedByReading()).isZero();

            clock.advance(PAUSE);
            publish("p3");
            engine.fanout().drain();
            assertThat(ear.suspectedLosses).hasSize(1);
            assertThat(store.calls("FanoutLog.restart")).isEqualTo(1);
            assertThat(ear.healedByReplay()).isEqualTo(3);
        }

        @Test
        @DisplayName("are done again in time, however often others notice before a worker looks")
        void othersNoticeFirst() {
            publish("p1");
            engine.fanout().drain();
            notice();
            engine.fanout().drain();
            for (int second = 0; second < 4; second++) {
                clock.advance(PAUSE);
                // A first page looks for losses, too, and leaves the tasks to workers.
                feed("ann");
                engine.fanout().drain();
            }
            assertThat(store.calls("FanoutLog.restart")).isPositive();
        }

        @Test
        @DisplayName("are due, then deferred if the store is down again, and do not age the backlog")
        void backlog() {
            publish("p1");
            publish("p2");
            engine.fanout().drain();
            notice();
            store.after("FanoutLog.restart", () -> backlogs.add(engine.fanout().backlog()));
            store.fail("Inbox.deliver");
            heal();
            backlogs.add(engine.fanout().backlog());
            Map<TaskKind, Long> pushes = Map.of(TaskKind.PUSH, 2L);
            assertThat(backlogs)
                    .containsExactly(
                            Backlog.builder().due(2).byKind(pushes).build(),
                            Backlog.builder().deferred(2).byKind(pushes).build());
        }

        @Test
        @DisplayName("are done again by a worker that has nothing else to do")
        void idleWorker() {
            Post p1 = publish("p1");
            engine.fanout().drain();
            try (FeedEngine worker = builder()
                    .workers(1)
                    .fanout(fanout -> fanout.pollInterval(Duration.ofMillis(10)))
                    .build()) {
                await().until(() -> store.calls("Inbox.deliveriesSafeSince") > 1);
                lose("ann", p1);
                notice();
                int asked = store.calls("Inbox.deliveriesSafeSince");
                await().until(() -> store.calls("Inbox.deliveriesSafeSince") > asked);
                clock.advance(NOTICED);
                await().until(() ->
                        ear.healedByReplay() == 1 && worker.fanout().backlog().tasks() == 0);
            }
            assertThat(feed("ann")).containsExactly("p1");
        }

        @Test
        @DisplayName("are done again later if that fails")
        void retried() {
            Post p1 = publish("p1");
            engine.fanout().drain();
            lose("ann", p1);
            notice();
            store.fail("FanoutLog.restart");
            heal();
            assertThat(ear.suspectedLosses).isEmpty();
            store.heal();
            clock.advance(PAUSE);
            engine.fanout().drain();
            assertThat(ear.suspectedLosses).hasSize(1);
            assertThat(ear.healedByReplay()).isEqualTo(1);
        }

        @Test
        @DisplayName("are done again only when all engines should have noticed")
        void later() {
            publish("p1");
            engine.fanout().drain();
            notice();
            engine.fanout().drain();
            clock.advance(NOTICED.minusMillis(1));
            engine.fanout().drain();
            assertThat(store.calls("FanoutLog.restart")).isZero();
            clock.advance(PAUSE);
            engine.fanout().drain();
            assertThat(store.calls("FanoutLog.restart")).isEqualTo(1);
        }

        @Test
        @DisplayName("are done again once, however many engines notice, and nobody's lease is lost to a later one")
        void once() {
            publish("p1");
            engine.fanout().drain();
            try (FeedEngine other = builder().workers(0).build()) {
                other.fanout().drain();
                notice();
                other.fanout().drain();
                heal();
                publish("p2");
                Claim fresh = memory.outbox().fanout().claim(1, 60_000).get(0);
                other.fanout().drain();
                assertThat(store.calls("FanoutLog.restart")).isEqualTo(2);
                assertThat(ear.suspectedLosses)
                        .extracting(DeliveryLossSuspected::replayed)
                        .containsExactly(1, 0);
                assertThat(log.messages(Level.WARN)).hasSize(1);
                assertThat(memory.outbox().fanout().finish(List.of(fresh), 0)).containsExactly(true);
            }
        }

        @Test
        @DisplayName("are done again by an engine that starts later, if the one that noticed was closed")
        void startedLater() {
            Post p1 = publish("p1");
            engine.fanout().drain();
            lose("ann", p1);
            notice();
            engine.fanout().drain();
            engine.close();
            try (FeedEngine next = builder().workers(0).build()) {
                next.fanout().drain();
                clock.advance(NOTICED);
                next.fanout().drain();
                assertThat(ear.healedByReplay()).isEqualTo(1);
                assertThat(next.read("ann", PageRequest.first(10)).items()).containsExactly(p1);
            }
            try (FeedEngine last = builder().workers(0).build()) {
                last.fanout().drain();
                clock.advance(NOTICED);
                last.fanout().drain();
                assertThat(ear.suspectedLosses).as("the old loss is no news").hasSize(1);
            }
        }

        @Test
        @DisplayName("are done again also if a worker was just finishing them: it has lost its lease")
        void justBeingFinished() {
            Post p1 = publish("p1");
            store.after("Inbox.deliver", () -> {
                store.heal();
                lose("ann", p1);
                notice();
                CompletableFuture.runAsync(LostDeliveriesTest.this::heal).join();
            });
            engine.fanout().drain();
            assertThat(ear.suspectedLosses)
                    .extracting(DeliveryLossSuspected::replayed)
                    .containsExactly(0);
            assertThat(ear.healedByReplay()).isEqualTo(3);
            assertThat(feed("ann")).containsExactly("p1");
            assertThat(feed("zoe")).containsExactly("p1");
        }
    }

    @Nested
    @DisplayName("unfinished tasks")
    class Unfinished {

        private Post post;

        /** Delivers to one of two readers, and loses that. */
        @BeforeEach
        void halfDone() {
            post = publish("p1");
            store.before("Inbox.deliver", "zoe", () -> {
                throw new StoreUnavailableException("deliver", null);
            });
            engine.fanout().drain();
            assertThat(memory.outbox().fanout().queueStatus().unfinished()).isEqualTo(1);
            lose("ann", post);
        }

        @Test
        @DisplayName("begin again, once")
        void beginAgain() {
            notice();
            heal();
            assertThat(ear.delivered)
                    .hasSize(2)
                    .allMatch(event -> event.readers().equals(List.of("ann")));
            for (int i = 0; i < 5; i++) {
                clock.advance(Duration.ofMinutes(1));
                engine.fanout().drain();
            }
            assertThat(ear.delivered).hasSize(2);
            store.heal();
            clock.advance(Duration.ofMinutes(10));
            engine.fanout().drain();
            assertThat(feed("ann")).containsExactly("p1");
            assertThat(feed("zoe")).containsExactly("p1");
            assertThat(ear.healedByReplay()).isEqualTo(2);
        }

        @Test
        @DisplayName("begin again also if they fail at once")
        void failAtOnce() {
            store.before("Inbox.deliver", () -> {
                throw new IllegalStateException("once more");
            });
            notice();
            heal();
            store.heal();
            clock.advance(Duration.ofMinutes(1));
            engine.fanout().drain();
            assertThat(ear.healedByReplay()).isEqualTo(2);
        }

        @Test
        @DisplayName("keep no inbox from being refreshed, and none is refreshed at every read because of them")
        void holdMarksBack() {
            notice();
            heal();
            for (int i = 0; i < 3; i++) {
                clock.advance(PAUSE);
                feed("ann");
            }
            assertThat(ear.refreshed).hasSize(1);
        }

        @Test
        @DisplayName("go on where they were as long as nothing is noticed")
        void goOn() {
            store.heal();
            clock.advance(Duration.ofMinutes(1));
            engine.fanout().drain();
            assertThat(feed("ann")).isEmpty();
            assertThat(feed("zoe")).containsExactly("p1");
        }
    }

    @Nested
    @DisplayName("an inbox that lost what is older than the replay horizon")
    class Older {

        private Post post;
        private long marked;

        @BeforeEach
        void outlive() {
            marked = clock.millis();
            post = publish("p1");
            engine.fanout().drain();
            clock.advance(FeedEngineBuilder.DEFAULT_REPLAY_HORIZON.plus(PAUSE));
            lose("ann", post);
        }

        @Test
        @DisplayName("is whole at its next read, once, and the host is told what was lost")
        void refreshed() {
            assertThat(feed("ann")).isEmpty();
            notice();
            heal();
            assertThat(ear.suspectedLosses)
                    .extracting(DeliveryLossSuspected::replayed)
                    .containsExactly(0);
            assertThat(feed("ann")).containsExactly("p1");
            assertThat(feed("zoe")).containsExactly("p1");
            assertThat(ear.refreshed)
                    .containsExactly(
                            InboxRefreshed.builder("ann")
                                    .added(1)
                                    .afterSuspectedLoss(true)
                                    .build(),
                            InboxRefreshed.builder("zoe")
                                    .afterSuspectedLoss(true)
                                    .build());
            clock.advance(PAUSE);
            feed("ann");
            assertThat(ear.refreshed).hasSize(2);
        }

        @Test
        @DisplayName("is whole at its next read also on an engine without workers, which leaves the tasks to others")
        void withoutWorkers() {
            notice();
            assertThat(feed("ann")).containsExactly("p1");
            assertThat(store.calls("FanoutLog.restart")).isZero();
        }

        @Test
        @DisplayName("is whole at its next read also if the inbox store's clock is half a minute behind")
        void skewed() {
            clock.advance(PAUSE);
            deliveriesSafeSince.set(marked - Duration.ofSeconds(30).toMillis());
            assertThat(feed("ann")).containsExactly("p1");
        }

        @Test
        @DisplayName("is whole also where it lost posts of authors who have been silent since, or a retraction")
        void otherLosses() {
            engine.follow("ann", "old");
            engine.publish("old", "o1");
            Post gone = engine.publish("old", "o2").post();
            engine.fanout().drain();
            assertThat(feed("ann")).hasSize(2);
            clock.advance(FeedEngineBuilder.DEFAULT_RECONCILE_INTERVAL);
            feed("ann");
            lose("ann", post);
            engine.delete("old", "o2");
            clock.advance(FeedEngineBuilder.DEFAULT_LEASE);
            engine.fanout().drain();
            clock.advance(FeedEngineBuilder.DEFAULT_LEASE.plus(FeedEngineBuilder.DEFAULT_REPLAY_HORIZON));
            engine.fanout().drain();
            memory.inbox(LIMITS).deliver(List.of(new Inbox.Delivery(gone, List.of("ann"), 0)));
            assertThat(feed("ann")).containsExactly("o2", "o1");
            notice();
            heal();
            assertThat(feed("ann")).containsExactly("o1", "p1");
        }

        @Test
        @DisplayName(
                "is whole some seconds later, if it cannot be refreshed at the next read, which is served all the same")
        void retried() {
            notice();
            heal();
            clock.advance(PAUSE);
            store.fail("Outbox.page");
            assertThat(feed("ann")).isEmpty();
            store.heal();
            assertThat(feed("ann")).isEmpty();
            clock.advance(Duration.ofSeconds(5));
            assertThat(feed("ann")).containsExactly("p1");
            assertThat(ear.healedByReading()).isEqualTo(1);
        }
    }

    @Nested
    @DisplayName("a post that a worker was delivering, and that the outbox lost,")
    class OnItsWay {

        private void arrive(String reader) {
            Post lost = new Post("bob", "lost", clock.instant());
            memory.inbox(LIMITS).deliver(List.of(new Inbox.Delivery(lost, List.of(reader), 0)));
        }

        @Test
        @DisplayName("is found by a read a lease later, and the inbox is not refreshed again")
        void refreshedBefore() {
            notice();
            engine.fanout().drain();
            assertThat(feed("ann")).isEmpty();
            arrive("ann");
            clock.advance(FeedEngineBuilder.DEFAULT_LEASE.minusMillis(1));
            assertThat(feed("ann")).containsExactly("lost");
            clock.advance(Duration.ofMillis(1));
            assertThat(feed("ann")).isEmpty();
            assertThat(ear.refreshed)
                    .containsExactly(
                            InboxRefreshed.builder("ann")
                                    .afterSuspectedLoss(true)
                                    .build(),
                            InboxRefreshed.builder("ann")
                                    .removed(1)
                                    .afterSuspectedLoss(true)
                                    .build());
            clock.advance(FeedEngineBuilder.DEFAULT_LEASE);
            feed("ann");
            assertThat(ear.refreshed).hasSize(2);
        }

        @Test
        @DisplayName("is found also where leases are long, in an inbox refreshed or built after more than a minute")
        void longLease() {
            Duration lease = Duration.ofMinutes(5);
            try (FeedEngine patient = builder()
                    .name("patient")
                    .workers(0)
                    .fanout(fanout -> fanout.lease(lease))
                    .build()) {
                patient.fanout().drain();
                notice();
                patient.fanout().drain();
                clock.advance(lease.minusSeconds(1));
                memory.inbox(LIMITS).drop(List.of("zoe"));
                for (String reader : List.of("ann", "zoe")) {
                    // One that is built is refreshed at the read after.
                    for (int i = 0; i < 2; i++) {
                        assertThat(patient.read(reader, PageRequest.first(10)).items())
                                .isEmpty();
                    }
                    arrive(reader);
                    assertThat(patient.read(reader, PageRequest.first(10)).items())
                            .hasSize(1);
                }
                clock.advance(Duration.ofSeconds(1));
                for (String reader : List.of("ann", "zoe")) {
                    assertThat(patient.read(reader, PageRequest.first(10)).items())
                            .isEmpty();
                    assertThat(ear.refreshed)
                            .contains(InboxRefreshed.builder(reader)
                                    .removed(1)
                                    .afterSuspectedLoss(true)
                                    .build());
                }
            }
        }
    }

    @Test
    @DisplayName("a follow is seen although its epoch was lost, and an earlier one is back")
    void lostEpoch() {
        SliceQuery query = new SliceQuery("ann", PositionRange.ALL, Order.NEWEST_FIRST, 1, false);
        long before = memory.inbox(LIMITS).slice(List.of(query)).get(0).epoch();
        engine.follow("ann", "eve");
        engine.publish("eve", "e1");
        engine.fanout().drain();
        oldEpoch.set(before);
        assertThat(feed("ann")).isEmpty();
        notice();
        engine.fanout().drain();
        assertThat(feed("ann")).containsExactly("e1");
    }

    @Test
    @DisplayName("nothing is done while the time stays, and it is asked for once a second at most")
    void stays() {
        engine.fanout().drain();
        int asked = store.calls("Inbox.deliveriesSafeSince");
        for (int i = 0; i < 20; i++) {
            engine.fanout().drain();
            clock.advance(PAUSE.dividedBy(10));
        }
        feed("ann");
        // Two seconds have passed: a drain asked, and then the reader of an engine without workers.
        assertThat(store.calls("Inbox.deliveriesSafeSince") - asked).isEqualTo(2);
        assertThat(store.calls("FanoutLog.restart")).isZero();
        assertThat(ear.refreshed).isEmpty();
        assertThat(ear.suspectedLosses).isEmpty();
    }

    @Test
    @DisplayName("a store that cannot be asked is asked again, and holds up nothing")
    void cannotBeAsked() {
        Post p1 = publish("p1");
        store.fail("Inbox.deliveriesSafeSince");
        notice();
        engine.fanout().drain();
        assertThat(feed("ann")).containsExactly("p1");
        lose("ann", p1);
        store.heal();
        clock.advance(PAUSE);
        heal();
        assertThat(feed("ann")).containsExactly("p1");
        assertThat(ear.suspectedLosses).hasSize(1);
    }
}

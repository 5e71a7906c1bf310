package io.feedkit;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.feedkit.event.FeedListener;
import io.feedkit.event.PostDelivered;
import io.feedkit.event.TaskFinished;
import io.feedkit.fanout.Backlog;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.fanout.TaskKind;
import io.feedkit.internal.fanout.FanoutWorkerPool;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.FanoutLog.Claim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Fan-out")
class FanoutTurnsTest {

    private final ManualClock clock = new ManualClock();
    private final ProbedStore store = new ProbedStore(InMemoryFeedStore.create(clock));
    private final List<String> finished = new CopyOnWriteArrayList<>();
    private final List<String> delivered = new CopyOnWriteArrayList<>();
    private final List<Integer> batches = new CopyOnWriteArrayList<>();
    private final AtomicInteger pages = new AtomicInteger();

    private FeedEngineBuilder builder() {
        return FeedEngine.builder(store).clock(clock).listener(new FeedListener() {
            @Override
            public void taskFinished(TaskFinished event) {
                finished.add(event.author());
            }

            @Override
            public void delivered(PostDelivered event) {
                batches.add(event.readers().size());
                event.readers().forEach(reader -> delivered.add(event.post().id() + " to " + reader));
            }
        });
    }

    private static void follow(FeedEngine engine, String author, int followers) {
        for (int i = 0; i < followers; i++) {
            String reader = String.format("%s-%04d", author, i);
            engine.follow(reader, author);
            engine.read(reader, PageRequest.first(1));
        }
    }

    @Test
    @DisplayName("of small posts ends before that of a giant one, though the giant came first")
    void smallFirst() {
        try (FeedEngine engine =
                builder().workers(0).fanout(fanout -> fanout.batchSize(10)).build()) {
            follow(engine, "giant", 500);
            for (int i = 0; i < 20; i++) {
                follow(engine, "small" + i, 2);
            }
            engine.publish("giant", "g");
            for (int i = 0; i < 20; i++) {
                engine.publish("small" + i, "s");
            }
            assertThat(engine.fanout().drain()).isEqualTo(21);
            assertThat(finished).hasSize(21).endsWith("giant");
            assertThat(delivered).hasSize(540).doesNotHaveDuplicates();
        }
    }

    @Test
    @DisplayName(
            "of a small post that comes while a giant one is at it waits for one batch of the giant's on a slow store")
    void roundRobin() {
        try (FeedEngine engine =
                builder().workers(0).fanout(fanout -> fanout.batchSize(10)).build()) {
            follow(engine, "giant", 100);
            follow(engine, "small", 2);
            List<String> batches = new ArrayList<>();
            store.before("Inbox.deliver", () -> {
                batches.add("deliver");
                if (batches.size() == 3) {
                    engine.publish("small", "s");
                }
                slowly();
            });
            engine.publish("giant", "g");
            store.before("FanoutLog.finish", () -> {
                if (finished.isEmpty()) {
                    assertThat(batches)
                            .as("batches until the small one was done")
                            .hasSizeLessThanOrEqualTo(5);
                }
            });
            engine.fanout().drain();
            assertThat(finished).containsExactly("small", "giant");
        }
    }

    /** A store that is so slow that one batch takes more than a worker's quantum of time. */
    private static void slowly() {
        long end = System.nanoTime() + MILLISECONDS.toNanos(30);
        while (System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
    }

    @Test
    @DisplayName("of small posts takes more of them at a time, and few again after one that is not done at once")
    void moreAtATime() {
        AtomicInteger many = new AtomicInteger();
        try (FeedEngine engine = builder().workers(0).build()) {
            engine.follow("ann", "bob");
            store.before("FanoutLog.claim", "[128, ", many::incrementAndGet);
            publish(engine, "first", 2000);
            assertThat(engine.fanout().drain()).isEqualTo(2000);
            assertThat(many).hasPositiveValue();
            store.fail("Inbox.deliver");
            publish(engine, "failing", 1);
            assertThat(engine.fanout().drain()).isZero();
            many.set(0);
            publish(engine, "last", 1);
            engine.fanout().drain();
            assertThat(many).hasValue(0);
        }
    }

    @Test
    @DisplayName("of small posts delivers those of a batch from the oldest on, in whatever order they were published")
    void oldestFirst() {
        try (FeedEngine engine = builder().workers(0).build()) {
            follow(engine, "bob", 1);
            engine.publishAll(IntStream.of(3, 1, 2)
                    .mapToObj(n -> Post.of("bob", "p" + n, n))
                    .toList());
            engine.fanout().drain();
            assertThat(delivered).containsExactly("p1 to bob-0000", "p2 to bob-0000", "p3 to bob-0000");
        }
    }

    @Test
    @DisplayName("of small posts leaves larger ones what those do not need of a call")
    void leftOver() {
        try (FeedEngine engine =
                builder().workers(0).fanout(fanout -> fanout.batchSize(10)).build()) {
            follow(engine, "large", 10);
            for (int i = 0; i < 7; i++) {
                follow(engine, "small" + i, 1);
            }
            engine.publish("large", "first");
            for (int i = 0; i < 7; i++) {
                engine.publish("small" + i, "s");
            }
            engine.publish("large", "last");
            int delivers = store.calls("Inbox.deliver");
            int followers = store.calls("FollowGraph.followers");
            engine.fanout().drain();
            assertThat(store.calls("Inbox.deliver") - delivers).isEqualTo(1);
            assertThat(store.calls("FollowGraph.followers") - followers).isEqualTo(2);
            assertThat(delivered).hasSize(27).doesNotHaveDuplicates();
        }
    }

    @ParameterizedTest(name = "{0} small ones")
    @CsvSource({"2, 34", "4, 40", "7, 24"})
    @DisplayName("goes to no more followers of a post at a time than a batch, and makes no more than four batches' "
            + "worth of deliveries a call, whatever small ones leave over")
    void bounds(int small, int firstCall) {
        List<Integer> before = new ArrayList<>();
        try (FeedEngine engine =
                builder().workers(0).fanout(fanout -> fanout.batchSize(10)).build()) {
            for (int i = 0; i < 8; i++) {
                follow(engine, "author" + i, i < small ? 2 : 33);
            }
            store.before("Inbox.deliver", () -> before.add(delivered.size()));
            for (int i = 0; i < 8; i++) {
                engine.publish("author" + i, "p");
            }
            engine.fanout().drain();
            assertThat(before.get(1)).as("the first call").isEqualTo(firstCall);
            before.add(delivered.size());
            assertThat(IntStream.range(1, before.size()).map(i -> before.get(i) - before.get(i - 1)))
                    .allMatch(size -> size <= 40);
            assertThat(batches).allMatch(size -> size <= 10);
            assertThat(delivered).hasSize(2 * small + 33 * (8 - small)).doesNotHaveDuplicates();
        }
    }

    @Test
    @DisplayName("of what an author had pulled delivers the oldest first, too")
    void oldestOfACatchUpFirst() {
        try (FeedEngine engine =
                builder().workers(0).policy(FanoutPolicy.pull()).build()) {
            follow(engine, "bob", 1);
            for (int n = 1; n <= 3; n++) {
                engine.publish(Post.of("bob", "p" + n, n));
            }
            engine.usePolicy(FanoutPolicy.push());
            engine.publish(Post.of("bob", "p4", 4));
            engine.fanout().drain();
            assertThat(delivered)
                    .containsExactly("p4 to bob-0000", "p1 to bob-0000", "p2 to bob-0000", "p3 to bob-0000");
        }
    }

    private static void publish(FeedEngine engine, String id, int posts) {
        for (int i = 0; i < posts; i++) {
            engine.publish("bob", id + i);
        }
    }

    @Test
    @DisplayName("of an active push keeps to its rate, and to followers seen lately")
    void activePush() {
        try (FeedEngine engine = builder()
                .workers(0)
                .policy(FanoutPolicy.active(1))
                .fanout(fanout -> fanout.batchSize(10).activePushRate(5))
                .build()) {
            follow(engine, "giant", 20);
            clock.advance(FeedEngineBuilder.DEFAULT_ONLINE_WINDOW);
            clock.advance(Duration.ofMillis(1));
            for (int i = 0; i < 20; i += 2) {
                engine.read(String.format("giant-%04d", i), PageRequest.first(1));
            }
            engine.publish("giant", "g");
            engine.fanout().drain();
            assertThat(delivered).hasSize(5);
            clock.advance(Duration.ofMillis(1999));
            engine.fanout().drain();
            assertThat(delivered).hasSize(5);
            clock.advance(Duration.ofMillis(1));
            engine.fanout().drain();
            assertThat(delivered).hasSize(10).allMatch(line -> line.matches(".*[02468]"));
            assertThat(engine.fanout().backlog().tasks()).isZero();
            assertThat(engine.read("giant-0001", PageRequest.first(1)).items()).hasSize(1);
        }
    }

    @Test
    @DisplayName("of an active push, slow on purpose, does not make the backlog older, and nothing is shed for it")
    void activePushIsNoBacklog() {
        Duration most = Duration.ofSeconds(10);
        try (FeedEngine engine = builder()
                .workers(0)
                .policy(FanoutPolicy.shedding(FanoutPolicy.active(10), most))
                .fanout(fanout -> fanout.batchSize(10).activePushRate(1))
                .build()) {
            follow(engine, "giant", 20);
            follow(engine, "small", 2);
            engine.publish("giant", "g");
            engine.fanout().drain();
            clock.advance(most.plusSeconds(1));
            assertThat(engine.fanout().backlog())
                    .isEqualTo(Backlog.builder()
                            .due(1)
                            .byKind(Map.of(TaskKind.PUSH_ACTIVE, 1L))
                            .build());
            engine.publish("small", "pushed");
            clock.advance(most.plusSeconds(1));
            assertThat(engine.fanout().backlog().age()).isEqualTo(most.plusSeconds(1));
            engine.publish("small", "shed");
            engine.fanout().drain();
            assertThat(delivered).contains("pushed to small-0001").doesNotContain("shed to small-0001");
        }
    }

    @Test
    @DisplayName("of many posts at once, when their author is pushed again, takes twenty followers a batch at least")
    void catchUpInBatches() {
        try (FeedEngine engine =
                builder().workers(0).fanout(fanout -> fanout.batchSize(40)).build()) {
            follow(engine, "bob", 40);
            engine.usePolicy(FanoutPolicy.pull());
            IntStream.range(0, 50).forEach(i -> engine.publish("bob", "p" + i));
            engine.fanout().drain();
            engine.usePolicy(FanoutPolicy.push());
            clock.advance(Duration.ofSeconds(1));
            engine.publish("bob", "last");
            store.before("FanoutLog.catchUp", () -> pages.set(store.calls("FollowGraph.followers")));
            engine.fanout().drain();
            assertThat(store.calls("FollowGraph.followers") - pages.get())
                    .as("pages of followers of the catch-up")
                    .isEqualTo(2);
            assertThat(delivered).hasSize(51 * 40).doesNotHaveDuplicates();
            assertThat(RegisterSnapshot.of(store.outbox().pulled()).pulled()).isEmpty();
        }
    }

    @ParameterizedTest(name = "{0} with few followers and {1} with many")
    @CsvSource({"4, 3", "6, 1", "2, 6"})
    @DisplayName("of several posts of each author makes no more deliveries than a batch of each and four of all, "
            + "whatever those with few followers leave over")
    void catchUpLeftOver(int few, int many) {
        List<Integer> calls = new ArrayList<>();
        try (FeedEngine engine =
                builder().workers(0).fanout(fanout -> fanout.batchSize(100)).build()) {
            List<String> authors = IntStream.range(0, few + many)
                    .mapToObj(i -> (i < few ? "few" : "many") + i)
                    .toList();
            authors.forEach(author -> follow(engine, author, author.startsWith("few") ? 2 : 150));
            engine.usePolicy(FanoutPolicy.pull());
            authors.forEach(author -> IntStream.range(0, 3).forEach(i -> engine.publish(author, "p" + i)));
            engine.fanout().drain();
            engine.usePolicy(FanoutPolicy.push());
            clock.advance(Duration.ofSeconds(1));
            authors.forEach(author -> engine.publish(author, "last"));
            store.before("Inbox.deliver", () -> calls.add(delivered.size()));
            engine.fanout().drain();
            calls.add(delivered.size());
        }
        assertThat(delivered).hasSize(4 * (2 * few + 150 * many)).doesNotHaveDuplicates();
        for (int i = 1; i < calls.size(); i++) {
            List<String> call = delivered.subList(calls.get(i - 1), calls.get(i));
            assertThat(call).hasSizeLessThanOrEqualTo(400);
            assertThat(call.stream()
                            .collect(groupingBy(FanoutTurnsTest::author, counting()))
                            .values())
                    .allMatch(size -> size <= 100);
        }
    }

    private static String author(String delivery) {
        return delivery.substring(delivery.indexOf(" to ") + " to ".length(), delivery.lastIndexOf('-'));
    }

    @Test
    @DisplayName("of very many posts of many authors puts off what does not fit into one call any more")
    void fullCalls() {
        int posts = 25;
        List<Integer> calls = new ArrayList<>();
        try (FeedEngine engine =
                builder().workers(0).fanout(fanout -> fanout.batchSize(100)).build()) {
            List<String> authors =
                    IntStream.range(0, 10).mapToObj(i -> "author" + i).toList();
            authors.forEach(author -> follow(engine, author, 20));
            engine.usePolicy(FanoutPolicy.pull());
            authors.forEach(author -> IntStream.range(0, posts).forEach(i -> engine.publish(author, "p" + i)));
            engine.fanout().drain();
            engine.usePolicy(FanoutPolicy.push());
            clock.advance(Duration.ofSeconds(1));
            authors.forEach(author -> engine.publish(author, "last"));
            store.after("Inbox.deliver", () -> calls.add(delivered.size()));
            engine.fanout().drain();
            calls.add(delivered.size());
        }
        assertThat(delivered).hasSize(10 * 20 * (posts + 1)).doesNotHaveDuplicates();
        assertThat(IntStream.range(1, calls.size()).map(i -> calls.get(i) - calls.get(i - 1)))
                .as("deliveries of each call: four batches' worth, and what the last task makes more of it")
                .allMatch(count -> count <= 4 * 100 + 20 * posts);
        assertThat(RegisterSnapshot.of(store.outbox().pulled()).pulled()).isEmpty();
    }

    @Test
    @DisplayName("of a post with very many followers is cut into ranges, and still delivers to each once")
    void split() {
        try (FeedEngine engine = builder()
                .workers(0)
                .fanout(fanout -> fanout.batchSize(7).splitThreshold(20))
                .ownPosts(true)
                .build()) {
            follow(engine, "giant", 100);
            engine.read("giant", PageRequest.first(1));
            engine.publish("giant", "g");
            engine.fanout().drain();
            assertThat(store.calls("FanoutLog.split")).isEqualTo(1);
            assertThat(finished).as("ranges").hasSize(6);
            assertThat(delivered).hasSize(100).doesNotHaveDuplicates();
            assertThat(IntStream.range(0, 100))
                    .allSatisfy(i -> assertThat(engine.read(String.format("giant-%04d", i), PageRequest.first(10))
                                    .items())
                            .hasSize(1));
        }
    }

    @Test
    @DisplayName("is not cut at the bound itself")
    void noSplitAtBound() {
        try (FeedEngine engine = builder()
                .workers(0)
                .fanout(fanout -> fanout.batchSize(7).splitThreshold(20))
                .build()) {
            follow(engine, "author", 20);
            engine.publish("author", "a");
            engine.fanout().drain();
            assertThat(store.calls("FanoutLog.split")).isZero();
            assertThat(delivered).hasSize(20);
        }
    }

    @Test
    @DisplayName("is drained by the calling thread alone where there are no workers, and counted")
    void drainWithoutWorkers() {
        try (FeedEngine engine = builder().workers(0).build()) {
            follow(engine, "bob", 3);
            engine.publish("bob", "p1");
            engine.publish("bob", "p2");
            assertThat(engine.fanout().backlog().tasks()).isEqualTo(2);
            clock.advance(Duration.ofSeconds(5));
            assertThat(engine.fanout().backlog().age()).isEqualTo(Duration.ofSeconds(5));
            assertThat(engine.fanout().drain()).isEqualTo(2);
            assertThat(engine.fanout().drain()).isZero();
            assertThat(engine.fanout().backlog().tasks()).isZero();
            assertThat(engine.fanout().backlog().age()).isZero();
        }
    }

    @Test
    @DisplayName("is over after a drain beside workers: nothing is at it any more")
    void drainWithWorkers() {
        try (FeedEngine engine =
                builder().workers(3).fanout(fanout -> fanout.batchSize(3)).build()) {
            follow(engine, "bob", 20);
            for (int i = 0; i < 50; i++) {
                engine.publish("bob", "p" + i);
                if (i % 10 == 0) {
                    engine.fanout().drain();
                    assertThat(delivered).hasSize((i + 1) * 20);
                }
            }
            engine.fanout().drain();
            assertThat(delivered).hasSize(1000).doesNotHaveDuplicates();
            assertThat(engine.fanout().backlog().tasks()).isZero();
        }
    }

    @Test
    @DisplayName("leaves tasks alone that another engine holds, until that engine's lease is over")
    void leasedElsewhere() {
        try (FeedEngine engine = builder().workers(0).build()) {
            follow(engine, "bob", 3);
            engine.publish("bob", "p1");
            List<Claim> elsewhere = store.outbox().fanout().claim(10, FeedEngineBuilder.DEFAULT_LEASE.toMillis());
            assertThat(elsewhere).hasSize(1);
            assertThat(engine.fanout().drain()).isZero();
            clock.advance(FeedEngineBuilder.DEFAULT_LEASE);
            assertThat(engine.fanout().drain()).isEqualTo(1);
            assertThat(delivered).hasSize(3);
        }
    }

    @Test
    @DisplayName("rests while paused, except for drains, and goes on when resumed")
    void pause() {
        try (FeedEngine engine = builder()
                .workers(2)
                .fanout(fanout -> fanout.pollInterval(Duration.ofMillis(1)))
                .build()) {
            follow(engine, "bob", 3);
            engine.fanout().pause();
            engine.fanout().pause();
            engine.fanout().drain();
            engine.publish("bob", "p1");
            assertThat(engine.fanout().backlog().tasks()).isEqualTo(1);
            assertThat(engine.fanout().drain()).isEqualTo(1);
            assertThat(delivered).hasSize(3);
            engine.publish("bob", "p2");
            assertThat(engine.fanout().backlog().tasks()).isEqualTo(1);
            engine.fanout().resume();
            await().untilAsserted(() -> assertThat(delivered).hasSize(6));
        }
    }

    @Test
    @DisplayName("by another engine's workers finds what this one published")
    void otherEngine() {
        try (FeedEngine publisher = builder().workers(0).build();
                FeedEngine worker = builder()
                        .workers(1)
                        .fanout(fanout -> fanout.pollInterval(Duration.ofMillis(1)))
                        .build()) {
            follow(publisher, "bob", 3);
            publisher.publish("bob", "p1");
            await().untilAsserted(() -> assertThat(delivered).hasSize(3));
            assertThat(worker.fanout().backlog().deadLetters()).isZero();
        }
    }

    @Test
    @DisplayName("by workers survives a store that is down for a while")
    void storeDown() {
        try (LogCapture log = LogCapture.of(FanoutWorkerPool.class);
                FeedEngine engine = builder()
                        .name("w")
                        .workers(2)
                        .fanout(fanout -> fanout.pollInterval(Duration.ofMillis(1)))
                        .build()) {
            follow(engine, "bob", 3);
            store.fail("FanoutLog.claim");
            engine.publish("bob", "p1");
            await().untilAsserted(() -> assertThat(log.messages(Level.DEBUG)).hasSizeGreaterThan(3));
            store.heal();
            await().untilAsserted(() -> assertThat(delivered).hasSize(3));
            assertThat(log.messages(Level.WARN)).singleElement().asString().startsWith("w: fan-out round failed");
        }
    }
}

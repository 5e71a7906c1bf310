package io.feedkit;

import static java.util.concurrent.TimeUnit.SECONDS;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.WritableFollowGraph;
import io.feedkit.spi.WritableFollowGraph.Edge;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

@DisplayName("While the inbox store is down")
class InboxStoreDownTest {

    private static final int READS = 2;

    private final ManualClock clock = new ManualClock();
    private final ProbedStore store = new ProbedStore(InMemoryFeedStore.create(clock));
    private final FeedEngine engine = FeedEngine.builder(store)
            .clock(clock)
            .workers(0)
            .cap(10)
            .policy(FanoutPolicy.hybrid(2))
            .reading(reading -> reading.readsWithoutInbox(READS))
            .build();
    private final List<String> all = new ArrayList<>();
    private int slicesBefore;

    @BeforeEach
    void fill() {
        for (String author : List.of("bob", "cid")) {
            engine.follow("ann", author);
        }
        engine.follow("zoe", "cid");
        for (int n = 0; n < 30; n++) {
            String id = "p" + n;
            clock.advance(Duration.ofMillis(1));
            engine.publish(n % 2 == 0 ? "bob" : "cid", id);
            all.add(0, id);
        }
        engine.fanout().drain();
        assertThat(page(10)).isEqualTo(all.subList(0, 10));
        slicesBefore = store.calls("Inbox.slice");
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private void down() {
        for (String call :
                List.of("slice", "count", "deliver", "open", "merge", "complete", "retract", "beginFollow")) {
            store.fail("Inbox." + call);
        }
    }

    private List<String> page(int limit) {
        return ids(engine.read("ann", PageRequest.first(limit)));
    }

    private static List<String> ids(FeedPage<Post> page) {
        return page.items().stream().map(Post::id).toList();
    }

    @Test
    @DisplayName("pages are read from the outboxes: the same walk, the same content, the same counts")
    void pagesGoOn() {
        down();
        List<String> walked = new ArrayList<>();
        Optional<Cursor> older = Optional.empty();
        do {
            FeedPage<Post> page = engine.read(
                    "ann", older.map(cursor -> PageRequest.older(cursor, 7)).orElse(PageRequest.first(7)));
            walked.addAll(ids(page));
            older = page.older();
        } while (older.isPresent());
        assertThat(walked).isEqualTo(all);
        assertThat(engine.read("ann", PageRequest.first(5), InboxStoreDownTest::content)
                        .items())
                .isEqualTo(all.subList(0, 5));
        assertThat(engine.unread("ann").count()).isEqualTo(30);
        assertThat(store.calls("Inbox.open")).isOne();
    }

    private static Map<Post, String> content(List<Post> posts) {
        Map<Post, String> content = new HashMap<>();
        posts.forEach(post -> content.put(post, post.id()));
        return content;
    }

    @Test
    @DisplayName("a walk that began in the inbox goes on in the outboxes")
    void inTheMiddle() {
        FeedPage<Post> first = engine.read("ann", PageRequest.first(4));
        down();
        FeedPage<Post> second =
                engine.read("ann", PageRequest.older(first.older().orElseThrow(), 4));
        assertThat(ids(second)).isEqualTo(all.subList(4, 8));
    }

    @Test
    @DisplayName("deletes hold at once, and so do changes of the follow graph that others made")
    void deletesHold() {
        down();
        engine.delete("cid", "p29");
        assertThat(page(10)).isEqualTo(all.subList(1, 11));
        ((WritableFollowGraph) store.graph()).remove(List.of(new Edge("ann", "cid")));
        assertThat(page(30))
                .isEqualTo(all.stream()
                        .filter(id -> Integer.parseInt(id.substring(1)) % 2 == 0)
                        .toList());
    }

    @Test
    @DisplayName("it is asked a few times and then once a second, and pages come from inboxes again when it is back")
    void asksSeldom() {
        down();
        int before = store.calls("Inbox.slice");
        for (int n = 0; n < 50; n++) {
            assertThat(page(10)).hasSize(10);
        }
        assertThat(store.calls("Inbox.slice") - before).isEqualTo(5);
        clock.advance(Duration.ofSeconds(1));
        page(10);
        page(10);
        assertThat(store.calls("Inbox.slice") - before).isEqualTo(6);
        store.heal();
        assertThat(page(10)).hasSize(10);
        assertThat(store.calls("Inbox.slice") - before).isEqualTo(6);
        clock.advance(Duration.ofSeconds(1));
        page(5);
        page(5);
        assertThat(store.calls("Inbox.slice") - before).isEqualTo(8);
    }

    @Test
    @DisplayName("a count of many feeds asks it once, however many readers there are")
    void countsAskOnce() {
        down();
        assertThat(engine.unread(List.of("ann", "zoe")).values())
                .extracting(Unread::count)
                .containsExactlyInAnyOrder(30L, 15L);
        assertThat(store.calls("Inbox.count")).isOne();
        assertThat(store.calls("Inbox.slice") - slicesBefore).isZero();
    }

    @Test
    @DisplayName("whom the reader follows is loaded once a page, however many parts it is read in")
    void loadsFolloweesOnce() {
        try (FeedEngine filtering = FeedEngine.builder(store)
                .clock(clock)
                .workers(0)
                .cap(10)
                .filter((reader, posts) ->
                        posts.stream().filter(post -> post.id().endsWith("0")).collect(toSet()))
                .build()) {
            down();
            int before = store.calls("FollowGraph.followees");
            int pages = store.calls("Outbox.page");
            assertThat(ids(filtering.read("ann", PageRequest.first(2)))).containsExactly("p20", "p10");
            assertThat(store.calls("Outbox.page") - pages).isGreaterThan(1);
            assertThat(store.calls("FollowGraph.followees") - before).isOne();
        }
    }

    @Test
    @Tag("concurrency")
    @DisplayName("no more pages than allowed are read at a time: the others fail at once, and typed")
    void bounded() throws Exception {
        down();
        CountDownLatch reading = new CountDownLatch(READS);
        CountDownLatch goOn = new CountDownLatch(1);
        store.before("Outbox.page", () -> {
            reading.countDown();
            try {
                assertThat(goOn.await(30, SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        ExecutorService threads = Executors.newFixedThreadPool(READS);
        try {
            List<Future<List<String>>> pages = new ArrayList<>();
            for (int n = 0; n < READS; n++) {
                pages.add(threads.submit(() -> page(10)));
            }
            assertThat(reading.await(30, SECONDS)).isTrue();
            assertThatThrownBy(() -> page(10))
                    .isInstanceOfSatisfying(
                            StoreUnavailableException.class,
                            e -> assertThat(e.isRetryable()).isTrue())
                    .hasMessageContaining("readsWithoutInbox");
            assertThatThrownBy(() -> engine.unread(List.of("ann", "zoe")))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("readsWithoutInbox");
            goOn.countDown();
            for (Future<List<String>> page : pages) {
                assertThat(page.get(30, SECONDS)).hasSize(10);
            }
        } finally {
            goOn.countDown();
            threads.shutdownNow();
        }
        assertThat(page(10)).hasSize(10);
    }

    @Test
    @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
    @DisplayName("and hangs, pages wait for it for a second at most, and are read from the outboxes after that")
    void hangs() throws Exception {
        CountDownLatch hanging = new CountDownLatch(1);
        CountDownLatch timeout = new CountDownLatch(1);
        store.before("Inbox.slice", () -> {
            hanging.countDown();
            try {
                timeout.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            throw new StoreUnavailableException("inbox.slice", null);
        });
        FutureTask<List<String>> waiting = new FutureTask<>(() -> page(10));
        new Thread(waiting).start();
        assertThat(hanging.await(30, SECONDS)).isTrue();
        int before = store.calls("Inbox.slice");
        clock.advance(Duration.ofSeconds(1));
        for (int n = 0; n < 50; n++) {
            assertThat(page(10)).isEqualTo(all.subList(0, 10));
        }
        timeout.countDown();
        assertThat(waiting.get(30, SECONDS)).isEqualTo(all.subList(0, 10));
        for (int n = 0; n < 50; n++) {
            assertThat(page(10)).isEqualTo(all.subList(0, 10));
        }
        assertThat(store.calls("Inbox.slice")).isEqualTo(before);
    }
}

package io.feedkit;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.feedkit.event.CopyStep;
import io.feedkit.event.FeedListener;
import io.feedkit.event.InboxRebuilt;
import io.feedkit.inspect.InboxState;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.memory.InMemoryInboxCopies;
import io.feedkit.spi.InboxCopies;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("While the store of copies does not answer")
@Timeout(60)
class HangingInboxCopiesTest {

    private static final Duration AWAY = Duration.ofDays(9);
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final PageRequest FIRST = PageRequest.first(5);

    private final ManualClock clock = new ManualClock();
    private final InMemoryFeedStore store = InMemoryFeedStore.create(clock);
    private final InMemoryInboxCopies copies = InMemoryInboxCopies.create(clock);
    private final Queue<String> steps = new ConcurrentLinkedQueue<>();
    private final Queue<InboxRebuilt> rebuilt = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private volatile Optional<String> hanging = Optional.empty();
    private volatile CountDownLatch answer = new CountDownLatch(1);

    @AfterEach
    void end() {
        answer.countDown();
        threads.shutdownNow();
    }

    private Object call(Method method, Object[] arguments) throws Throwable {
        if (hanging.equals(Optional.of(method.getName()))) {
            most.accumulateAndGet(waiting.incrementAndGet(), Math::max);
            answer.await();
            waiting.decrementAndGet();
        }
        try {
            return method.invoke(copies, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private FeedEngineBuilder builder() {
        return builder(0);
    }

    private FeedEngineBuilder builder(int workers) {
        InboxCopies hangs = (InboxCopies) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {InboxCopies.class},
                (proxy, method, arguments) -> call(method, arguments));
        return FeedEngine.builder(store)
                .clock(clock)
                .workers(workers)
                .inboxCopies(hangs)
                .fanout(fanout -> fanout.lease(LEASE))
                .listener(new FeedListener() {
                    @Override
                    public void copied(CopyStep event) {
                        steps.add(event.outcome()
                                + event.reason().map(" "::concat).orElse(""));
                    }

                    @Override
                    public void rebuilt(InboxRebuilt event) {
                        rebuilt.add(event);
                    }
                });
    }

    /** Readers with copies, who come back after their inboxes have ended. */
    private List<String> returning(FeedEngine feed, int readers) {
        IntStream.range(0, 20).forEach(n -> feed.publish("bob", "post-" + (100 + n)));
        List<String> ids = IntStream.range(0, readers).mapToObj(n -> "r" + n).toList();
        ids.forEach(reader -> feed.follow(reader, "bob"));
        feed.fanout().drain();
        ids.forEach(reader -> feed.read(reader, FIRST));
        assertThat(steps).hasSize(readers).containsOnly("MADE");
        clock.advance(AWAY);
        steps.clear();
        rebuilt.clear();
        return ids;
    }

    @Test
    @DisplayName("other readers get pages from the outboxes, and the lease of the inbox has not begun")
    void others() throws Exception {
        try (FeedEngine feed =
                builder().reading(reading -> reading.concurrentRebuilds(1)).build()) {
            List<String> readers = returning(feed, 2);
            hanging = Optional.of("heads");
            Future<FeedPage<Post>> first = threads.submit(() -> feed.read(readers.get(0), FIRST));
            await().until(() -> waiting.get() == 1);
            List<Post> page = feed.read(readers.get(1), FIRST).items();
            assertThat(page).hasSize(5);
            assertThat(first.isDone()).isFalse();
            assertThat(rebuilt).isEmpty();
            assertThat(feed.inspect(readers.get(0)).inbox().status()).isNotEqualTo(InboxState.Status.BUILDING);
            clock.advance(LEASE.multipliedBy(2));
            answer.countDown();
            assertThat(first.get(30, SECONDS).items()).isEqualTo(page);
            assertThat(rebuilt).extracting(InboxRebuilt::fromCopy).containsExactly(true);
            // From then on, other readers ask the store for at most a second, and get pages meanwhile.
            hanging = Optional.empty();
            assertThat(feed.read(readers.get(1), FIRST).items()).isEqualTo(page);
            assertThat(rebuilt).hasSize(2);
        }
    }

    @Test
    @DisplayName("a crowd that returns asks it no more often than inboxes are built, and all get pages")
    void crowd() throws Exception {
        try (FeedEngine feed =
                builder().reading(reading -> reading.concurrentRebuilds(4)).build()) {
            List<String> readers = returning(feed, 64);
            hanging = Optional.of("heads");
            List<Future<List<Post>>> pages = new ArrayList<>();
            readers.forEach(reader ->
                    pages.add(threads.submit(() -> feed.read(reader, FIRST).items())));
            await().until(() -> pages.stream().filter(Future::isDone).count() == 60);
            assertThat(waiting).hasValue(4);
            answer.countDown();
            for (Future<List<Post>> page : pages) {
                assertThat(page.get(30, SECONDS))
                        .hasSize(5)
                        .isEqualTo(pages.get(0).get());
            }
            assertThat(most).hasValue(4);
            assertThat(rebuilt).hasSize(4).allMatch(InboxRebuilt::fromCopy);
        }
    }

    @Test
    @DisplayName("no more than 1,000 copies wait to be written, and those that did not find room are made later")
    void manyWait() {
        try (FeedEngine feed = builder(1).build()) {
            feed.publish("bob", "post");
            hanging = Optional.of("store");
            List<String> readers =
                    IntStream.range(0, 1_010).mapToObj(n -> "r" + n).toList();
            readers.forEach(reader -> feed.follow(reader, "bob"));
            readers.forEach(reader -> feed.read(reader, FIRST));
            assertThat(steps).hasSizeBetween(9, 10).containsOnly("FAILED too many copies wait to be written");
            answer.countDown();
            await().until(() -> steps.contains("MADE") && copiesOf(readers) >= 1_000);
            readers.forEach(feed::refresh);
            await().until(() -> copiesOf(readers) == readers.size());
        }
    }

    @Test
    @DisplayName("no more than 16 MB of copies wait to be written")
    void largeOnes() {
        try (FeedEngine feed =
                builder(1).cap(10_000).copying(copying -> copying.depth(10_000)).build()) {
            String padding = "x".repeat(58);
            feed.importPosts(IntStream.range(0, 10_000)
                    .mapToObj(n -> Post.of("bob", padding + (10_000 + n), clock.millis() - n))
                    .toList());
            hanging = Optional.of("store");
            List<String> readers = IntStream.range(0, 26).mapToObj(n -> "r" + n).toList();
            readers.forEach(reader -> feed.follow(reader, "bob"));
            readers.forEach(reader -> feed.read(reader, FIRST));
            // One copy has about 0.75 MB: one is being written, and 21 or 22 wait.
            assertThat(steps).hasSizeBetween(2, 5).containsOnly("FAILED too many copies wait to be written");
            answer.countDown();
        }
    }

    private long copiesOf(List<String> readers) {
        return copies.heads(readers).stream().filter(Optional::isPresent).count();
    }

    @Test
    @DisplayName("forget deletes all other data of the user, and says that the copy may be left")
    void forgotten() {
        InboxCopies down = (InboxCopies) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {InboxCopies.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("drop")) {
                        throw new StoreUnavailableException("copies.drop", null);
                    }
                    return call(method, arguments);
                });
        try (FeedEngine feed = FeedEngine.builder(store)
                .clock(clock)
                .workers(0)
                .inboxCopies(down)
                .build()) {
            feed.follow("ann", "bob");
            feed.publish("bob", "post");
            feed.markSeen("ann", feed.read("ann", FIRST).newer());
            assertThatThrownBy(() -> feed.forget("ann"))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("copies.drop");
            assertThat(feed.seenMark("ann")).isEmpty();
            assertThat(feed.isFollowing("ann", "bob")).isFalse();
        }
    }
}

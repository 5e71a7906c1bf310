package io.feedkit.testkit.internal.outbox;

import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FeedEngine;
import io.feedkit.Post;
import io.feedkit.event.FeedListener;
import io.feedkit.event.PostDeleted;
import io.feedkit.event.PostPublished;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.FeedStore;
import io.feedkit.testkit.internal.KitClock;
import io.feedkit.testkit.internal.ThreadPerTask;
import io.feedkit.testkit.internal.outbox.TransactionalKit.OpenTransaction;
import java.time.Clock;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * An engine's reports to its listener about publishes and deletes in transactions of the host. The outbox is under
 * test; the other parts are in memory.
 */
public abstract class OutboxHeardRules extends OutboxRules {

    private static final String BOB = "bob";
    private static final long LONGEST_SECONDS = 30;

    private final TransactionalKit host;
    private final FeedEngine feed;
    private final Queue<String> heard = new ConcurrentLinkedQueue<>();
    private volatile Consumer<String> reaction = event -> {};

    protected OutboxHeardRules(TransactionalKit kit) {
        super(kit);
        host = kit;
        Clock clock = new KitClock(kit);
        InMemoryFeedStore memory = InMemoryFeedStore.create(clock);
        feed = FeedEngine.builder(FeedStore.of(host.outbox(), memory::inbox, memory.graph(), memory.seenMarks()))
                .clock(clock)
                .workers(0)
                .policy(FanoutPolicy.pull())
                .listener(new FeedListener() {
                    @Override
                    public void published(PostPublished event) {
                        hear("+" + event.post().id());
                    }

                    @Override
                    public void deleted(PostDeleted event) {
                        hear("-" + event.post().id());
                    }
                })
                .build();
    }

    private void hear(String event) {
        heard.add(event);
        reaction.accept(event);
    }

    @AfterEach
    void close() {
        feed.close();
    }

    @Test
    @DisplayName("listeners are notified of posts published together after the commit, once, and not before")
    void published() {
        OpenTransaction transaction = host.begin();
        feed.publishAll(posts(BOB, 3), transaction.handle());
        feed.fanout().drain();
        assertThat(heard).as("before the commit").isEmpty();
        transaction.commit().run();
        feed.fanout().drain();
        assertThat(heard).containsExactlyInAnyOrder("+p0001", "+p0002", "+p0003");
        feed.fanout().drain();
        assertThat(heard).hasSize(3);
    }

    @Test
    @DisplayName("listeners are notified of a deleted post after the commit, once, and not before")
    void deleted() {
        feed.publishAll(posts(BOB, 2));
        feed.fanout().drain();
        heard.clear();
        OpenTransaction transaction = host.begin();
        assertThat(feed.delete(post(BOB, 1).key(), transaction.handle())).isTrue();
        feed.fanout().drain();
        assertThat(heard).as("before the commit").isEmpty();
        transaction.commit().run();
        feed.fanout().drain();
        feed.fanout().drain();
        assertThat(heard).containsExactly("-p0001");
    }

    @Test
    @DisplayName("listeners are never notified of changes that are rolled back")
    void rolledBack() {
        feed.publishAll(posts(BOB, 1));
        feed.fanout().drain();
        heard.clear();
        OpenTransaction transaction = host.begin();
        feed.publishAll(posts(BOB, 3).subList(1, 3), transaction.handle());
        feed.delete(post(BOB, 1).key(), transaction.handle());
        transaction.rollback().run();
        feed.fanout().drain();
        kit.outlast();
        feed.fanout().drain();
        assertThat(heard).isEmpty();
    }

    @Test
    @DisplayName("a listener that drains when it is notified of a commit is notified once")
    void listenerDrains() {
        reaction = event -> feed.fanout().drain();
        commit(posts(BOB, 2));
        feed.fanout().drain();
        assertThat(heard).containsExactlyInAnyOrder("+p0001", "+p0002");
    }

    @Test
    @DisplayName("a listener that blocks when it is notified of a commit does not delay a drain of another thread")
    void listenerBlocks() {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        reaction = event -> {
            if (event.equals("+p0001")) {
                entered.countDown();
                await(released);
            }
        };
        commit(posts(BOB, 1));
        CompletableFuture<Integer> blocked =
                CompletableFuture.supplyAsync(() -> feed.fanout().drain(), new ThreadPerTask());
        try {
            await(entered);
            commit(List.of(post(BOB, 2)));
            await(CompletableFuture.supplyAsync(() -> feed.fanout().drain(), new ThreadPerTask()));
            assertThat(heard).containsExactly("+p0001", "+p0002");
        } finally {
            released.countDown();
        }
        await(blocked);
    }

    private void commit(List<Post> posts) {
        OpenTransaction transaction = host.begin();
        feed.publishAll(posts, transaction.handle());
        transaction.commit().run();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(LONGEST_SECONDS, SECONDS))
                    .as("happened in time")
                    .isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void await(CompletableFuture<Integer> drain) {
        try {
            drain.get(LONGEST_SECONDS, SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError("the drain did not end", e);
        }
    }
}

package io.feedkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.feedkit.event.FeedListener;
import io.feedkit.event.PostDeleted;
import io.feedkit.event.PostPublished;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.memory.InMemoryTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What is done in a transaction of the host")
class UncommittedTest {

    private final ManualClock clock = new ManualClock();
    private final InMemoryFeedStore memory = InMemoryFeedStore.create(clock);
    private final ProbedStore store = new ProbedStore(memory);
    private final List<PostPublished> published = new ArrayList<>();
    private final List<PostKey> deleted = new ArrayList<>();
    private Runnable whenPublished = () -> {};
    private final FeedEngine feed = FeedEngine.builder(store)
            .clock(clock)
            .workers(0)
            .policy(FanoutPolicy.pull())
            .listener(new FeedListener() {
                @Override
                public void published(PostPublished event) {
                    published.add(event);
                    whenPublished.run();
                }

                @Override
                public void deleted(PostDeleted event) {
                    deleted.add(event.post());
                }
            })
            .build();

    @AfterEach
    void close() {
        feed.close();
    }

    private static List<Post> posts(int count) {
        return IntStream.range(0, count)
                .mapToObj(n -> new Post("bob", "p" + n, ManualClock.START))
                .toList();
    }

    private List<Post> ofBob() {
        return feed.readAuthor("bob", PageRequest.first(100)).items();
    }

    @Test
    @DisplayName("is published as a batch in one call, or not at all")
    void batch() {
        try (InMemoryTransaction transaction = memory.begin()) {
            List<Published> answers = feed.publishAll(posts(50), transaction);
            assertThat(answers).hasSize(50).allMatch(answer -> answer.status() == Published.Status.NEW);
            assertThat(store.calls("OutboxWriter.append")).isEqualTo(1);
            assertThat(ofBob()).isEmpty();
            transaction.commit();
        }
        assertThat(ofBob()).hasSize(50);
        try (InMemoryTransaction transaction = memory.begin()) {
            Post late = new Post("bob", "late", ManualClock.START.plus(Duration.ofDays(1)));
            assertThatThrownBy(() ->
                            feed.publishAll(List.of(new Post("bob", "new", ManualClock.START), late), transaction))
                    .isInstanceOf(IllegalArgumentException.class);
            transaction.commit();
        }
        assertThat(ofBob()).hasSize(50);
    }

    @Test
    @DisplayName("is told of after the commit, once, and never after a rollback")
    void toldOfPublish() {
        try (InMemoryTransaction transaction = memory.begin();
                InMemoryTransaction rolledBack = memory.begin()) {
            feed.publishAll(posts(2), transaction);
            feed.publish(new Post("cat", "c", ManualClock.START), rolledBack);
            feed.fanout().drain();
            assertThat(published).isEmpty();
            transaction.commit();
        }
        feed.fanout().drain();
        feed.fanout().drain();
        assertThat(published)
                .containsExactly(
                        PostPublished.of(posts(2).get(0), FanoutMode.PULL),
                        PostPublished.of(posts(2).get(1), FanoutMode.PULL));
    }

    @Test
    @DisplayName("deletes a post from the commit on, and is told of then")
    void delete() {
        feed.publishAll(posts(2));
        feed.fanout().drain();
        published.clear();
        PostKey first = posts(1).get(0).key();
        try (InMemoryTransaction transaction = memory.begin()) {
            assertThat(feed.delete(first, transaction)).isTrue();
            assertThat(feed.delete(new PostKey("bob", "none"), transaction)).isFalse();
            feed.fanout().drain();
            assertThat(ofBob()).hasSize(2);
            assertThat(deleted).isEmpty();
            transaction.commit();
        }
        assertThat(ofBob()).extracting(Post::id).containsExactly("p1");
        feed.fanout().drain();
        assertThat(deleted).containsExactly(first);
        try (InMemoryTransaction transaction = memory.begin()) {
            assertThat(feed.delete(posts(2).get(1).key(), transaction)).isTrue();
            transaction.rollback();
        }
        feed.fanout().drain();
        assertThat(ofBob()).hasSize(1);
        assertThat(deleted).containsExactly(first);
    }

    @Test
    @DisplayName("is not told of if it is published and deleted in the same transaction")
    void neverThere() {
        try (InMemoryTransaction transaction = memory.begin()) {
            feed.publishAll(posts(1), transaction);
            feed.delete(posts(1).get(0).key(), transaction);
            transaction.commit();
        }
        feed.fanout().drain();
        assertThat(published).isEmpty();
        assertThat(deleted).isEmpty();
    }

    @Test
    @DisplayName("is looked for again if the store was down, and forgotten after an hour")
    void lookedForAgain() {
        try (InMemoryTransaction transaction = memory.begin();
                InMemoryTransaction open = memory.begin()) {
            feed.publishAll(posts(1), transaction);
            feed.publish(new Post("cat", "c", ManualClock.START), open);
            transaction.commit();
            store.fail("Outbox.existing");
            feed.fanout().drain();
            assertThat(published).isEmpty();
            store.heal();
            feed.fanout().drain();
            assertThat(published).hasSize(1);
            clock.advance(Duration.ofHours(1));
            open.commit();
        }
        feed.fanout().drain();
        assertThat(published).hasSize(1);
        feed.fanout().drain();
        int asked = store.calls("Outbox.existing");
        feed.fanout().drain();
        assertThat(store.calls("Outbox.existing")).isEqualTo(asked);
    }

    @Test
    @DisplayName("is told of if another transaction that deletes it is rolled back, or commits later")
    void deletedInAnother() {
        for (boolean commits : new boolean[] {false, true}) {
            published.clear();
            Post post = new Post("bob", "p" + commits, ManualClock.START);
            try (InMemoryTransaction first = memory.begin()) {
                feed.publish(post, first);
                first.commit();
            }
            try (InMemoryTransaction second = memory.begin()) {
                assertThat(feed.delete(post.key(), second)).isTrue();
                feed.fanout().drain();
                assertThat(published).extracting(PostPublished::post).containsExactly(post);
                assertThat(deleted).isEmpty();
                if (commits) {
                    second.commit();
                } else {
                    second.rollback();
                }
            }
            feed.fanout().drain();
            assertThat(published).hasSize(1);
            assertThat(deleted).hasSize(commits ? 1 : 0);
        }
    }

    private void publishInTransaction(int count) {
        try (InMemoryTransaction transaction = memory.begin()) {
            feed.publishAll(posts(count), transaction);
            transaction.commit();
        }
    }

    @Test
    @DisplayName("is told of once to a listener that drains the engine from there")
    void listenerDrains() {
        publishInTransaction(3);
        whenPublished = () -> feed.fanout().drain();
        feed.fanout().drain();
        assertThat(published).extracting(PostPublished::post).containsExactlyElementsOf(posts(3));
    }

    @Test
    @DisplayName("is told of without a lock, so that a listener may wait for a thread that drains the engine")
    void listenerWaits() {
        publishInTransaction(2);
        List<Boolean> done = new ArrayList<>();
        whenPublished = () -> done.add(drainsOnAnotherThread());
        feed.fanout().drain();
        assertThat(done).containsExactly(true, true);
        assertThat(published).extracting(PostPublished::post).containsExactlyElementsOf(posts(2));
    }

    private boolean drainsOnAnotherThread() {
        Thread drains = new Thread(() -> feed.fanout().drain());
        drains.setDaemon(true);
        drains.start();
        try {
            drains.join(5000);
            return !drains.isAlive();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Test
    @DisplayName("is looked for less often the longer it takes")
    void pauses() {
        try (InMemoryTransaction open = memory.begin();
                FeedEngine worker = FeedEngine.builder(store)
                        .clock(clock)
                        .workers(1)
                        .fanout(fanout -> fanout.pollInterval(Duration.ofMillis(1)))
                        .listener(new FeedListener() {})
                        .build()) {
            worker.publish(new Post("dan", "d", ManualClock.START), open);
            int before = store.calls("Outbox.existing");
            int claims = store.calls("FanoutLog.claim");
            await().until(() -> store.calls("FanoutLog.claim") > claims + 20);
            assertThat(store.calls("Outbox.existing") - before).isLessThanOrEqualTo(1);
        }
    }
}

package io.feedkit.redis.survival;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.event.DeliveryLossSuspected;
import io.feedkit.event.FeedListener;
import io.feedkit.event.InboxRefreshed;
import io.feedkit.event.PostDelivered;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.redis.RedisInboxes;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.Position;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("A replica that takes its master's place without the last deliveries that were acknowledged")
@Timeout(300)
@Tag("survival")
class HealedFailoverTest {

    private static final int READERS = 20;
    private static final int AUTHORS = 5;
    private static final int FOLLOWED = 3;
    private static final int POSTS = 100;
    private static final int LOST_FROM = 60;
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final InMemoryFeedStore truth = InMemoryFeedStore.create();
    private final Instant start = Instant.now().truncatedTo(ChronoUnit.MILLIS).minusSeconds(POSTS);
    private final List<Post> published = new ArrayList<>();
    private final Counts counts = new Counts();

    private static final class Counts implements FeedListener {
        private final AtomicInteger delivered = new AtomicInteger();
        private final AtomicInteger suspectedLosses = new AtomicInteger();
        private final AtomicInteger replayed = new AtomicInteger();
        private final AtomicInteger refreshed = new AtomicInteger();

        @Override
        public void delivered(PostDelivered event) {
            (event.afterSuspectedLoss() ? replayed : delivered)
                    .addAndGet(event.readers().size());
        }

        @Override
        public void refreshed(InboxRefreshed event) {
            if (event.afterSuspectedLoss()) {
                refreshed.addAndGet(event.added());
            }
        }

        @Override
        public void deliveryLossSuspected(DeliveryLossSuspected event) {
            suspectedLosses.incrementAndGet();
        }
    }

    @Test
    @DisplayName("is noticed, and what was lost is delivered again and counted")
    void replayed() {
        int lost = failOver(FeedEngineBuilder.DEFAULT_REPLAY_HORIZON);
        assertThat(counts.replayed.get()).isEqualTo(lost);
        assertThat(counts.refreshed.get()).isZero();
    }

    @Test
    @DisplayName("is noticed, and what is too old to be delivered again is found by the readers, and counted")
    void refreshed() {
        int lost = failOver(Duration.ofMillis(1));
        assertThat(counts.replayed.get()).isZero();
        assertThat(counts.refreshed.get()).isEqualTo(lost);
    }

    /** Loses deliveries, and checks that no feed lacks a post for long. Returns how many were lost. */
    private int failOver(Duration horizon) {
        try (MovedAddress address = new MovedAddress();
                RedisInboxes inboxes = address.inboxes();
                FeedEngine feed = FeedEngine.builder(
                                FeedStore.of(truth.outbox(), inboxes::inbox, truth.graph(), truth.seenMarks()))
                        .fanout(fanout -> fanout.replayHorizon(horizon))
                        .listener(counts)
                        .build()) {
            follow(feed);
            publish(feed, LOST_FROM);
            address.cutOff();
            int safe = counts.delivered.get();
            publish(feed, POSTS);
            int lost = counts.delivered.get() - safe;
            assertThat(lost).isEqualTo((POSTS - LOST_FROM) * READERS * FOLLOWED / AUTHORS);
            assertThat(counts.suspectedLosses.get()).isZero();

            address.failOver();
            await().atMost(LIMIT).until(() -> counts.suspectedLosses.get() > 0);
            await().atMost(LIMIT).until(() -> feed.fanout().backlog().tasks() == 0);
            for (int reader = 0; reader < READERS; reader++) {
                assertThat(feed.read("reader" + reader, PageRequest.first(PageRequest.MAX_LIMIT))
                                .items())
                        .isEqualTo(expected(reader));
            }
            System.out.printf(
                    "%d acknowledged deliveries were lost; %d were made again by tasks, %d by readers%n",
                    lost, counts.replayed.get(), counts.refreshed.get());
            return lost;
        }
    }

    private static String author(int i) {
        return "author" + i % AUTHORS;
    }

    private static void follow(FeedEngine feed) {
        for (int reader = 0; reader < READERS; reader++) {
            for (int i = reader; i < reader + FOLLOWED; i++) {
                feed.follow("reader" + reader, author(i));
            }
            // Makes the inbox live.
            feed.read("reader" + reader, PageRequest.first(20));
        }
    }

    private void publish(FeedEngine feed, int until) {
        while (published.size() < until) {
            int n = published.size();
            Post post = new Post(author(n), "post" + n, start.plusSeconds(n));
            feed.publish(post);
            published.add(post);
        }
        await().atMost(LIMIT).until(() -> feed.fanout().backlog().tasks() == 0);
    }

    private List<Post> expected(int reader) {
        return published.stream()
                .filter(post -> IntStream.range(reader, reader + FOLLOWED)
                        .anyMatch(i -> author(i).equals(post.author())))
                .sorted((a, b) -> Position.compare(b, a))
                .toList();
    }
}

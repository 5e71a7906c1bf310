package io.feedkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.WritableFollowGraph.Edge;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Inboxes that may belong to another source of truth")
class ForeignInboxesTest {

    private static final PageRequest FIRST = PageRequest.first(10);

    private final ManualClock clock = new ManualClock();
    private final InMemoryFeedStore production = InMemoryFeedStore.create(clock);
    private final InMemoryFeedStore staging = InMemoryFeedStore.create(clock);
    private final ProbedStore inboxes = new ProbedStore(InMemoryFeedStore.create(clock));

    private FeedEngineBuilder on(FeedStore truth) {
        FeedStore store = FeedStore.of(truth.outbox(), inboxes::inbox, truth.graph(), truth.seenMarks());
        return FeedEngine.builder(store).clock(clock).workers(0);
    }

    @Test
    @DisplayName("are refused at the start of an engine, which names both")
    void refused() {
        try (FeedEngine first = on(production).build()) {
            assertThatThrownBy(() -> on(staging).build())
                    .isInstanceOf(ForeignStoreException.class)
                    .hasMessageContainingAll(
                            production.outbox().identity(), staging.outbox().identity());
            try (FeedEngine second = on(production).build()) {
                second.follow("ann", "bob");
                assertThat(first.isFollowing("ann", "bob")).isTrue();
            }
        }
    }

    @Test
    @DisplayName("are checked before their first use if they were out of reach when the engine started")
    void checkedLater() {
        inboxes.fail("Inbox.claim");
        try (FeedEngine feed = on(production).build()) {
            assertThatThrownBy(() -> feed.follow("ann", "bob")).isInstanceOf(StoreUnavailableException.class);
            assertThat(inboxes.calls("Inbox.beginFollow")).isZero();
            inboxes.heal();
            feed.follow("ann", "bob");
            int claims = inboxes.calls("Inbox.claim");
            feed.follow("ann", "cat");
            assertThat(inboxes.calls("Inbox.claim")).isEqualTo(claims);
            assertThatThrownBy(() -> on(staging).build()).isInstanceOf(ForeignStoreException.class);
        }
    }

    @Test
    @DisplayName("are not used by an engine that finds another owner after its start: it reads from the outboxes")
    void foundLater() {
        inboxes.fail("Inbox.claim");
        try (FeedEngine feed = on(staging).build()) {
            staging.graph().add(List.of(new Edge("ann", "bob")));
            Post post = feed.publish("bob", "1").post();
            inboxes.heal();
            on(production).build().close();
            assertThat(feed.read("ann", FIRST).items()).containsExactly(post);
            assertThatThrownBy(() -> feed.follow("ann", "cat"))
                    .isInstanceOfSatisfying(
                            StoreUnavailableException.class,
                            e -> assertThat(e.isRetryable()).isTrue())
                    .hasRootCauseInstanceOf(ForeignStoreException.class);
            feed.fanout().drain();
            assertThat(feed.fanout().backlog().tasks()).isOne();
            assertThat(feed.fanout().backlog().deadLetters()).isZero();
            assertThat(inboxes.calls("Inbox.slice")).isZero();
            assertThat(inboxes.calls("Inbox.deliver")).isZero();
        }
    }

    @Test
    @DisplayName("are claimed again about once a second, since they may have lost the record of their owner")
    void claimedAgain() {
        try (FeedEngine feed = on(production).build()) {
            feed.follow("ann", "bob");
            for (int i = 0; i < 5; i++) {
                int before = inboxes.calls("Inbox.claim");
                clock.advance(Duration.ofMillis(1001));
                feed.read("ann", FIRST);
                feed.read("ann", FIRST);
                assertThat(inboxes.calls("Inbox.claim")).isEqualTo(before + 1);
            }
        }
    }
}

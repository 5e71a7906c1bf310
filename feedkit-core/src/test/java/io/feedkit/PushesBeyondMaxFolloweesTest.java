package io.feedkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.event.FeedListener;
import io.feedkit.event.PostDelivered;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Order;
import io.feedkit.spi.PositionRange;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A reader who follows ten times maxFollowees")
class PushesBeyondMaxFolloweesTest {

    private static final int FOLLOWEES = 100;
    private static final int MOST = 10;
    private static final int CAP = 40;
    private static final int ROUNDS = 10;

    private final ManualClock clock = new ManualClock();
    private final ProbedStore store = new ProbedStore(InMemoryFeedStore.create(clock));
    private final AtomicInteger added = new AtomicInteger();
    private final FeedEngine engine = FeedEngine.builder(store)
            .clock(clock)
            .workers(0)
            .cap(CAP)
            .maxFollowees(MOST)
            .listener(new FeedListener() {
                @Override
                public void delivered(PostDelivered event) {
                    added.addAndGet(event.readers().size());
                }
            })
            .build();

    @BeforeEach
    void publish() {
        for (int author = 0; author < FOLLOWEES; author++) {
            engine.follow("ann", "author-" + (100 + author));
        }
        engine.read("ann", PageRequest.first(1));
        for (int round = 0; round < ROUNDS; round++) {
            for (int author = 0; author < FOLLOWEES; author++) {
                clock.advance(Duration.ofSeconds(1));
                engine.publish("author-" + (100 + author), "p" + round);
            }
        }
        engine.fanout().drain();
    }

    @AfterEach
    void close() {
        engine.close();
    }

    @Test
    @DisplayName("costs a delivery for each post of a followee, and no more memory than any other reader")
    void deliveries() {
        assertThat(added).hasValue(ROUNDS * FOLLOWEES);
        InboxLimits limits = new InboxLimits(2 * CAP, FeedEngineBuilder.DEFAULT_LIVE_WINDOW.toMillis());
        SliceQuery whole = new SliceQuery("ann", PositionRange.ALL, Order.NEWEST_FIRST, 2 * CAP, false);
        assertThat(store.inbox(limits).slice(List.of(whole)).get(0).posts()).hasSizeBetween(CAP, CAP + CAP / 8);
    }

    @Test
    @DisplayName("loses no post: where the inbox ends, pages are read from the outboxes of maxFollowees authors")
    void pages() {
        int slices = store.calls("Inbox.slice");
        int outboxes = store.calls("Outbox.page");
        FeedPage<Post> page = engine.read("ann", PageRequest.first(MOST * ROUNDS));
        assertThat(page.items())
                .hasSize(MOST * ROUNDS)
                .allMatch(post -> post.author().compareTo("author-110") < 0);
        assertThat(page.caveats()).containsExactly(FeedPage.Caveat.SOME_FOLLOWEES);
        assertThat(store.calls("Outbox.page") - outboxes).isBetween(1, 3);
        assertThat(store.calls("Inbox.slice") - slices).isBetween(1, 5);
    }
}

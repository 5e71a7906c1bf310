package io.feedkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.memory.InMemoryTransaction;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.Inbox.State;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Order;
import io.feedkit.spi.PositionRange;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Where publishing counts as activity")
class PublishingActivityTest {

    private static final Duration WINDOW = Duration.ofHours(1);
    private static final Duration MOST_OF_WINDOW = Duration.ofMinutes(50);

    private final ManualClock clock = new ManualClock();
    private final InMemoryFeedStore memory = InMemoryFeedStore.create(clock);
    private final ProbedStore store = new ProbedStore(memory);
    private FeedEngine engine = engine(true);
    private int posts;

    private FeedEngine engine(boolean counts) {
        return FeedEngine.builder(store)
                .clock(clock)
                .workers(0)
                .liveWindow(WINDOW)
                .publishingCountsAsActivity(counts)
                .build();
    }

    /** Bob has an inbox and reads no more. */
    @BeforeEach
    void open() {
        engine.follow("bob", "cat");
        engine.read("bob", PageRequest.first(1));
        assertThat(inbox("bob")).isEqualTo(State.LIVE);
        clock.advance(MOST_OF_WINDOW);
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private State inbox(String reader) {
        SliceQuery query = new SliceQuery(reader, PositionRange.ALL, Order.NEWEST_FIRST, 1, false);
        return store.inbox(new InboxLimits(FeedEngineBuilder.DEFAULT_CAP, WINDOW.toMillis()))
                .slice(List.of(query))
                .get(0)
                .state();
    }

    private Post post() {
        return new Post("bob", "p" + ++posts, clock.instant());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("an author who writes and does not read stays live, and gets pushes; elsewhere not")
    void publish(boolean counts) {
        engine.close();
        engine = engine(counts);
        engine.publish(post());
        clock.advance(MOST_OF_WINDOW);
        engine.publishAll(List.of(post(), new Post("cat", "news", clock.instant())));
        engine.fanout().drain();
        assertThat(inbox("bob")).isEqualTo(counts ? State.LIVE : State.ABSENT);
        clock.advance(WINDOW);
        assertThat(inbox("bob")).isEqualTo(State.ABSENT);
    }

    @Test
    @DisplayName("a publish in a transaction counts after the commit")
    void transaction() {
        try (InMemoryTransaction transaction = memory.begin()) {
            engine.publish(post(), transaction);
            engine.fanout().drain();
            transaction.commit();
        }
        clock.advance(Duration.ofMinutes(1));
        engine.fanout().drain();
        clock.advance(MOST_OF_WINDOW);
        assertThat(inbox("bob")).isEqualTo(State.LIVE);
    }

    @Test
    @DisplayName("a publish that was rolled back, repeated or imported does not count")
    void others() {
        Post known = new Post("bob", "known", ManualClock.START);
        engine.importPosts(List.of(known));
        engine.publish(known);
        try (InMemoryTransaction transaction = memory.begin()) {
            engine.publish(post(), transaction);
            transaction.rollback();
        }
        engine.fanout().drain();
        clock.advance(MOST_OF_WINDOW);
        assertThat(inbox("bob")).isEqualTo(State.ABSENT);
    }

    @Test
    @DisplayName("a publish opens no inbox, and succeeds while the inbox store is down")
    void opensNothing() {
        engine.follow("zoe", "cat");
        engine.publish("zoe", "first");
        assertThat(inbox("zoe")).isEqualTo(State.ABSENT);
        store.fail("Inbox.slice");
        assertThat(engine.publish("zoe", "second").status()).isEqualTo(Published.Status.NEW);
    }
}

package io.feedkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Order;
import io.feedkit.spi.PositionRange;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A deleted post")
class RetractionTest {

    private static final int FOLLOWERS = 500;
    private static final Pattern READER = Pattern.compile("reader-\\d+");

    /** How a post that was only pulled gets into an inbox. */
    private enum Way {
        BUILD {
            @Override
            void fill(FeedEngine engine) {
                engine.follow("ann", "bob");
                engine.publish("bob", "gone");
                engine.read("ann", PageRequest.first(1));
            }
        },
        REFRESH {
            @Override
            void fill(FeedEngine engine) {
                engine.follow("ann", "bob");
                engine.read("ann", PageRequest.first(1));
                engine.publish("bob", "gone");
                engine.refresh("ann");
            }
        },
        FOLLOW {
            @Override
            void fill(FeedEngine engine) {
                engine.follow("ann", "cat");
                engine.read("ann", PageRequest.first(1));
                engine.publish("bob", "gone");
                engine.follow("ann", "bob");
            }
        };

        abstract void fill(FeedEngine engine);
    }

    private final ManualClock clock = new ManualClock();
    private final ProbedStore store = new ProbedStore(InMemoryFeedStore.create(clock));
    private final FeedEngine engine = FeedEngine.builder(store)
            .clock(clock)
            .workers(0)
            .reading(reading -> reading.staleness(Duration.ZERO))
            .build();

    @AfterEach
    void close() {
        engine.close();
    }

    private void retract() {
        engine.delete("bob", "gone");
        engine.fanout().drain();
        clock.advance(FeedEngineBuilder.DEFAULT_LEASE);
        engine.fanout().drain();
        assertThat(engine.fanout().backlog().tasks() + engine.fanout().backlog().deferred())
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("is taken out of each follower's inbox once, whether it was pushed or only pulled")
    void onceForEachFollower(boolean pulled) {
        engine.usePolicy(pulled ? FanoutPolicy.pull() : FanoutPolicy.push());
        IntStream.range(0, FOLLOWERS).forEach(n -> {
            engine.follow("reader-" + n, "bob");
            engine.read("reader-" + n, PageRequest.first(1));
        });
        engine.publish("bob", "gone");
        engine.fanout().drain();
        AtomicInteger retractions = new AtomicInteger();
        store.observe(
                "Inbox.retract",
                arguments -> retractions.addAndGet(
                        (int) READER.matcher(arguments).results().count()));
        retract();
        assertThat(retractions).hasValue(FOLLOWERS);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("that was only pulled is taken out of inboxes that were built, refreshed or filled meanwhile")
    void pulledPostsStandInInboxes(Way way) {
        engine.usePolicy(FanoutPolicy.pull());
        way.fill(engine);
        engine.fanout().drain();
        assertThat(held()).containsExactly("gone");
        retract();
        assertThat(held()).isEmpty();
    }

    @Test
    @DisplayName("is hidden from the delete on, though it stands in inboxes for a lease")
    void hiddenAtOnce() {
        Way.BUILD.fill(engine);
        engine.fanout().drain();
        engine.delete("bob", "gone");
        engine.fanout().drain();
        assertThat(held()).containsExactly("gone");
        assertThat(engine.read("ann", PageRequest.first(10)).items()).isEmpty();
    }

    /** What the inbox store holds, without the parts of the engine that hide posts. */
    private List<String> held() {
        Inbox inbox = store.inbox(
                new InboxLimits(FeedEngineBuilder.DEFAULT_CAP, FeedEngineBuilder.DEFAULT_LIVE_WINDOW.toMillis()));
        return inbox
                .slice(List.of(new SliceQuery("ann", PositionRange.ALL, Order.NEWEST_FIRST, 10, false)))
                .get(0)
                .posts()
                .stream()
                .map(Post::id)
                .toList();
    }
}

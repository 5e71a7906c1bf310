package io.feedkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Delivery;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.PulledRegister;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A count assumes the seen mark that was read last, while the mark is read again:")
class AssumedMarksTest {

    private final ManualClock clock = new ManualClock();
    private final InMemoryFeedStore memory = InMemoryFeedStore.create(clock);
    private final ProbedStore store = new ProbedStore(memory);
    private final FeedEngine engine = engine(store);
    private final FeedEngine elsewhere = engine(memory);
    private final List<Cursor> marks = new ArrayList<>();

    private FeedEngine engine(FeedStore on) {
        return FeedEngine.builder(on).clock(clock).workers(0).ownPosts(false).build();
    }

    @BeforeEach
    void fill() {
        for (String reader : List.of("ann", "zoe")) {
            elsewhere.follow(reader, "bob");
        }
        for (int n = 0; n < 4; n++) {
            clock.advance(Duration.ofMinutes(5));
            elsewhere.publish("bob", "p" + n);
            elsewhere.fanout().drain();
            marks.add(elsewhere.read("ann", PageRequest.first(1)).newer());
            elsewhere.read("zoe", PageRequest.first(1));
        }
    }

    private Map<String, Long> counts(String... readers) {
        Map<String, Long> counts = new HashMap<>();
        engine.unread(List.of(readers)).forEach((reader, unread) -> counts.put(reader, unread.count()));
        return counts;
    }

    @Test
    @DisplayName("a mark that has changed meanwhile is used, and other feeds of the call are not counted again")
    void changed() {
        assertThat(counts("ann", "zoe")).isEqualTo(Map.of("ann", 4L, "zoe", 4L));
        elsewhere.markSeen("ann", marks.get(2));
        assertThat(counts("ann", "zoe")).isEqualTo(Map.of("ann", 1L, "zoe", 4L));
        elsewhere.resetSeen("ann", marks.get(0));
        List<String> asked = new ArrayList<>();
        store.observe("Inbox.count", asked::add);
        assertThat(counts("ann", "zoe")).isEqualTo(Map.of("ann", 3L, "zoe", 4L));
        assertThat(asked).hasSize(2);
        assertThat(asked.get(0)).contains("reader=ann").contains("reader=zoe");
        assertThat(asked.get(1)).contains("reader=ann").doesNotContain("reader=zoe");
    }

    @Test
    @DisplayName("so it does a mark that the engine itself has changed")
    void ownMarks() {
        assertThat(counts("ann", "zoe")).isEqualTo(Map.of("ann", 4L, "zoe", 4L));
        List<String> asked = new ArrayList<>();
        store.observe("Inbox.count", asked::add);
        engine.markSeen("ann", marks.get(2));
        assertThat(counts("ann", "zoe")).isEqualTo(Map.of("ann", 1L, "zoe", 4L));
        engine.resetSeen("ann", marks.get(0));
        engine.markSeen(List.of("zoe"), marks.get(1));
        assertThat(counts("ann", "zoe")).isEqualTo(Map.of("ann", 3L, "zoe", 2L));
        assertThat(asked).hasSize(2);
    }

    @Test
    @DisplayName("a mark that changes between the count and the reading of the mark is used")
    void changedBetween() {
        assertThat(counts("ann")).isEqualTo(Map.of("ann", 4L));
        store.after("Inbox.count", () -> {
            store.heal();
            elsewhere.markSeen("ann", marks.get(3));
        });
        assertThat(counts("ann")).isEqualTo(Map.of("ann", 0L));
    }

    @Test
    @DisplayName("an inbox that was empty above the mark is counted apart from pulled posts once it has entries there")
    void filledAboveMark() {
        PulledRegister register = memory.outbox().pulled();
        Inbox inbox = memory.inbox(new InboxLimits(1000, 3_600_000));
        assertThat(counts("ann")).isEqualTo(Map.of("ann", 4L));
        await().untilAsserted(() -> {
            int before = store.calls("Inbox.slice");
            assertThat(counts("ann")).isEqualTo(Map.of("ann", 4L));
            assertThat(store.calls("Inbox.slice") - before)
                    .as("reads of a known inbox")
                    .isZero();
        });
        engine.markSeen("ann", marks.get(3));
        assertThat(counts("ann")).isEqualTo(Map.of("ann", 0L));
        clock.advance(Duration.ofMinutes(5));
        Post pulled = elsewhere.publish("bob", "pulled").post();
        register.put(List.of(pulled));
        clock.advance(Duration.ofMinutes(5));
        assertThat(counts("ann")).isEqualTo(Map.of("ann", 1L));
        // As a catch-up does, before the author leaves the register.
        inbox.deliver(List.of(new Delivery(pulled, List.of("ann"), 0)));
        assertThat(counts("ann")).isEqualTo(Map.of("ann", 1L));
        assertThat(counts("ann")).isEqualTo(Map.of("ann", 1L));
    }

    @Test
    @DisplayName("readers without a remembered mark are counted with it")
    void someRemembered() {
        elsewhere.markSeen("zoe", marks.get(1));
        assertThat(counts("ann")).isEqualTo(Map.of("ann", 4L));
        assertThat(counts("ann", "zoe")).isEqualTo(Map.of("ann", 4L, "zoe", 2L));
        int before = store.calls("SeenMarks.lastSeen");
        assertThat(counts("zoe", "ann")).isEqualTo(Map.of("ann", 4L, "zoe", 2L));
        assertThat(store.calls("SeenMarks.lastSeen") - before).isOne();
    }

    @Test
    @DisplayName("the marks must be read, also if the inboxes answer")
    void marksAreDown() {
        assertThat(counts("ann")).isEqualTo(Map.of("ann", 4L));
        store.fail("SeenMarks.lastSeen");
        for (int i = 0; i < 10; i++) {
            assertThatThrownBy(() -> engine.unread("ann")).isInstanceOf(StoreUnavailableException.class);
        }
        store.heal();
        int before = store.calls("Inbox.count");
        assertThat(counts("ann")).isEqualTo(Map.of("ann", 4L));
        assertThat(store.calls("Inbox.count") - before)
                .as("the failures of the marks are not those of the inboxes")
                .isOne();
    }

    @Test
    @DisplayName("while the inboxes are down, the marks are read once, and apply")
    void inboxesAreDown() {
        assertThat(counts("ann", "zoe")).isEqualTo(Map.of("ann", 4L, "zoe", 4L));
        elsewhere.markSeen("ann", marks.get(2));
        store.fail("Inbox.count");
        store.fail("Inbox.slice");
        int before = store.calls("SeenMarks.lastSeen");
        assertThat(counts("ann", "zoe")).isEqualTo(Map.of("ann", 1L, "zoe", 4L));
        assertThat(store.calls("SeenMarks.lastSeen") - before).isOne();
    }
}

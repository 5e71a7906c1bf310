package io.feedkit.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Delivery;
import io.feedkit.spi.Inbox.Outcome;
import io.feedkit.spi.Inbox.Retraction;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.Inbox.State;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Order;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The inbox in memory")
class MemoryInboxTest {

    private static final long WINDOW = 1_000;

    private final SettableClock clock = new SettableClock(5_000);
    private final ReaderInboxes inboxes = new ReaderInboxes();
    private final Inbox inbox = view(16);

    @Test
    @DisplayName("gives the memory of abandoned inboxes back while others are used")
    void sweepsAbandoned() {
        for (int i = 0; i < 1_000; i++) {
            openLive("away-" + i);
        }
        clock.set(5_000 + WINDOW);

        for (int i = 0; i < 1_000 && inboxes.size() > 0; i++) {
            inbox.deliver(List.of(new Delivery(post(1), List.of("somebody"), 0)));
        }

        assertThat(inboxes.size()).isZero();
    }

    @Test
    @DisplayName("keeps the notes of unfinished follows, however old, and forgets an epoch alone after a window")
    void sweepsEpochs() {
        inbox.beginFollow("pending", List.of("author"));
        long token = inbox.beginFollow("done", List.of("author"));
        inbox.endFollow("done", List.of("author"), token, 0);
        assertThat(slice("done").epoch()).isGreaterThan(token);

        clock.set(5_000 + WINDOW);
        for (int i = 0; i < 5; i++) {
            slice("somebody");
        }

        assertThat(inboxes.size()).isEqualTo(1);
        assertThat(slice("pending").pending()).containsExactly("author");
        assertThat(slice("done").epoch()).isZero();
    }

    @Test
    @DisplayName("gives the memory of a builder that died back")
    void sweepsBuilders() {
        inbox.open("reader", 3 * WINDOW, false);
        clock.set(5_000 + 2 * WINDOW);
        slice("somebody");
        assertThat(slice("reader").state()).isEqualTo(State.BUILDING);

        clock.set(5_000 + 3 * WINDOW);
        for (int i = 0; i < 3; i++) {
            slice("somebody");
        }

        assertThat(inboxes.size()).isZero();
    }

    @Test
    @DisplayName("enters nothing in a record that is being taken out")
    void retiredRecord() {
        ReaderInbox retired = inboxes.with("reader", record -> record);
        retired.retire();

        ReaderInbox fresh = inboxes.with("reader", record -> record);

        assertThat(fresh).isNotSameAs(retired);
        assertThat(inboxes.find("reader")).isSameAs(fresh);
    }

    @Test
    @DisplayName("is seen through several caps at once")
    void severalCaps() {
        Inbox narrow = view(2);
        openLive("reader");
        for (int i = 1; i <= 10; i++) {
            inbox.deliver(List.of(new Delivery(post(i), List.of("reader"), 0)));
        }

        Slice shown = slice(narrow, "reader");
        assertThat(shown.posts()).containsExactly(post(10), post(9));
        assertThat(shown.floor()).isEqualTo(Position.of(post(9)));
        assertThat(slice("reader").floor()).isEqualTo(Position.LOWEST);

        narrow.deliver(List.of(new Delivery(post(11), List.of("reader"), 0)));
        assertThat(slice("reader").floor()).isEqualTo(Position.of(post(10)));
    }

    @Test
    @DisplayName("stays sorted, bounded and complete above its floor while posts are delivered, merged and retracted "
            + "in several threads")
    void concurrentWrites() throws Exception {
        int posts = 4_000;
        long generation = openLive("reader");

        Concurrently.run(4, thread -> {
            Random random = new Random(thread);
            for (int i = 0; i < posts; i += 4) {
                Post post = post(1 + i + thread);
                if (random.nextInt(4) == 0) {
                    assertThat(inbox.merge("reader", generation, List.of(post), Position.LOWEST))
                            .isTrue();
                } else {
                    inbox.deliver(List.of(new Delivery(post, List.of("reader"), 0)));
                }
                if (post.publishedAt().toEpochMilli() % 3 == 0) {
                    inbox.retract(List.of(new Retraction(post, List.of("reader"))));
                }
                Slice slice = slice("reader");
                assertThat(slice.posts()).hasSizeLessThanOrEqualTo(16).isSortedAccordingTo(newestFirst());
            }
            return true;
        });

        Slice slice = slice("reader");
        List<Post> expected = new ArrayList<>();
        for (int millis = posts; millis > 0; millis--) {
            if (millis % 3 != 0 && slice.floor().compareOf(post(millis)) >= 0) {
                expected.add(post(millis));
            }
        }
        assertThat(slice.posts()).isEqualTo(expected);
    }

    @Test
    @DisplayName("loses no entry to a new opening while inboxes expire, are dropped and opened again")
    void concurrentOpenings() throws Exception {
        Concurrently.run(4, thread -> {
            Random random = new Random(thread);
            for (int i = 0; i < 20_000; i++) {
                int roll = random.nextInt(100);
                if (roll == 0) {
                    clock.set(clock.millis() + WINDOW);
                } else if (roll < 3) {
                    inbox.drop(List.of("reader"));
                } else if (roll < 50) {
                    Slice slice = slice("reader");
                    assertThat(slice.state() == State.LIVE || slice.posts().isEmpty())
                            .isTrue();
                } else {
                    openLive("reader");
                }
            }
            return true;
        });

        openLive("reader");
        assertThat(inbox.deliver(List.of(new Delivery(post(1), List.of("reader"), 0))))
                .containsExactly(List.of(Outcome.ADDED));
        assertThat(slice("reader").posts()).containsExactly(post(1));
    }

    private long openLive(String reader) {
        long generation = inbox.open(reader, 0, false).generation();
        inbox.complete(reader, generation, 0, 0);
        return generation;
    }

    private Inbox view(int cap) {
        return new MemoryInbox(inboxes, new InboxLimits(cap, WINDOW), clock);
    }

    private Slice slice(String reader) {
        return slice(inbox, reader);
    }

    private static Slice slice(Inbox view, String reader) {
        return view.slice(List.of(new SliceQuery(reader, PositionRange.ALL, Order.NEWEST_FIRST, 100, false)))
                .get(0);
    }

    private static Comparator<Post> newestFirst() {
        return (a, b) -> Position.compare(b, a);
    }

    private static Post post(long millis) {
        return Post.of("author", "p" + millis, millis);
    }
}

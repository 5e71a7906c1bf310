package io.feedkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.memory.InMemoryTransaction;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Order;
import io.feedkit.spi.PositionRange;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Own posts that were published in a transaction")
class OwnPostsTest {

    private static final int REMEMBERED = 10_000;
    private static final String LOOK_UP = "Outbox.existing";

    private final ManualClock clock = new ManualClock();
    private final InMemoryFeedStore memory = InMemoryFeedStore.create(clock);
    private final ProbedStore store = new ProbedStore(memory);
    private final FeedEngine feed = builder().ownPosts(true).build();

    private FeedEngineBuilder builder() {
        return FeedEngine.builder(store).clock(clock).workers(0).policy(FanoutPolicy.pull());
    }

    /** Who follows nobody has no inbox. */
    @BeforeEach
    void follow() {
        List.of("bob", "cat").forEach(author -> feed.follow(author, "silent"));
    }

    @AfterEach
    void close() {
        feed.close();
    }

    private static List<String> read(FeedEngine engine, String reader) {
        return engine.read(reader, PageRequest.first(10)).items().stream()
                .map(Post::id)
                .toList();
    }

    private static Post post(String author, String id) {
        return Post.of(author, id, 1);
    }

    private InMemoryTransaction open(FeedEngine engine, Post post) {
        InMemoryTransaction transaction = memory.begin();
        engine.publish(post, transaction);
        return transaction;
    }

    private int lookUpsOf(Runnable action) {
        int before = store.calls(LOOK_UP);
        action.run();
        return store.calls(LOOK_UP) - before;
    }

    @Test
    @DisplayName("cost reads of others nothing, and the author's nothing once they are delivered")
    void cost() {
        read(feed, "ann");
        read(feed, "bob");
        InMemoryTransaction transaction = open(feed, post("bob", "1"));
        assertThat(lookUpsOf(() -> read(feed, "ann"))).isZero();
        assertThat(lookUpsOf(() -> read(feed, "bob"))).isEqualTo(1);
        transaction.commit();
        assertThat(read(feed, "bob")).containsExactly("1");
        assertThat(lookUpsOf(() -> read(feed, "bob"))).isZero();
    }

    @Test
    @DisplayName("are looked for until they have been remembered for an hour")
    void forgottenInTime() {
        read(feed, "bob");
        InMemoryTransaction late = open(feed, post("bob", "late"));
        open(feed, post("bob", "never")).rollback();
        clock.advance(Duration.ofMinutes(59));
        assertThat(lookUpsOf(() -> read(feed, "bob"))).isEqualTo(1);
        clock.advance(Duration.ofMinutes(1));
        late.commit();
        assertThat(lookUpsOf(() -> read(feed, "bob"))).isZero();
        feed.fanout().drain();
        assertThat(read(feed, "bob")).containsExactly("late");
    }

    @Test
    @DisplayName("are remembered up to a number, and the oldest make room")
    void forgottenByNumber() {
        read(feed, "bob");
        read(feed, "cat");
        InMemoryTransaction first = open(feed, post("bob", "1"));
        InMemoryTransaction second = open(feed, post("cat", "1"));
        try (InMemoryTransaction others = memory.begin()) {
            for (int i = 0; i < REMEMBERED - 1; i++) {
                feed.publish(post("dan", "post-" + i), others);
            }
        }
        first.commit();
        second.commit();
        assertThat(lookUpsOf(() -> read(feed, "bob"))).isZero();
        assertThat(read(feed, "cat")).containsExactly("1");
    }

    @Test
    @DisplayName("are never counted as unread")
    void unread() {
        read(feed, "bob");
        open(feed, post("bob", "1")).commit();
        assertThat(feed.unread("bob").count()).isZero();
    }

    @Test
    @DisplayName("are not looked for if own posts do not belong to the feed")
    void optedOut() {
        try (FeedEngine without = builder().ownPosts(false).build()) {
            read(without, "bob");
            open(without, post("bob", "1")).commit();
            assertThat(lookUpsOf(() -> assertThat(read(without, "bob")).isEmpty()))
                    .isZero();
        }
    }

    @Test
    @DisplayName("never fail a page: what cannot be looked up, delivered or checked is tried again at the next read")
    void failures() {
        for (String call : List.of(LOOK_UP, "Inbox.deliver")) {
            read(feed, "bob");
            open(feed, post("bob", call)).commit();
            store.fail(call);
            assertThat(read(feed, "bob")).as("while %s fails", call).doesNotContain(call);
            store.heal();
            assertThat(read(feed, "bob")).contains(call);
        }
        open(feed, post("bob", "unchecked")).commit();
        store.after("Inbox.deliver", () -> store.fail(LOOK_UP));
        assertThat(read(feed, "bob")).contains("unchecked");
        store.heal();
        assertThat(lookUpsOf(() -> read(feed, "bob"))).isEqualTo(2);
        assertThat(lookUpsOf(() -> read(feed, "bob"))).isZero();
    }

    @Test
    @DisplayName("are all found, however many they are, among other posts of the author")
    void many() {
        read(feed, "bob");
        try (InMemoryTransaction transaction = memory.begin()) {
            for (int i = 0; i < 1200; i++) {
                feed.publish(Post.of("bob", "own-" + i, 10L * i), transaction);
            }
            transaction.commit();
        }
        try (FeedEngine other = builder().build()) {
            for (int i = 0; i < 1200; i++) {
                other.publish(Post.of("bob", "other-" + i, 10L * i + 5));
            }
        }
        assertThat(read(feed, "bob")).hasSize(10);
        assertThat(lookUpsOf(() -> read(feed, "bob"))).isZero();
        assertThat(inboxOfBob())
                .filteredOn(post -> post.id().startsWith("own-"))
                .hasSizeGreaterThan(700);
    }

    private List<Post> inboxOfBob() {
        InboxLimits limits =
                new InboxLimits(FeedEngineBuilder.DEFAULT_CAP, FeedEngineBuilder.DEFAULT_LIVE_WINDOW.toMillis());
        SliceQuery query = new SliceQuery("bob", PositionRange.ALL, Order.NEWEST_FIRST, 2000, false);
        return memory.inbox(limits).slice(List.of(query)).get(0).posts();
    }

    @Test
    @DisplayName("that the host publishes again, with another time, while a read looks for them are found by that read")
    void publishedAgainMeanwhile() {
        read(feed, "bob");
        open(feed, post("bob", "1")).rollback();
        Post again = Post.of("bob", "1", 2);
        store.before(LOOK_UP, () -> {
            store.heal();
            open(feed, again).commit();
        });
        assertThat(feed.read("bob", PageRequest.first(10)).items()).containsExactly(again);
    }

    @Test
    @DisplayName("that the host publishes again after a rollback are found after that commit")
    void publishedAgain() {
        read(feed, "bob");
        open(feed, post("bob", "1")).rollback();
        assertThat(read(feed, "bob")).isEmpty();
        open(feed, post("bob", "1")).commit();
        assertThat(read(feed, "bob")).containsExactly("1");
    }
}

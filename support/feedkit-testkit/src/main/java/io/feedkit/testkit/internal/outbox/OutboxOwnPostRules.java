package io.feedkit.testkit.internal.outbox;

import static io.feedkit.testkit.internal.Samples.post;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.StoreUnavailableException;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Order;
import io.feedkit.spi.PositionRange;
import io.feedkit.testkit.forwarding.InterleavingStore;
import io.feedkit.testkit.internal.KitClock;
import io.feedkit.testkit.internal.Samples;
import io.feedkit.testkit.internal.outbox.TransactionalKit.OpenTransaction;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An author's reads of own posts that were published in transactions of the host. The reads are on the publishing
 * engine, before a worker has handled the posts. The outbox is under test; the other parts are in memory.
 */
public abstract class OutboxOwnPostRules extends OutboxRules {

    private static final String BOB = "bob";
    private static final PageRequest FIRST = PageRequest.first(50);

    private final TransactionalKit host;
    private InterleavingStore store;
    private FeedEngine feed;

    protected OutboxOwnPostRules(TransactionalKit kit) {
        super(kit);
        host = kit;
        store = emptyStore();
        feed = engine(FanoutMode.PUSH);
    }

    private InterleavingStore emptyStore() {
        InMemoryFeedStore memory = InMemoryFeedStore.create(clock());
        return InterleavingStore.of(FeedStore.of(host.outbox(), memory::inbox, memory.graph(), memory.seenMarks()));
    }

    private Clock clock() {
        return new KitClock(kit);
    }

    private FeedEngine engine(FanoutMode mode) {
        return FeedEngine.builder(store)
                .clock(clock())
                .workers(0)
                .reading(reading -> reading.staleness(Duration.ZERO))
                .ownPosts(true)
                .policy(author -> mode)
                .build();
    }

    @BeforeEach
    void visit() {
        feed.follow(BOB, "silent");
        assertThat(read()).isEmpty();
    }

    @AfterEach
    void close() {
        feed.close();
        assertThat(store.unreached()).isEmpty();
    }

    private List<Post> read() {
        return feed.read(BOB, FIRST).items();
    }

    private OpenTransaction publish(Post post) {
        OpenTransaction transaction = host.begin();
        feed.publish(post, transaction.handle());
        return transaction;
    }

    /** The real content of the author's inbox, including posts that reads hide. */
    private List<Post> inbox() {
        InboxLimits limits =
                new InboxLimits(FeedEngineBuilder.DEFAULT_CAP, FeedEngineBuilder.DEFAULT_LIVE_WINDOW.toMillis());
        SliceQuery query = new SliceQuery(BOB, PositionRange.ALL, Order.NEWEST_FIRST, 50, false);
        return store.inbox(limits).slice(List.of(query)).get(0).posts();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("an own post is visible as soon as the transaction is committed, not before, and only once")
    void committed(FanoutMode mode) {
        feed.close();
        feed = engine(mode);
        Post post = post(BOB, 1);
        OpenTransaction transaction = publish(post);
        assertThat(read()).as("before the commit").isEmpty();
        transaction.commit().run();
        assertThat(read()).as("after the commit").containsExactly(post);
        feed.fanout().drain();
        assertThat(read()).as("after the fan-out").containsExactly(post);
    }

    @Test
    @DisplayName("an own post whose transaction is rolled back never shows, until it is published again")
    void rolledBack() {
        Post post = post(BOB, 1);
        publish(post).rollback().run();
        assertThat(read()).isEmpty();
        feed.fanout().drain();
        assertThat(read()).isEmpty();
        assertThat(inbox()).isEmpty();
        publish(post).commit().run();
        assertThat(read()).containsExactly(post);
    }

    @Test
    @DisplayName("posts of committed transactions are visible, and posts of open ones are not")
    void someCommitted() {
        OpenTransaction first = publish(post(BOB, 1));
        OpenTransaction second = publish(post(BOB, 2));
        OpenTransaction third = publish(post(BOB, 3));
        second.commit().run();
        assertThat(read()).containsExactly(post(BOB, 2));
        third.rollback().run();
        first.commit().run();
        assertThat(read()).containsExactly(post(BOB, 2), post(BOB, 1));
    }

    @Test
    @DisplayName(
            "an own post that is rolled back, and published with another time by another engine, shows once, at that"
                    + " time")
    void publishedElsewhere() {
        Post rolledBack = post(BOB, 1);
        Post published = Post.of(BOB, rolledBack.id(), Samples.EPOCH + 100);
        publish(rolledBack).rollback().run();
        outbox.append(published);
        assertThat(read()).doesNotContain(rolledBack);
        assertThat(inbox()).doesNotContain(rolledBack);
        feed.fanout().drain();
        assertThat(read()).containsExactly(published);
    }

    @Test
    @DisplayName("an own post that is deleted between the commit and the read never shows")
    void deletedBefore() {
        Post post = post(BOB, 1);
        publish(post).commit().run();
        outbox.delete(post.key());
        assertThat(read()).isEmpty();
        assertThat(inbox()).isEmpty();
        feed.fanout().drain();
        assertThat(read()).isEmpty();
    }

    @Test
    @DisplayName("an own post that is deleted and retracted while a read delivers it does not stay in the inbox")
    void deletedMeanwhile() {
        Post post = post(BOB, 1);
        publish(post).commit().run();
        store.before("inbox.deliver", () -> {
            outbox.delete(post.key());
            outbox.settle();
        });
        assertThat(read()).isEmpty();
        assertThat(inbox()).isEmpty();
    }

    @Test
    @DisplayName("a page does not fail if an own post cannot be delivered; the next read shows the post")
    void undelivered() {
        Post post = post(BOB, 1);
        publish(post).commit().run();
        store.before("inbox.deliver", () -> {
            throw new StoreUnavailableException("inbox.deliver", null);
        });
        assertThat(read()).isEmpty();
        assertThat(read()).containsExactly(post);
    }
}

package io.feedkit.internal.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.HostsTable;
import io.feedkit.ManualClock;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.ProbedStore;
import io.feedkit.event.FeedListener;
import io.feedkit.event.PostDeleted;
import io.feedkit.event.PostPublished;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.GuardedListener;
import io.feedkit.internal.host.TestSettings;
import io.feedkit.internal.inbox.Backfill;
import io.feedkit.internal.inbox.CheckedInserts;
import io.feedkit.internal.inbox.Follows;
import io.feedkit.internal.inbox.InboxBreaker;
import io.feedkit.internal.inbox.InboxRenewal;
import io.feedkit.internal.presence.AuthorActivity;
import io.feedkit.internal.signal.FeedSignals;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Outbox.Publication;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What is remembered of open transactions is bounded")
class BoundedTransactionsTest {

    private final List<Post> published = new ArrayList<>();
    private final List<PostKey> deleted = new ArrayList<>();
    private final ManualClock clock = new ManualClock();
    private final InMemoryFeedStore memory = InMemoryFeedStore.create(clock);
    private final ProbedStore store = new ProbedStore(memory);
    private final EngineSettings settings = TestSettings.with(clock, 100);
    private final GuardedListener listener = new GuardedListener(settings, List.of(new FeedListener() {
        @Override
        public void published(PostPublished event) {
            published.add(event.post());
        }

        @Override
        public void deleted(PostDeleted event) {
            deleted.add(event.post());
        }
    }));
    private final CommitWatch commits = new CommitWatch(settings, store.outbox(), activity(), listener);

    private AuthorActivity activity() {
        InboxBreaker breaker = new InboxBreaker(settings);
        return new AuthorActivity(
                settings,
                new InboxRenewal(settings, store.inbox(settings.inboxes().limits()), breaker, (reader, slice) -> {}),
                authors -> {});
    }

    private static Post post(int number) {
        return Post.of("author-" + number, "p", 1);
    }

    private void append(Post post) {
        store.outbox().append(List.of(new Publication(post, FanoutMode.PULL)));
    }

    @Test
    @DisplayName("publishes in open transactions: the latest are told of, the oldest are not")
    void publishes() {
        CommitWatch uncommitted = commits;
        int last = 10 * CommitWatch.MAX_CHANGES - 1;
        int most = 0;
        for (int n = 0; n <= last; n++) {
            uncommitted.published(PostPublished.of(post(n), FanoutMode.PULL), clock.millis());
            most = Math.max(most, uncommitted.size());
        }
        assertThat(most).isEqualTo(CommitWatch.MAX_CHANGES);
        int oldest = last + 1 - CommitWatch.MAX_CHANGES;
        List.of(0, oldest - 1, oldest, last).forEach(n -> append(post(n)));
        uncommitted.look();
        assertThat(published).containsExactly(post(oldest), post(last));
        assertThat(uncommitted.size()).isEqualTo(CommitWatch.MAX_CHANGES - 2);
    }

    @Test
    @DisplayName("deletes in open transactions: the latest are told of, the oldest are not")
    void uncommittedDeletes() {
        CommitWatch uncommitted = commits;
        int last = 10 * CommitWatch.MAX_CHANGES - 1;
        int most = 0;
        for (int n = 0; n <= last; n++) {
            uncommitted.deleted(post(n).key(), clock.millis());
            most = Math.max(most, uncommitted.size());
        }
        assertThat(most).isEqualTo(CommitWatch.MAX_CHANGES);
        uncommitted.look();
        assertThat(deleted)
                .hasSize(CommitWatch.MAX_CHANGES)
                .contains(post(last).key())
                .doesNotContain(post(0).key());
        assertThat(uncommitted.size()).isZero();
    }

    @Test
    @DisplayName(
            "own posts of open transactions: the latest are looked for at a read, the oldest are left to their tasks")
    void ownPosts() {
        CheckedInserts inserts =
                new CheckedInserts(store.inbox(settings.inboxes().limits()), store.outbox(), () -> {});
        OwnPostDelivery own = new OwnPostDelivery(settings, store.outbox(), inserts, FeedSignals.NONE);
        int last = 10 * OwnPostDelivery.MAX_POSTS - 1;
        int most = 0;
        for (int n = 0; n <= last; n++) {
            own.remember(post(n));
            most = Math.max(most, own.size());
        }
        assertThat(most).isEqualTo(OwnPostDelivery.MAX_POSTS);
        append(post(last));
        own.deliver(post(0).author());
        assertThat(store.calls("Outbox.existing")).isZero();
        own.deliver(post(last).author());
        assertThat(store.calls("Inbox.deliver")).isOne();
        assertThat(own.size()).isEqualTo(OwnPostDelivery.MAX_POSTS - 1);
    }

    @Test
    @DisplayName("reported follows of open transactions: the latest are looked for, the oldest are not")
    void follows() {
        HostsTable table = new HostsTable();
        Inbox inbox = store.inbox(settings.inboxes().limits());
        CheckedInserts inserts = new CheckedInserts(inbox, store.outbox(), () -> {});
        FollowWatch reported = new FollowWatch(
                settings,
                table,
                new Follows(
                        inbox,
                        table,
                        new Backfill(settings, inbox, store.outbox(), inserts),
                        listener,
                        FeedSignals.NONE));
        int last = 10 * FollowWatch.MAX_REPORTS - 1;
        int most = 0;
        for (int n = 0; n <= last; n++) {
            reported.remember("reader-" + n, List.of("author"), true);
            most = Math.max(most, reported.size());
        }
        assertThat(most).isEqualTo(FollowWatch.MAX_REPORTS);
        reported.apply("reader-0");
        assertThat(table.questions()).isZero();
        table.insert("reader-" + last, "author");
        reported.apply("reader-" + last);
        assertThat(store.calls("Inbox.endFollow")).isOne();
        assertThat(reported.size()).isEqualTo(FollowWatch.MAX_REPORTS - 1);
        clock.advance(Duration.ofMillis(FollowWatch.KEPT_MILLIS));
        reported.lookIfDue();
        assertThat(reported.size()).isZero();
    }

    @Test
    @DisplayName("reported follows of open transactions: a look asks for few readers, and again after a pause")
    void followsInTurns() {
        HostsTable table = new HostsTable();
        Inbox inbox = store.inbox(settings.inboxes().limits());
        CheckedInserts inserts = new CheckedInserts(inbox, store.outbox(), () -> {});
        FollowWatch reported = new FollowWatch(
                settings,
                table,
                new Follows(
                        inbox,
                        table,
                        new Backfill(settings, inbox, store.outbox(), inserts),
                        listener,
                        FeedSignals.NONE));
        for (int n = 0; n < 120; n++) {
            reported.remember("reader-" + n, List.of("author"), true);
        }
        reported.lookIfDue();
        assertThat(table.questions()).isEqualTo(50);
        reported.lookIfDue();
        reported.lookIfDue();
        reported.lookIfDue();
        assertThat(table.questions()).isEqualTo(120);
        table.breakDown(true);
        clock.advance(Duration.ofMillis(2));
        reported.lookIfDue();
        assertThat(table.questions()).isEqualTo(121);
    }
}

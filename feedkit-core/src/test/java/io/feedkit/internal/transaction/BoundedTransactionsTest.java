package io.feedkit.internal.transaction;

import static org.assertj.core.api.Assertions.assertThat;

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
import io.feedkit.internal.inbox.CheckedInserts;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.Outbox.Publication;
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
    private final GuardedListener listener = new GuardedListener(settings, new FeedListener() {
        @Override
        public void published(PostPublished event) {
            published.add(event.post());
        }

        @Override
        public void deleted(PostDeleted event) {
            deleted.add(event.post());
        }
    });
    private final CommitWatch commits = new CommitWatch(settings, store.outbox(), listener);

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
            uncommitted.published(new PostPublished(post(n), FanoutMode.PULL), clock.millis());
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
        CheckedInserts inserts = new CheckedInserts(store.inbox(settings.limits()), store.outbox(), () -> {});
        OwnPostDelivery own = new OwnPostDelivery(settings, store.outbox(), inserts);
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
}

package io.feedkit.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.ManualClock;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.ProbedStore;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.internal.cache.HeadCache.Head;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.TestSettings;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Outbox.Publication;
import io.feedkit.spi.Position;
import io.feedkit.spi.PulledRegister;
import io.feedkit.spi.WritableFollowGraph.Edge;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What an engine remembers of a store is bounded")
class BoundedCachesTest {

    private static final int FOLLOWEE_IDS = 100;
    private final ManualClock clock = new ManualClock();
    private final InMemoryFeedStore memory = InMemoryFeedStore.create(clock);
    private final ProbedStore store = new ProbedStore(memory);
    private final EngineSettings settings = TestSettings.with(clock, FOLLOWEE_IDS);
    private final FolloweeCache followeeCache = new FolloweeCache(store.graph(), settings);
    private final PulledRegister register = InMemoryFeedStore.create().outbox().pulled();
    private final RegisterView view = new RegisterView(register, Clock.systemUTC(), 1000);

    private static Post post(int number) {
        return Post.of("author-" + number, "p", 1);
    }

    private void append(Post post) {
        store.outbox().append(List.of(new Publication(post, FanoutMode.PULL)));
    }

    @Test
    @DisplayName("newest posts of pulled authors: those that were forgotten are asked for again")
    void heads() {
        HeadCache heads = new HeadCache(store.outbox(), settings);
        append(post(0));
        assertThat(head(heads, 0).posts()).containsExactly(post(0));
        int last = 10 * HeadCache.MAX_HEADS - 1;
        int most = 0;
        for (int n = 1; n <= last; n++) {
            assertThat(head(heads, n).posts()).isEmpty();
            most = Math.max(most, heads.size());
        }
        assertThat(most).isEqualTo(HeadCache.MAX_HEADS);
        Post newer = Post.of(post(0).author(), "newer", 2);
        append(newer);
        int calls = store.calls("Outbox.newest");
        head(heads, last);
        assertThat(store.calls("Outbox.newest")).isEqualTo(calls);
        assertThat(head(heads, 0).posts()).containsExactly(newer, post(0));
        assertThat(store.calls("Outbox.newest")).isEqualTo(calls + 1);
        heads.drop(post(1).author());
        heads.drop(post(0).author());
        assertThat(heads.size()).isLessThanOrEqualTo(HeadCache.MAX_HEADS);
        assertThat(head(heads, 1).posts()).isEmpty();
    }

    private static Head head(HeadCache heads, int author) {
        List<String> authors = List.of(post(author).author());
        return heads.get(authors, heads.expect(authors), new CallCount()).get(0);
    }

    @Test
    @DisplayName("whom readers follow: the least recently used are asked for again")
    void followees() {
        FolloweeCache followees = followeeCache;
        Slice slice = new Slice(Inbox.State.LIVE, List.of(), Position.LOWEST, 1, 1, 1, 1, Set.of());
        int last = 10 * FOLLOWEE_IDS - 1;
        for (int n = 0; n <= last; n++) {
            String reader = "reader-" + n;
            memory.graph().add(List.of(new Edge(reader, "bob")));
            assertThat(followees.of(reader, slice).authors()).contains("bob");
            assertThat(followees.size()).isLessThanOrEqualTo(FOLLOWEE_IDS);
        }
        memory.graph().add(List.of(new Edge("reader-0", "cat")));
        assertThat(followees.remembered("reader-0")).isEmpty();
        assertThat(followees.of("reader-0", slice).authors()).contains("bob", "cat");
        assertThat(followees.remembered("reader-" + last)).contains("bob");
    }

    @Test
    @DisplayName("deletes of an engine that never reads: it fetches the register now and then")
    void deletes() {
        view.refresh();
        for (int n = 0; n < 10 * RegisterView.MOST_OWN; n++) {
            view.deleted(new PostKey("bob", "p" + n));
            assertThat(view.known().ownRetracting()).hasSizeLessThanOrEqualTo(RegisterView.MOST_OWN);
        }
        assertThat(view.isStale()).isFalse();
    }

    @Test
    @DisplayName("deletes, too, while the register cannot be fetched: what is known then is not gone by")
    void deletesInAnOutage() {
        ProbedStore store = new ProbedStore(InMemoryFeedStore.create());
        RegisterView failing = new RegisterView(store.outbox().pulled(), Clock.systemUTC(), 1000);
        failing.refresh();
        store.fail("PulledRegister.version");
        store.fail("PulledRegister.snapshot");
        for (int n = 0; n < 10 * RegisterView.MOST_OWN; n++) {
            failing.deleted(new PostKey("bob", "p" + n));
            assertThat(failing.known().ownRetracting()).hasSizeLessThanOrEqualTo(2 * RegisterView.MOST_OWN);
        }
        assertThat(failing.isStale()).isTrue();
        assertThat(store.calls("PulledRegister.version")).isLessThan(100);
    }

    @Test
    @DisplayName("pulled authors of an engine that never reads, who are in the register all the same")
    void pulled() {
        view.refresh();
        for (int n = 0; n < 10 * RegisterView.MOST_OWN; n++) {
            view.put(List.of(Post.of("author-" + n, "p", 1)));
            assertThat(view.known().ownPulled()).hasSizeLessThanOrEqualTo(RegisterView.MOST_OWN);
        }
        assertThat(view.refresh().pulled()).hasSize(10 * RegisterView.MOST_OWN);
        assertThat(view.isPulled("author-0")).isTrue();
    }

    @Test
    @DisplayName("readers who were reconciled lately, the least recent of whom are forgotten")
    void readers() {
        RecentReaders readers = new RecentReaders();
        for (int n = 0; n < 10 * RecentReaders.MOST; n++) {
            assertThat(readers.isDue("reader-" + n, 1, 1000)).isTrue();
        }
        assertThat(readers.size()).isEqualTo(RecentReaders.MOST);
        assertThat(readers.isDue("reader-0", 2, 1000)).isTrue();
        assertThat(readers.isDue("reader-" + (10 * RecentReaders.MOST - 1), 2, 1000))
                .isFalse();
    }

    @Test
    @DisplayName("a time ahead of a clock that was set back is not lately")
    void clockSetBack() {
        RecentReaders readers = new RecentReaders();
        assertThat(readers.isDue("ann", 5000, 1000)).isTrue();
        assertThat(readers.isDue("ann", 4999, 1000)).isTrue();
        assertThat(readers.isDue("ann", 5500, 1000)).isFalse();
    }
}

package io.feedkit.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.ManualClock;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.ProbedStore;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.TestSettings;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Outbox.Publication;
import io.feedkit.spi.Position;
import io.feedkit.spi.PulledRegister;
import io.feedkit.spi.PulledRegister.Entry;
import io.feedkit.spi.WritableFollowGraph.Edge;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
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

    private static Post post(int number) {
        return Post.of("author-" + number, "p", 1);
    }

    private void append(Post post) {
        store.outbox().append(List.of(new Publication(post, FanoutMode.PULL)));
    }

    @Test
    @DisplayName("recent posts of pulled authors: those that were forgotten are asked for again")
    void recentPosts() {
        RecentPostsCache recent = new RecentPostsCache(store.outbox(), settings);
        int last = RecentPostsCache.MAX_POSTS - 1;
        int most = 0;
        for (int n = 0; n <= last; n++) {
            append(post(n));
            recentPosts(recent, n);
            most = Math.max(most, recent.size());
        }
        assertThat(most).isBetween(RecentPostsCache.MAX_POSTS / 4, RecentPostsCache.MAX_POSTS / 2);
        int calls = store.calls("Outbox.newest");
        assertThat(recentPosts(recent, last)).containsExactly(post(last));
        assertThat(store.calls("Outbox.newest")).isEqualTo(calls);
        assertThat(recentPosts(recent, 0)).containsExactly(post(0));
        assertThat(store.calls("Outbox.newest")).isEqualTo(calls + 1);
    }

    private static List<Post> recentPosts(RecentPostsCache recent, int author) {
        String name = post(author).author();
        Entry entry = new Entry(Position.of(post(author)), Position.of(post(author)), author + 1);
        RegisterView register = new RegisterView(
                Set.of(name), new RegisterView.Registrations(Map.of(name, Registered.NOTHING.withEntry(entry))), 0);
        return recent.of(List.of(name), register, new CallCount()).get(0).posts();
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
        assertThat(followees.remembered("reader-0").authors()).isEmpty();
        assertThat(followees.of("reader-0", slice).authors()).contains("bob", "cat");
        assertThat(followees.remembered("reader-" + last).authors()).contains("bob");
    }

    @Test
    @DisplayName("own changes of an engine that never reads: it forgets what it knows, and asks nothing")
    void ownChanges() {
        ProbedStore asked = new ProbedStore(InMemoryFeedStore.create());
        RegisterCache cache = new RegisterCache(asked.outbox().pulled(), Clock.systemUTC(), 1000);
        int last = 10 * RegisterCache.MOST_OWN - 1;
        for (int n = 0; n <= last; n++) {
            cache.put(List.of(post(n)));
            cache.deleted(List.of(post(n).key()));
            cache.deleted(List.of(new PostKey("bob", "p" + n)));
            assertThat(cache.ownChanges()).isLessThanOrEqualTo(2 * RegisterCache.MOST_OWN);
        }
        assertThat(asked.calls("PulledRegister.update")).isZero();
        String first = post(0).author();
        String latest = post(last).author();
        RegisterView view = cache.current(Set.of(first, latest));
        assertThat(view.isPulled(first)).isTrue();
        assertThat(view.isPulled(latest)).isTrue();
    }

    @Test
    @DisplayName("own changes of an engine that is read from: an update ends those that came before it")
    void ownChangesDuringUpdates() {
        ProbedStore asked = new ProbedStore(InMemoryFeedStore.create());
        RegisterCache cache = new RegisterCache(asked.outbox().pulled(), Clock.systemUTC(), 1000);
        List<PostKey> deleted = new ArrayList<>();
        asked.before("PulledRegister.update", () -> {
            PostKey key = new PostKey("bob", "p" + deleted.size());
            deleted.add(key);
            cache.deleted(List.of(key));
        });
        for (int n = 0; n < 100; n++) {
            RegisterView view = cache.latest(Set.of("bob"));
            assertThat(view.isRetracting(Post.of("bob", "p" + n, 1))).isTrue();
            assertThat(cache.ownChanges()).isLessThanOrEqualTo(2);
        }
    }

    @Test
    @DisplayName("what is known of a large register: the authors that were asked for, and of them not too many")
    void largeRegister() {
        RegisterCache cache = new RegisterCache(register, Clock.systemUTC(), 0);
        int all = 2 * RegisterCache.MOST_AUTHORS;
        for (int n = 0; n < all; n++) {
            register.put(List.of(post(n)));
        }
        for (int n = 0; n < all; n += 1000) {
            Set<String> authors = IntStream.range(n, n + 1000)
                    .mapToObj(each -> post(each).author())
                    .collect(Collectors.toSet());
            RegisterView view = cache.current(authors);
            assertThat(view.registered().keySet()).isEqualTo(authors);
            assertThat(cache.size()).isLessThanOrEqualTo(2 * RegisterCache.MOST_AUTHORS);
        }
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

    @Test
    @Tag("concurrency")
    @DisplayName(
            "an author is known only when all that is registered of the author is, while an update is being entered")
    void knownWhenEntered() throws Exception {
        List<Post> posts = IntStream.range(0, 2 * RegisterCache.WHOLE)
                .mapToObj(BoundedCachesTest::post)
                .toList();
        register.put(posts);
        Set<String> authors = posts.stream().map(Post::author).collect(Collectors.toSet());
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            for (int round = 0; round < 10; round++) {
                RegisterCache cache = new RegisterCache(register, Clock.systemUTC(), 3_600_000);
                cache.current(Set.of("nobody"));
                Future<RegisterView> asked = thread.submit(() -> cache.current(authors));
                RegisterView seen;
                do {
                    seen = cache.known(authors);
                } while (!seen.isAbout(authors));
                assertThat(seen.registered().keySet()).isEqualTo(authors);
                assertThat(asked.get().registered().keySet()).isEqualTo(authors);
            }
        } finally {
            thread.shutdownNow();
        }
    }
}

package io.feedkit.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.ManualClock;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.ProbedStore;
import io.feedkit.event.FeedListener;
import io.feedkit.event.PostDeleted;
import io.feedkit.event.PostPublished;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.internal.HeadCache.Head;
import io.feedkit.internal.Outages.Streak;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.Kind;
import io.feedkit.spi.FanoutLog.Task;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.KeyRange;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Outbox.Publication;
import io.feedkit.spi.Position;
import io.feedkit.spi.PulledRegister;
import io.feedkit.spi.WritableFollowGraph.Edge;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What an engine remembers is filled with ten times its bound, and what was forgotten does no harm. What is remembered of threads alone is bounded by them. */
@DisplayName("What an engine remembers is bounded")
class BoundedMemoryTest {

    private static final Position PLACE = Position.of(Post.of("bob", "p", 1));
    private static final int FOLLOWEE_IDS = 100;

    private final PulledRegister register = InMemoryFeedStore.create().outbox().pulled();
    private final RegisterView view = new RegisterView(register, Clock.systemUTC(), 1000);
    private final ManualClock clock = new ManualClock();
    private final InMemoryFeedStore memory = InMemoryFeedStore.create(clock);
    private final ProbedStore store = new ProbedStore(memory);
    private final List<Post> published = new ArrayList<>();
    private final List<PostKey> deleted = new ArrayList<>();
    private final Settings settings = settings(clock);
    private final Parts parts = parts(store.inbox(settings.limits()));

    private static Settings settings(Clock clock) {
        Duration minute = Duration.ofMinutes(1);
        return new Settings(
                "bounded",
                clock,
                new InboxLimits(100, 3_600_000),
                true,
                Settings.SHOW_ALL,
                minute,
                minute,
                100,
                100,
                minute,
                1,
                FOLLOWEE_IDS,
                minute,
                new Settings.Fanout(0, minute, 100, 10, minute, minute, 100, minute, minute, 100));
    }

    private Parts parts(Inbox inbox) {
        Events events = new Events(settings, new FeedListener() {
            @Override
            public void published(PostPublished event) {
                published.add(event.post());
            }

            @Override
            public void deleted(PostDeleted event) {
                deleted.add(event.post());
            }
        });
        Outbox outbox = store.outbox();
        Doubts doubts = new Doubts(settings, inbox, outbox.fanout(), events);
        return new Parts(
                settings,
                inbox,
                outbox,
                store.graph(),
                store.seenMarks(),
                new RegisterView(outbox.pulled(), settings),
                new HeadCache(outbox, settings),
                new Followees(store.graph(), settings, doubts),
                events,
                doubts,
                new OwnPosts(settings),
                new Uncommitted(events));
    }

    private static Task task(int number, String after) {
        return new Task("task-" + number, Kind.PUSH, PLACE, PLACE, 1, KeyRange.ALL, after, 0, 1);
    }

    private static HeldTask held(int number) {
        return new HeldTask(new Claim(task(number, ""), 1));
    }

    private static Post post(int number) {
        return Post.of("author-" + number, "p", 1);
    }

    private void append(Post post) {
        store.outbox().append(List.of(new Publication(post, FanoutMode.PULL)));
    }

    @Test
    @DisplayName("tasks that wait for a store: those that were forgotten count from one again")
    void outages() {
        Outages outages = new Outages();
        int last = 10 * Outages.MOST_TASKS - 1;
        int most = 0;
        for (int n = 0; n <= last; n++) {
            outages.count(held(n), 1);
            most = Math.max(most, outages.size());
        }
        assertThat(most).isEqualTo(Outages.MOST_TASKS);
        assertThat(outages.remember(held(0))).isFalse();
        assertThat(outages.count(held(last), 5)).isEqualTo(new Streak(2, 1));
        assertThat(outages.count(held(0), 5)).isEqualTo(new Streak(1, 5));
        assertThat(outages.count(held(0), 9)).isEqualTo(new Streak(2, 5));
        outages.reached(List.of(held(0)));
        assertThat(outages.remember(held(0))).isFalse();
        outages.count(held(1), 9);
        outages.reached(List.of(held(2)));
        assertThat(outages.isRecovery(100_000)).isTrue();
    }

    @Test
    @DisplayName("tasks that began after a loss of deliveries: those that were forgotten begin again, once more")
    void doubts() {
        Doubts doubts = parts(trustedSince(clock.millis())).doubts();
        doubts.look();
        int last = 10 * Doubts.MOST_BEGUN - 1;
        int most = 0;
        for (int n = 0; n <= last; n++) {
            doubts.begin(task(n, ""));
            most = Math.max(most, doubts.size());
        }
        assertThat(most).isEqualTo(Doubts.MOST_BEGUN);
        doubts.begin(task(last, ""));
        assertThat(doubts.concern(task(last - 1, "reader"))).isFalse();
        assertThat(doubts.concern(task(0, "reader"))).isTrue();
        doubts.begin(task(0, ""));
        assertThat(doubts.concern(task(0, "reader"))).isFalse();
    }

    private static Inbox trustedSince(long time) {
        return (Inbox) Proxy.newProxyInstance(
                Inbox.class.getClassLoader(), new Class<?>[] {Inbox.class}, (self, method, arguments) -> time);
    }

    @Test
    @DisplayName("publishes in open transactions: the latest are told of, the oldest are not")
    void publishes() {
        Uncommitted uncommitted = parts.uncommitted();
        int last = 10 * Uncommitted.MAX_CHANGES - 1;
        int most = 0;
        for (int n = 0; n <= last; n++) {
            uncommitted.published(new PostPublished(post(n), FanoutMode.PULL), clock.millis());
            most = Math.max(most, uncommitted.size());
        }
        assertThat(most).isEqualTo(Uncommitted.MAX_CHANGES);
        int oldest = last + 1 - Uncommitted.MAX_CHANGES;
        List.of(0, oldest - 1, oldest, last).forEach(n -> append(post(n)));
        uncommitted.look(parts);
        assertThat(published).containsExactly(post(oldest), post(last));
        assertThat(uncommitted.size()).isEqualTo(Uncommitted.MAX_CHANGES - 2);
    }

    @Test
    @DisplayName("deletes in open transactions: the latest are told of, the oldest are not")
    void uncommittedDeletes() {
        Uncommitted uncommitted = parts.uncommitted();
        int last = 10 * Uncommitted.MAX_CHANGES - 1;
        int most = 0;
        for (int n = 0; n <= last; n++) {
            uncommitted.deleted(post(n).key(), clock.millis());
            most = Math.max(most, uncommitted.size());
        }
        assertThat(most).isEqualTo(Uncommitted.MAX_CHANGES);
        uncommitted.look(parts);
        assertThat(deleted)
                .hasSize(Uncommitted.MAX_CHANGES)
                .contains(post(last).key())
                .doesNotContain(post(0).key());
        assertThat(uncommitted.size()).isZero();
    }

    @Test
    @DisplayName(
            "own posts of open transactions: the latest are looked for at a read, the oldest are left to their tasks")
    void ownPosts() {
        OwnPosts own = parts.ownPosts();
        int last = 10 * OwnPosts.MAX_POSTS - 1;
        int most = 0;
        for (int n = 0; n <= last; n++) {
            own.remember(post(n));
            most = Math.max(most, own.size());
        }
        assertThat(most).isEqualTo(OwnPosts.MAX_POSTS);
        append(post(last));
        own.deliver(parts, post(0).author());
        assertThat(store.calls("Outbox.existing")).isZero();
        own.deliver(parts, post(last).author());
        assertThat(store.calls("Inbox.deliver")).isOne();
        assertThat(own.size()).isEqualTo(OwnPosts.MAX_POSTS - 1);
    }

    @Test
    @DisplayName("newest posts of pulled authors: those that were forgotten are asked for again")
    void heads() {
        HeadCache heads = parts.heads();
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
        Followees followees = parts.followees();
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

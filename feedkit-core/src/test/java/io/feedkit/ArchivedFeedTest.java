package io.feedkit;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.feedkit.event.ArchiveStep;
import io.feedkit.event.FeedListener;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.health.Health;
import io.feedkit.health.Health.Part;
import io.feedkit.inspect.Explanation.Reason;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.memory.InMemoryPostArchive;
import io.feedkit.memory.InMemoryTransaction;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.PositionRange;
import io.feedkit.spi.PostArchive;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A feed whose old posts are in an archive")
class ArchivedFeedTest {

    private static final int POSTS = 40;

    private final ManualClock clock = new ManualClock();
    private final InMemoryFeedStore store = InMemoryFeedStore.create(clock);
    private final InMemoryPostArchive archive = InMemoryPostArchive.create();
    private final List<ArchiveStep> steps = new CopyOnWriteArrayList<>();

    private FeedEngineBuilder builder() {
        return builderOn(store, archive, 10);
    }

    private FeedEngineBuilder builderOn(FeedStore on, PostArchive with, int cap) {
        return FeedEngine.builder(on)
                .clock(clock)
                .cap(cap)
                .workers(0)
                .archive(with)
                .archiving(archiving -> archiving.after(Duration.ofDays(3)).batchSize(5))
                .listener(new FeedListener() {
                    @Override
                    public void archived(ArchiveStep event) {
                        steps.add(event);
                    }
                });
    }

    /** A post each three hours, for five days, until a day ago. */
    private static List<Post> posts() {
        Instant first = ManualClock.START.minus(Duration.ofDays(6));
        return IntStream.range(0, POSTS)
                .mapToObj(n -> new Post(n % 2 == 0 ? "bob" : "cat", "p" + n, first.plus(Duration.ofHours(3L * n))))
                .toList();
    }

    private void fill(FeedEngine feed) {
        feed.followAll("ann", List.of("bob", "cat"));
        feed.read("ann", PageRequest.first(1));
        feed.importPosts(posts());
        feed.fanout().drain();
        clock.advance(Duration.ofSeconds(1));
    }

    private static List<Post> walk(FeedEngine feed) {
        return walk(feed, "ann");
    }

    private static List<Post> walk(FeedEngine feed, String reader) {
        List<Post> walked = new ArrayList<>();
        FeedPage<Post> page = feed.read(reader, PageRequest.first(7));
        walked.addAll(page.items());
        while (page.older().isPresent()) {
            page = feed.read(reader, PageRequest.older(page.older().get(), 7));
            walked.addAll(page.items());
        }
        return walked;
    }

    private long due() {
        return posts().stream()
                .filter(post -> post.publishedAt().isBefore(clock.instant().minus(Duration.ofDays(3))))
                .count();
    }

    @Test
    @DisplayName("has the same pages, counts and author pages as before the move")
    void same() {
        try (FeedEngine feed = builder().build()) {
            fill(feed);
            List<Post> before = walk(feed);
            assertThat(before).hasSize(POSTS);
            assertThat(feed.archivePosts()).isEqualTo(due()).isPositive();
            assertThat(archive.size()).isEqualTo(due());
            assertThat(walk(feed)).isEqualTo(before);
            assertThat(feed.unread("ann").count()).isEqualTo(POSTS);
            assertThat(feed.readAuthor("bob", PageRequest.first(100)).items())
                    .isEqualTo(before.stream()
                            .filter(post -> post.author().equals("bob"))
                            .toList());
            feed.rebuild("ann");
            assertThat(walk(feed)).isEqualTo(before);
            assertThat(steps).allSatisfy(step -> assertThat(step.failure()).isEmpty());
            assertThat(steps.stream().mapToInt(ArchiveStep::moved).sum()).isEqualTo((int) due());
            assertThat(steps)
                    .extracting(ArchiveStep::moved)
                    .allSatisfy(moved -> assertThat(moved).isBetween(1, 5));
        }
    }

    @Test
    @DisplayName("knows archived posts that are published again, alone, imported and in a transaction")
    void publishedAgain() {
        Post old = posts().get(0);
        try (FeedEngine feed = builder().build()) {
            fill(feed);
            feed.archivePosts();
            List<Post> before = walk(feed);
            assertThat(feed.publish(old)).isEqualTo(new Published(Published.Status.SAME, old));
            assertThat(feed.importPosts(List.of(old))).containsExactly(new Published(Published.Status.SAME, old));
            try (InMemoryTransaction transaction = store.begin()) {
                assertThat(feed.publish(old, transaction).status()).isEqualTo(Published.Status.SAME);
                transaction.commit();
            }
            feed.fanout().drain();
            assertThat(walk(feed)).isEqualTo(before);
        }
    }

    @Test
    @DisplayName("shows an archived post that is published anew once, and not after its delete, from any inbox")
    void publishedAnew() {
        Post old = posts().get(0);
        Post anew = new Post(old.author(), old.id(), ManualClock.START);
        for (int cap : List.of(10, 1000)) {
            String reader = "reader-" + cap;
            InMemoryFeedStore own = InMemoryFeedStore.create(clock);
            InMemoryPostArchive cold = InMemoryPostArchive.create();
            try (FeedEngine feed = builderOn(own, cold, cap).build();
                    FeedEngine other = builderOn(own, cold, cap).build()) {
                feed.followAll(reader, List.of("bob", "cat"));
                feed.read(reader, PageRequest.first(1));
                feed.importPosts(posts());
                feed.fanout().drain();
                clock.advance(Duration.ofSeconds(1));
                feed.archivePosts();
                List<Post> left = new ArrayList<>(walk(feed, reader));
                assertThat(left).contains(old);
                assertThat(feed.publish(anew)).isEqualTo(new Published(Published.Status.NEW, anew));
                assertThat(feed.explain(reader, old.key()).reason()).isEqualTo(Reason.PUSH_WAITING);
                feed.fanout().drain();
                left.remove(old);
                left.add(0, anew);
                assertThat(walk(feed, reader)).isEqualTo(left);
                assertThat(walk(other, reader)).isEqualTo(left);
                assertThat(feed.delete(old.author(), old.id())).isTrue();
                left.remove(anew);
                assertThat(walk(feed, reader)).isEqualTo(left);
                assertThat(feed.explain(reader, old.key()).reason()).isEqualTo(Reason.DELETED);
                retract(feed);
                retract(feed);
                assertThat(feed.explain(reader, old.key()).reason()).isEqualTo(Reason.DELETED);
                assertThat(walk(feed, reader)).isEqualTo(left);
                assertThat(walk(other, reader)).isEqualTo(left);
            }
        }
    }

    @Test
    @DisplayName("loses archived posts that are deleted, alone, in a transaction and with their author")
    void deleted() {
        List<Post> posts = posts();
        try (FeedEngine feed = builder().build()) {
            fill(feed);
            feed.archivePosts();
            List<Post> left = new ArrayList<>(walk(feed));
            assertThat(feed.delete(posts.get(0).author(), posts.get(0).id())).isTrue();
            left.remove(posts.get(0));
            assertThat(walk(feed)).isEqualTo(left);
            try (InMemoryTransaction transaction = store.begin()) {
                assertThat(feed.delete(posts.get(1).key(), transaction)).isTrue();
                transaction.rollback();
            }
            assertThat(walk(feed)).isEqualTo(left);
            try (InMemoryTransaction transaction = store.begin()) {
                assertThat(feed.delete(posts.get(1).key(), transaction)).isTrue();
                transaction.commit();
            }
            left.remove(posts.get(1));
            assertThat(walk(feed)).isEqualTo(left);
            assertThat(feed.publish(posts.get(1)).status()).isEqualTo(Published.Status.DELETED);
            feed.forget("cat");
            left.removeIf(post -> post.author().equals("cat"));
            assertThat(walk(feed)).isEqualTo(left);
            retract(feed);
            assertThat(archive.newest(List.of("cat"), PositionRange.ALL, 1)).containsExactly(List.of());
        }
    }

    private void retract(FeedEngine feed) {
        feed.fanout().drain();
        clock.advance(Duration.ofMinutes(1));
        feed.fanout().drain();
    }

    @Test
    @DisplayName("has the posts of a follow that begins after the move")
    void followed() {
        try (FeedEngine feed = builder().build()) {
            feed.importPosts(posts());
            feed.fanout().drain();
            clock.advance(Duration.ofSeconds(1));
            assertThat(feed.archivePosts()).isPositive();
            feed.followAll("ann", List.of("bob", "cat"));
            assertThat(walk(feed)).hasSize(POSTS);
        }
    }

    @Test
    @DisplayName("is filled by the thread of an engine with workers")
    void thread() {
        try (FeedEngine feed = builder().build()) {
            fill(feed);
        }
        try (FeedEngine feed = FeedEngine.builder(store)
                .clock(clock)
                .cap(10)
                .archive(archive)
                .archiving(archiving -> archiving
                        .after(Duration.ofDays(3))
                        .postsPerSecond(1_000_000)
                        .interval(Duration.ofMillis(10)))
                .build()) {
            await().atMost(20, SECONDS).until(() -> archive.size() == due());
            assertThat(walk(feed)).hasSize(POSTS);
        }
    }

    private FeedEngine mover(String name, Map<String, Integer> moved) {
        return FeedEngine.builder(store)
                .name(name)
                .clock(clock)
                .cap(10)
                .archive(archive)
                .archiving(archiving -> archiving
                        .after(Duration.ofDays(3))
                        .postsPerSecond(1_000_000)
                        .interval(Duration.ofMillis(10)))
                .listener(new FeedListener() {
                    @Override
                    public void archived(ArchiveStep event) {
                        moved.merge(name, event.moved(), Integer::sum);
                    }
                })
                .build();
    }

    private void importOld(FeedEngine feed, int posts, String ids) {
        Instant old = ManualClock.START.minus(Duration.ofDays(10));
        long archived = archive.size();
        feed.importPosts(IntStream.range(0, posts)
                .mapToObj(n -> new Post("bob", ids + n, old))
                .toList());
        feed.fanout().drain();
        clock.advance(Duration.ofSeconds(1));
        await().atMost(20, SECONDS).until(() -> archive.size() == archived + posts);
    }

    @Test
    @DisplayName("is filled by one of several engines, and by another one when that has closed")
    void oneMoves() {
        Map<String, Integer> moved = new ConcurrentHashMap<>();
        List<FeedEngine> engines = new ArrayList<>(List.of(mover("one", moved), mover("two", moved)));
        try {
            for (int round = 0; round < 20; round++) {
                importOld(engines.get(0), 1, "a" + round);
            }
            await().atMost(20, SECONDS).until(() -> moved.containsValue(20));
            assertThat(moved).hasSize(1);
            engines.remove(moved.containsKey("one") ? 0 : 1).close();
            importOld(engines.get(0), 3, "b");
            await().atMost(20, SECONDS).until(() -> moved.containsValue(3));
        } finally {
            engines.forEach(FeedEngine::close);
        }
    }

    private boolean isLeased() {
        return !store.outbox().archiveSource().orElseThrow().leaseMover("another", 0);
    }

    @Test
    @DisplayName(
            "is left to one engine between two passes, too, and not to one that cannot move posts, or has none due")
    void leaseOfTheMover() {
        try (FeedEngine feed = FeedEngine.builder(store)
                .clock(clock)
                .archive(archive)
                .archiving(archiving -> archiving.after(Duration.ofDays(3)).postsPerSecond(1_000_000))
                .build()) {
            importOld(feed, 1, "a");
            await().atMost(20, SECONDS).until(() -> {
                clock.advance(Duration.ofMinutes(5));
                return isLeased();
            });
        }
        assertThat(isLeased()).isFalse();
        try (FeedEngine none = FeedEngine.builder(store)
                        .clock(clock)
                        .archive(archive)
                        .archiving(archiving ->
                                archiving.after(Duration.ofDays(36_500)).interval(Duration.ofMillis(10)))
                        .build();
                FeedEngine broken = FeedEngine.builder(store)
                        .clock(clock)
                        .archive(down())
                        .archiving(
                                archiving -> archiving.after(Duration.ofDays(3)).interval(Duration.ofMillis(10)))
                        .listener(new FeedListener() {
                            @Override
                            public void archived(ArchiveStep event) {
                                steps.add(event);
                            }
                        })
                        .build()) {
            none.importPosts(List.of(new Post("bob", "b", ManualClock.START.minus(Duration.ofDays(10)))));
            none.fanout().drain();
            // A mover that has looked before the import looks again after a while of the clock.
            await().atMost(20, SECONDS).until(() -> {
                clock.advance(Duration.ofMinutes(1));
                return !steps.isEmpty();
            });
            assertThat(steps).allSatisfy(step -> assertThat(step.failure()).isPresent());
            await().atMost(20, SECONDS).until(() -> !isLeased());
            assertThat(broken).isNotNull();
        }
    }

    /** An archive that cannot be reached. */
    private static PostArchive down() {
        return (PostArchive) Proxy.newProxyInstance(
                ArchivedFeedTest.class.getClassLoader(),
                new Class<?>[] {PostArchive.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("describe")) {
                        return List.of();
                    }
                    throw new StoreUnavailableException("archive." + method.getName(), null);
                });
    }

    @Test
    @DisplayName("shows first pages while the archive is down, also with posts of pulled authors who have few of them")
    void firstPages() {
        try (FeedEngine feed = builder().build()) {
            fill(feed);
            feed.archivePosts();
        }
        try (FeedEngine feed =
                builderOn(store, down(), 10).policy(FanoutPolicy.pull()).build()) {
            Post pulled = feed.publish("bob", "pulled").post();
            assertThat(feed.read("ann", PageRequest.first(7)).items())
                    .hasSize(7)
                    .startsWith(pulled);
            assertThatThrownBy(() -> walk(feed)).isInstanceOf(StoreUnavailableException.class);
        }
    }

    @Test
    @DisplayName("has the health of the archive, too")
    void health() {
        try (FeedEngine up = builder().build();
                FeedEngine down =
                        builderOn(InMemoryFeedStore.create(clock), down(), 10).build()) {
            assertThat(up.check(Duration.ofSeconds(10)).part(Part.ARCHIVE).isUp())
                    .isTrue();
            Health health = down.check(Duration.ofSeconds(10));
            health.parts()
                    .forEach((part, answer) ->
                            assertThat(answer.isUp()).as("%s", part).isEqualTo(part != Part.ARCHIVE));
        }
    }

    /** The archive; counts its pages. */
    private PostArchive counted(AtomicInteger pages) {
        return (PostArchive) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {PostArchive.class}, (proxy, method, arguments) -> {
                    pages.addAndGet(method.getName().equals("page") ? 1 : 0);
                    return method.invoke(archive, arguments);
                });
    }

    private FeedEngine counting(AtomicInteger pages) {
        return builderOn(store, counted(pages), 10)
                .archiving(archiving -> archiving.postsPerSecond(1_000_000))
                .build();
    }

    @Test
    @DisplayName("forgets an author with many archived posts with few calls")
    void manyForgotten() {
        AtomicInteger pages = new AtomicInteger();
        Instant old = ManualClock.START.minus(Duration.ofDays(9));
        List<Post> posts = IntStream.range(0, 5000)
                .mapToObj(n -> new Post("bob", "old" + n, old.plusSeconds(n)))
                .toList();
        try (FeedEngine feed = counting(pages)) {
            feed.importPosts(posts.subList(0, 1));
            feed.fanout().drain();
            clock.advance(Duration.ofSeconds(1));
            assertThat(feed.archivePosts()).isEqualTo(1);
            archive.store(posts);
            pages.set(0);
            feed.forget("bob");
            assertThat(pages.get()).isLessThan(20);
            assertThat(feed.readAuthor("bob", PageRequest.first(3)).items()).isEmpty();
        }
    }

    @Test
    @DisplayName("skips many deleted posts of the archive with few calls")
    void manyDeleted() {
        AtomicInteger pages = new AtomicInteger();
        Instant old = ManualClock.START.minus(Duration.ofDays(9));
        List<Post> gone = IntStream.range(0, 2000)
                .mapToObj(n -> new Post("bob", "gone" + n, old.plusSeconds(n)))
                .toList();
        Post last = new Post("bob", "last", old.minusSeconds(1));
        try (FeedEngine feed = counting(pages)) {
            feed.follow("ann", "bob");
            feed.importPosts(gone);
            feed.importPosts(List.of(last));
            feed.fanout().drain();
            clock.advance(Duration.ofSeconds(1));
            assertThat(feed.archivePosts()).isEqualTo(gone.size() + 1);
            feed.deleteAll(gone.stream().map(Post::key).toList());
            pages.set(0);
            assertThat(feed.readAuthor("bob", PageRequest.first(3)).items()).containsExactly(last);
            assertThat(pages.get()).isLessThan(20);
        }
    }

    @Test
    @DisplayName("reports a step that failed, and goes on when the archive answers again")
    void failures() {
        try (FeedEngine feed = FeedEngine.builder(store)
                .clock(clock)
                .cap(10)
                .workers(0)
                .archive(down())
                .archiving(archiving -> archiving.after(Duration.ofDays(3)))
                .listener(new FeedListener() {
                    @Override
                    public void archived(ArchiveStep event) {
                        steps.add(event);
                    }
                })
                .build()) {
            fill(feed);
            assertThatThrownBy(feed::archivePosts).isInstanceOf(StoreUnavailableException.class);
            assertThat(steps).hasSize(1).allSatisfy(step -> {
                assertThat(step.moved()).isZero();
                assertThat(step.failure().orElseThrow()).contains("archive.claim");
            });
            assertThat(feed.read("ann", PageRequest.first(7)).items()).hasSize(7);
        }
        try (FeedEngine feed = builder().build()) {
            assertThat(feed.archivePosts()).isEqualTo(due());
            assertThat(walk(feed)).hasSize(POSTS);
        }
    }

    @Test
    @DisplayName("is refused with the archive of another source, ages that contradict each other, or an outbox that "
            + "keeps its posts")
    void refused() {
        try (FeedEngine feed = builder().build()) {
            fill(feed);
            feed.archivePosts();
        }
        InMemoryFeedStore other = InMemoryFeedStore.create(clock);
        assertThatThrownBy(() -> FeedEngine.builder(other).archive(archive).build())
                .isInstanceOf(ForeignStoreException.class)
                .hasMessageContainingAll(
                        "archive", store.outbox().identity(), other.outbox().identity());
        assertThatThrownBy(() -> FeedEngine.builder(store)
                        .archive(archive)
                        .archiving(archiving -> archiving.after(Duration.ofDays(2)))
                        .fanout(fanout -> fanout.replayHorizon(Duration.ofDays(2)))
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("archiving.after", "fanout.replayHorizon (PT48H)", "but is PT48H");
        assertThatThrownBy(() -> FeedEngine.builder(store)
                        .archive(archive)
                        .fanout(fanout -> fanout.lease(Duration.ofDays(31)))
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("archiving.after", "fanout.lease (PT744H)", "but is PT720H");
        assertThatThrownBy(() -> FeedEngine.builder(keeping()).archive(archive).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("archive needs an outbox whose posts can move");
        try (FeedEngine without = FeedEngine.builder(other).workers(0).build()) {
            assertThatThrownBy(without::archivePosts)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("FeedEngineBuilder.archive");
        }
    }

    /** A store whose outbox has no archive source. */
    private FeedStore keeping() {
        Outbox kept = (Outbox) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Outbox.class},
                (proxy, method, arguments) -> method.getName().equals("archiveSource")
                        ? Optional.empty()
                        : method.invoke(store.outbox(), arguments));
        return FeedStore.of(kept, store::inbox, store.graph(), store.seenMarks());
    }
}

package io.feedkit.internal.archive;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.ManualClock;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.TestSettings;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.memory.InMemoryPostArchive;
import io.feedkit.spi.ArchiveSource;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Outbox.CountQuery;
import io.feedkit.spi.Outbox.PageQuery;
import io.feedkit.spi.Outbox.Publication;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import io.feedkit.spi.PostArchive;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An outbox in memory, its archive, and what both must contain. Every call of a mover, and of readers if wanted, can be
 * interrupted.
 */
final class Tiers {

    /** Runs before and after each call of a mover. */
    interface Hook {
        Hook NONE = (operation, isBefore) -> {};

        void at(String operation, boolean isBefore);
    }

    static final Duration AGE = Duration.ofDays(30);
    static final Set<String> AUTHORS = Set.of("amy", "bob", "cid");
    static final int BATCH = 7;

    final ManualClock clock = new ManualClock();
    final AtomicLong nanos = new AtomicLong();
    final InMemoryFeedStore store = InMemoryFeedStore.create(clock);
    final PostArchive archive = InMemoryPostArchive.create();
    final Outbox warm = store.outbox();
    final Outbox outbox = reader(Hook.NONE);
    final Set<Post> expected = new TreeSet<>((one, other) -> Position.compare(other, one));

    /** Another engine's view of both tiers. */
    Outbox reader(Hook onArchive) {
        return ArchivedOutbox.of(warm, hooked(PostArchive.class, archive, "archive", onArchive), clock, nanos::get);
    }

    /** One of the posts of {@link #filled}; those below 15 are due. */
    static Post post(String author, int n) {
        long limit = ManualClock.START.minus(AGE).toEpochMilli();
        return Post.of(author, "p" + n, limit + 500 + (n - 15) * 1000L);
    }

    /** Posts of all authors around the age limit, settled: 45 are due, 15 are not. */
    Tiers filled() {
        List<Post> posts = new ArrayList<>();
        for (String author : AUTHORS) {
            for (int n = 0; n < 20; n++) {
                posts.add(post(author, n));
            }
        }
        publish(posts);
        settle();
        return this;
    }

    void publish(List<Post> posts) {
        outbox.append(posts.stream()
                .map(post -> new Publication(post, FanoutMode.PUSH))
                .toList());
        expected.addAll(posts);
    }

    void delete(Post post) {
        outbox.delete(List.of(post.key()));
        expected.remove(post);
    }

    /** Finishes all tasks, and what they do to the register. */
    void settle() {
        for (List<Claim> claims = claim(); !claims.isEmpty(); claims = claim()) {
            for (Claim claim : claims) {
                if (claim.task().kind().name().startsWith("RETRACT")) {
                    outbox.pulled().retracted(List.of(claim.task().key()));
                }
            }
            warm.fanout().finish(claims, 1);
        }
        clock.advance(Duration.ofMillis(5));
    }

    private List<Claim> claim() {
        return warm.fanout().claim(1000, 60_000);
    }

    ArchiveMover mover(Hook hook) {
        EngineSettings settings = TestSettings.with(clock, 0);
        return new ArchiveMover(
                settings,
                new EngineSettings.Archive(
                        hooked(PostArchive.class, archive, "archive", hook), AGE, BATCH, 1000, Duration.ofHours(1)),
                hookedOutbox(hook),
                nanos::get);
    }

    private Outbox hookedOutbox(Hook hook) {
        ArchiveSource source = hooked(ArchiveSource.class, warm.archiveSource().orElseThrow(), "source", hook);
        return (Outbox) Proxy.newProxyInstance(
                Tiers.class.getClassLoader(),
                new Class<?>[] {Outbox.class},
                (proxy, method, arguments) -> method.getName().equals("archiveSource")
                        ? Optional.of(source)
                        : call(warm, "outbox", hook, method, arguments));
    }

    private static <T> T hooked(Class<T> type, T target, String part, Hook hook) {
        return type.cast(Proxy.newProxyInstance(
                Tiers.class.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> call(target, part, hook, method, arguments)));
    }

    private static Object call(Object target, String part, Hook hook, Method method, Object[] arguments)
            throws Throwable {
        String operation = part + "." + method.getName();
        hook.at(operation, true);
        try {
            Object answer = method.invoke(target, arguments);
            hook.at(operation, false);
            return answer;
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** Lets a mover finish a pass, up to the boundary that it knows then. Returns how many posts it moved. */
    int pass(ArchiveMover mover) {
        int moved = 0;
        ArchiveMover.Step step = mover.step();
        while (mover.below() == 0) {
            nanos.addAndGet(step.pause().toNanos());
            step = mover.step();
        }
        moved += step.moved();
        while (!step.passEnded()) {
            step = mover.step();
            moved += step.moved();
        }
        return moved;
    }

    /** Compares all answers of the outbox with the expected posts. */
    void assertComplete() {
        assertComplete(outbox);
    }

    void assertComplete(Outbox of) {
        List<Post> posts = List.copyOf(expected);
        for (Order order : Order.values()) {
            List<Post> sorted = new ArrayList<>(posts);
            if (order == Order.OLDEST_FIRST) {
                sorted.sort(Position::compare);
            }
            assertThat(walk(of, order, 4)).as("%s", order).isEqualTo(sorted);
            assertThat(of.page(new PageQuery(AUTHORS, PositionRange.ALL, order, 1000)))
                    .isEqualTo(sorted);
        }
        for (String author : AUTHORS) {
            List<Post> own =
                    posts.stream().filter(post -> post.author().equals(author)).toList();
            for (int each : List.of(1, 6, 100)) {
                assertThat(of.newest(List.of(author), PositionRange.ALL, each))
                        .containsExactly(own.stream().limit(each).toList());
            }
        }
        assertThat(of.existing(posts.stream().map(Post::key).toList()).values())
                .containsExactlyInAnyOrderElementsOf(posts);
        assertThat(of.count(List.of(new CountQuery(AUTHORS, PositionRange.ALL, 1000)))
                        .get(0)
                        .above())
                .isEqualTo(posts.size());
    }

    /** Asserts that a deleted post is in no answer. */
    void assertGone(Post post) {
        assertThat(outbox.existing(List.of(post.key()))).isEmpty();
        assertThat(outbox.page(new PageQuery(AUTHORS, PositionRange.ALL, Order.NEWEST_FIRST, 1000)))
                .doesNotContain(post);
    }

    static List<Post> walk(Outbox of, Order order, int limit) {
        List<Post> walked = new ArrayList<>();
        PositionRange rest = PositionRange.ALL;
        while (true) {
            List<Post> page = of.page(new PageQuery(AUTHORS, rest, order, limit));
            walked.addAll(page);
            if (page.size() < limit) {
                return walked;
            }
            Position last = Position.of(page.get(limit - 1));
            rest = order == Order.NEWEST_FIRST ? PositionRange.below(last) : PositionRange.from(last.next());
        }
    }

    /** The keys that are left in the outbox. */
    Set<PostKey> warmKeys() {
        return warm.page(new PageQuery(AUTHORS, PositionRange.ALL, Order.NEWEST_FIRST, 1000)).stream()
                .map(Post::key)
                .collect(toSet());
    }
}

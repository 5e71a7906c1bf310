package io.feedkit.testkit.internal.outbox;

import static java.lang.reflect.Proxy.newProxyInstance;

import io.feedkit.Post;
import io.feedkit.internal.archive.ArchivedOutbox;
import io.feedkit.spi.ArchiveSource;
import io.feedkit.spi.EventRecording;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox.PageQuery;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import io.feedkit.spi.PostArchive;
import io.feedkit.spi.TransactionalOutbox;
import java.lang.reflect.InvocationTargetException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * An archived outbox whose posts move between any two calls, also those that are not settled: a stricter test than any
 * real mover. Half of an author's posts stay, so that answers come from both tiers. A real mover waits until a post is
 * settled, so it does not move the post of a call that is still publishing it; this one waits for the calls under way.
 */
public final class MovedOutbox {

    /** What the mover does before each call. */
    public enum Mover {
        /** It copies half of the rows, and removes them. */
        MOVES,
        /** It copies half of the rows, and dies. */
        COPIES,
        /** It copies all rows, and removes half of them. */
        BOTH
    }

    /** The mover's clock is so far ahead that the posts of the present are old. */
    private static final Duration AHEAD = Duration.ofDays(2);

    /** The calls before which nothing moves. Nobody knows when posts were appended that have moved. */
    private static final Set<String> UNMOVED = Set.of("identity", "lastAppended", "appendedSince");

    private MovedOutbox() {}

    /** Puts an outbox and an archive together. */
    public static TransactionalOutbox over(TransactionalOutbox warm, PostArchive archive, Clock clock, Mover mover) {
        AtomicLong nanos = new AtomicLong();
        ReadWriteLock lock = new ReentrantReadWriteLock();
        Clock ahead = Clock.offset(clock, AHEAD);
        TransactionalOutbox archived =
                (TransactionalOutbox) ArchivedOutbox.of(warm, archive, ahead, () -> nanos.addAndGet(1_000_000_000));
        ArchiveSource source = warm.archiveSource().orElseThrow();
        return moving(archived, lock, () -> move(source, archive, ahead, mover));
    }

    private static TransactionalOutbox moving(TransactionalOutbox archived, ReadWriteLock lock, Runnable move) {
        return (TransactionalOutbox) newProxyInstance(
                MovedOutbox.class.getClassLoader(),
                new Class<?>[] {TransactionalOutbox.class},
                (proxy, method, arguments) -> {
                    if (!UNMOVED.contains(method.getName()) && lock.writeLock().tryLock()) {
                        try {
                            move.run();
                        } finally {
                            lock.writeLock().unlock();
                        }
                    }
                    lock.readLock().lock();
                    try {
                        Object answer = method.invoke(archived, arguments);
                        return method.getName().equals("recordingEvents")
                                ? recording((Optional<?>) answer, lock, move)
                                : answer;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    } finally {
                        lock.readLock().unlock();
                    }
                });
    }

    private static Optional<EventRecording> recording(Optional<?> answer, ReadWriteLock lock, Runnable move) {
        return answer.map(EventRecording.class::cast)
                .map(recording -> new EventRecording(
                        moving((TransactionalOutbox) recording.outbox(), lock, move), recording.log()));
    }

    private static void move(ArchiveSource source, PostArchive archive, Clock ahead, Mover mover) {
        long below = ahead.millis() - Duration.ofDays(1).toMillis();
        source.raiseBoundary(below);
        List<String> authors = source.authors("", 10_000);
        if (authors.isEmpty()) {
            return;
        }
        List<Post> rows = source.page(new PageQuery(
                Set.copyOf(authors), PositionRange.below(new Position(below, "", "")), Order.OLDEST_FIRST, 100_000));
        List<Post> half =
                rows.stream().filter(post -> post.id().hashCode() % 2 == 0).toList();
        archive.store(mover == Mover.BOTH ? rows : half);
        if (mover != Mover.COPIES) {
            source.remove(half, Long.MAX_VALUE);
        }
    }
}

package io.feedkit.internal.copies;

import io.feedkit.Post;
import io.feedkit.StoreUnavailableException;
import io.feedkit.event.CopyStep;
import io.feedkit.event.CopyStep.Outcome;
import io.feedkit.internal.cache.FolloweeSet;
import io.feedkit.internal.cache.RecentReaders;
import io.feedkit.internal.check.FailureReasons;
import io.feedkit.internal.collect.NewestPosts;
import io.feedkit.internal.copies.CopyFormat.FlawedException;
import io.feedkit.internal.copies.CopyFormat.Packed;
import io.feedkit.internal.copies.ReaderCopy.BuiltPosts;
import io.feedkit.internal.host.CircuitBreaker;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.GuardedListener;
import io.feedkit.internal.host.IdlingThread;
import io.feedkit.internal.host.WarningLimiter;
import io.feedkit.spi.InboxCopies;
import io.feedkit.spi.InboxCopies.Head;
import io.feedkit.spi.InboxCopies.Part;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Position;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The copies of inboxes of an engine. They only save work: if their store fails, is down, or has too much to do, no
 * copy is made or found. A thread of the engine writes copies; an engine without workers writes them at once.
 * Thread-safe.
 */
public final class EngineCopies implements AutoCloseable {

    /** How many copies wait to be written, and how many bytes they have. */
    private static final int MOST_WAITING = 1000;

    private static final long MOST_WAITING_BYTES = 16 << 20;

    private static final String TOO_MANY_WAIT = "too many copies wait to be written";

    /** How far a mark may be ahead of this engine's clock. */
    private static final long AHEAD_MILLIS = 300_000;

    /** Parts live longer than their head, so that no copy ends in part. */
    private static final Duration LONGER = Duration.ofDays(1);

    /** The reason why a sound copy is not used: too many new followees, or an event after which it may be wrong. */
    private static final String OUTDATED = "OUTDATED";

    /** What the store has for a reader. */
    private record Stored(Head head, List<Part> parts) {}

    private static final Logger log = LoggerFactory.getLogger(EngineCopies.class);

    private final EngineSettings engine;
    private final EngineSettings.Copying settings;
    private final String identity;
    private final InboxCopies store;
    private final CaughtUpPosts caughtUp;
    private final CircuitBreaker breaker;
    private final GuardedListener listener;
    private final WarningLimiter warnings;
    private final IdlingThread thread;
    private final RecentReaders copied = new RecentReaders();

    /** The latest copy of each reader that waits to be written. */
    private final Map<String, Packed> waiting = new ConcurrentHashMap<>();

    private final AtomicLong waitingBytes = new AtomicLong();
    private volatile boolean claimed;

    /**
     * Claims the store of copies for the outbox. If it cannot be reached, its first use claims it.
     *
     * @param archiveBoundary below this time, posts may have left the outbox; {@code 0} if there is no archive
     * @throws io.feedkit.ForeignStoreException if another source of truth has claimed it
     */
    public EngineCopies(
            EngineSettings engine,
            EngineSettings.Copying settings,
            Outbox outbox,
            LongSupplier archiveBoundary,
            GuardedListener listener) {
        this.engine = engine;
        this.settings = settings;
        this.identity = outbox.identity();
        this.store = settings.copies();
        this.caughtUp = new CaughtUpPosts(settings, outbox, archiveBoundary);
        this.breaker = new CircuitBreaker(engine, "the store of inbox copies is down; inboxes are built without them");
        this.listener = listener;
        this.warnings = new WarningLimiter(engine.clock());
        this.thread = new IdlingThread(engine, "copies", MOST_WAITING);
        claimAtStart();
    }

    private void claimAtStart() {
        try {
            claimed();
        } catch (StoreUnavailableException e) {
            if (!e.isRetryable()) {
                throw e;
            }
            warn("cannot claim the store of inbox copies yet; its first use claims it", e);
        }
    }

    private InboxCopies claimed() {
        if (!claimed) {
            store.claim(identity);
            claimed = true;
        }
        return store;
    }

    /**
     * Finds the copy of a reader.
     *
     * @return empty if there is none, it cannot be used, or the store fails
     */
    public Optional<ReaderCopy> find(String reader) {
        long start = System.nanoTime();
        try {
            Optional<Stored> found = breaker.ask(() -> breaker.watch(() -> read(reader)));
            if (found == null) {
                failed(reader, start, breaker.lastFailure());
                return Optional.empty();
            }
            return found.flatMap(stored -> unpack(stored, start))
                    .map(copy -> (followees, mark) -> caughtUp(copy, followees, mark));
        } catch (RuntimeException e) {
            warn("cannot read a copy of an inbox", e);
            failed(reader, start, Optional.of(e));
            return Optional.empty();
        }
    }

    private Optional<Stored> read(String reader) {
        return claimed()
                .heads(List.of(reader))
                .get(0)
                .map(head -> new Stored(head, store.parts(List.of(head)).get(0)));
    }

    private Optional<Copy> unpack(Stored stored, long start) {
        try {
            return Optional.of(CopyFormat.unpack(identity, stored.head(), stored.parts()));
        } catch (FlawedException e) {
            warn("a copy of an inbox is not used, and is replaced", e);
            unusable(stored.head().reader(), e.flaw().name(), start);
            return Optional.empty();
        }
    }

    private Optional<BuiltPosts> caughtUp(Copy copy, FolloweeSet followees, long mark) {
        long start = System.nanoTime();
        Optional<BuiltPosts> posts = caughtUp.of(copy, followees, mark);
        if (posts.isEmpty()) {
            unusable(copy.reader(), OUTDATED, start);
        }
        return posts;
    }

    /** Reports that an inbox was built from a copy. */
    public void used(String reader, Duration took) {
        listener.notify(each -> each.copied(CopyStep.done(reader, Outcome.USED, took)));
    }

    private static Duration since(long start) {
        return Duration.ofNanos(System.nanoTime() - start);
    }

    private void unusable(String reader, String reason, long start) {
        // A new copy need not wait for the interval.
        copied.forget(reader);
        listener.notify(each -> each.copied(CopyStep.without(reader, Outcome.UNUSABLE, reason, since(start))));
    }

    private void failed(String reader, long start, Optional<? extends Exception> failure) {
        failed(reader, start, failure.map(FailureReasons::of).orElse("the store of inbox copies is down"));
    }

    private void failed(String reader, long start, String reason) {
        copied.forget(reader);
        listener.notify(each -> each.copied(CopyStep.without(reader, Outcome.FAILED, reason, since(start))));
    }

    /**
     * Copies what the outboxes have for a reader, at most once in an interval.
     *
     * @param posts the newest posts of the followees at or above the floor, in any order
     * @param floor the lowest position down to which they are complete
     * @param mark the outbox's settled mark, read before the followees and the posts
     */
    public void offer(String reader, List<Post> posts, Position floor, long mark, FolloweeSet followees) {
        // If a store's clock that is far ahead is set right, the mark would hide what happens until then.
        boolean isSound = followees.isWhole()
                && followees.authors().size() <= CopyFormat.MOST_FOLLOWEES
                && mark <= engine.now() + AHEAD_MILLIS;
        if (!isSound || !copied.isDue(reader, engine.now(), settings.interval().toMillis())) {
            return;
        }
        NewestPosts newest = NewestPosts.of(posts, floor, settings.depth());
        long token = ThreadLocalRandom.current().nextLong();
        Packed packed = CopyFormat.pack(
                identity, new Copy(reader, token, mark, followees.numbers(), newest.floor(), newest.posts()));
        if (engine.fanout().workers() == 0) {
            write(packed);
        } else {
            submit(packed);
        }
    }

    /** Lets the thread write a copy, unless too many bytes wait. */
    private void submit(Packed packed) {
        String reader = packed.head().reader();
        long start = System.nanoTime();
        int bytes = packed.bytes();
        if (waitingBytes.addAndGet(bytes) > MOST_WAITING_BYTES) {
            waitingBytes.addAndGet(-bytes);
            failed(reader, start, TOO_MANY_WAIT);
            return;
        }
        waiting.put(reader, packed);
        try {
            Future<?> unused = thread.submit(() -> {
                waitingBytes.addAndGet(-bytes);
                if (waiting.remove(reader, packed)) {
                    write(packed);
                }
            });
        } catch (RejectedExecutionException e) {
            waitingBytes.addAndGet(-bytes);
            waiting.remove(reader, packed);
            failed(reader, start, TOO_MANY_WAIT);
        }
    }

    private void write(Packed packed) {
        String reader = packed.head().reader();
        long start = System.nanoTime();
        try {
            Boolean written = breaker.ask(() -> breaker.watch(() -> {
                claimed().store(packed.parts(), settings.lifetime().plus(LONGER).toMillis());
                store.publish(List.of(packed.head()), settings.lifetime().toMillis());
                return true;
            }));
            if (written == null) {
                failed(reader, start, breaker.lastFailure());
            } else {
                listener.notify(each -> each.copied(CopyStep.done(reader, Outcome.MADE, since(start))));
            }
        } catch (RuntimeException e) {
            warn("cannot write a copy of an inbox", e);
            failed(reader, start, Optional.of(e));
        }
    }

    /**
     * Removes the copy of a reader, also one that waits to be written.
     *
     * @throws StoreUnavailableException if the store cannot be reached
     */
    public void drop(String reader) {
        waiting.remove(reader);
        claimed().drop(List.of(reader));
        copied.forget(reader);
    }

    private void warn(String what, Exception e) {
        log.atLevel(warnings.level())
                .log(
                        "{}: {}; failures of the next minutes are logged at DEBUG: {}",
                        engine.name(),
                        what,
                        FailureReasons.of(e));
    }

    /** Drops the copies that wait, and waits for the one that is written, but no longer than a lease. */
    @Override
    public void close() {
        thread.close();
    }
}

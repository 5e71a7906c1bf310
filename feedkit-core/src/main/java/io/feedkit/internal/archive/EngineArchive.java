package io.feedkit.internal.archive;

import io.feedkit.event.ArchiveStep;
import io.feedkit.internal.check.FailureReasons;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.GuardedListener;
import io.feedkit.internal.host.Interrupts;
import io.feedkit.internal.host.TimedThread;
import io.feedkit.internal.host.WarningLimiter;
import io.feedkit.spi.ArchiveSource;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.PostArchive;
import io.feedkit.spi.WarmPosts;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The archive of an engine: its outbox, and a thread that moves old posts. An engine without workers has no such
 * thread. Thread-safe.
 */
public final class EngineArchive implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(EngineArchive.class);

    /** After so long, all engines know a boundary that was read from the store. */
    public static final Duration BOUNDARY_KNOWN_AFTER = ArchiveBoundary.KNOWN_AFTER;

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);
    private static final Duration LEASE_ENDS_WITHIN = Duration.ofSeconds(2);

    private final EngineSettings engine;
    private final EngineSettings.Archive settings;
    private final Outbox stored;
    private final ArchivedOutbox outbox;
    private final GuardedListener listener;
    private final WarningLimiter warnings;
    private final ArchiveMover mover;
    private final String id = UUID.randomUUID().toString();
    private final TimedThread thread;
    private Duration pauseAfterFailure = FIRST_PAUSE;
    private boolean hasLease;
    private volatile boolean closed;

    /**
     * Claims the archive for the outbox.
     *
     * @throws IllegalArgumentException if the outbox keeps all its posts, or the archive is an outbox
     * @throws io.feedkit.ForeignStoreException if another source of truth has claimed the archive
     */
    public EngineArchive(EngineSettings engine, EngineSettings.Archive given, Outbox stored, GuardedListener listener) {
        if (given.archive() instanceof Outbox) {
            throw new IllegalArgumentException("archive must be a store of its own, but is an outbox: "
                    + given.archive().getClass().getName());
        }
        ArchivedOutbox.source(stored);
        this.engine = engine;
        this.settings = given.with(ClaimedArchive.of(given.archive(), stored.identity(), engine));
        this.stored = stored;
        this.outbox = ArchivedOutbox.of(stored, settings.archive(), engine.clock());
        this.listener = listener;
        this.warnings = new WarningLimiter(engine.clock());
        this.mover = newMover();
        this.thread = new TimedThread(engine, "archive", this::run);
    }

    /**
     * Refuses an engine without an archive on an outbox whose posts may have moved to one.
     *
     * @throws IllegalArgumentException if an engine with an archive has raised the boundary
     */
    public static void requireNothingMoved(Outbox outbox) {
        long boundary = outbox.archiveSource().map(WarmPosts::boundary).orElse(0L);
        if (boundary > 0) {
            throw new IllegalArgumentException("archive must be set, because posts of this store up to "
                    + Instant.ofEpochMilli(boundary)
                    + " may have moved to an archive, and an engine without it does not find them");
        }
    }

    private ArchiveMover newMover() {
        return new ArchiveMover(engine, settings, stored, System::nanoTime);
    }

    /** The outbox with the archive behind it. */
    public ArchivedOutbox outbox() {
        return outbox;
    }

    /** The view of the outbox from which posts move. */
    public ArchiveSource source() {
        return ArchivedOutbox.source(stored);
    }

    /** The archive, which this engine has claimed. */
    public PostArchive archive() {
        return settings.archive();
    }

    public void start() {
        if (engine.fanout().workers() > 0) {
            thread.within(Duration.ZERO);
        }
    }

    private void run() {
        Duration pause = pauseAfterFailure;
        try {
            pause = step(this::stepWithLease).pause();
            keepLease(pause);
            pauseAfterFailure = FIRST_PAUSE;
        } catch (RuntimeException e) {
            Duration twice = pauseAfterFailure.multipliedBy(2);
            pauseAfterFailure = twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
            if (!closed) {
                log.atLevel(warnings.level())
                        .log(
                                "{}: cannot move posts to the archive; trying again in {}; failures of the next "
                                        + "minutes are logged at DEBUG: {}",
                                engine.name(),
                                pause,
                                FailureReasons.of(e));
            }
        } finally {
            thread.within(pause);
        }
    }

    /**
     * Takes a step if the engine has the mover's lease. An engine without due posts does not ask for it. If a step
     * fails, the lease ends, because another engine may reach the archive.
     */
    private ArchiveMover.Step stepWithLease() {
        Duration lease = engine.fanout().tasks().lease();
        if (mover.due() <= 0 || !leaseMover(lease)) {
            return new ArchiveMover.Step(0, shorter(settings.interval(), lease), false);
        }
        try {
            return mover.step();
        } catch (RuntimeException e) {
            endLease();
            throw e;
        }
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /** Keeps the lease between two passes, so that other engines do not look for posts in vain. */
    private void keepLease(Duration pause) {
        Duration lease = engine.fanout().tasks().lease();
        if (hasLease && pause.compareTo(lease) >= 0) {
            boolean unused = leaseMover(pause.plus(lease));
        }
    }

    private boolean leaseMover(Duration time) {
        boolean had = hasLease;
        hasLease = source().leaseMover(id, time.toMillis());
        if (hasLease && !had) {
            log.debug("{}: moves posts to the archive, as {}", engine.name(), id);
        }
        return hasLease;
    }

    /** If this fails, the lease runs out. */
    private void endLease() {
        if (hasLease) {
            hasLease = false;
            try {
                boolean unused = source().leaseMover(id, 0);
            } catch (RuntimeException e) {
                log.debug("{}: cannot end the lease of the mover", engine.name(), e);
            }
        }
    }

    private ArchiveMover.Step step(Supplier<ArchiveMover.Step> next) {
        long began = System.nanoTime();
        try {
            ArchiveMover.Step step = next.get();
            if (step.moved() > 0) {
                listener.notify(each -> each.archived(ArchiveStep.moved(step.moved(), since(began))));
            }
            return step;
        } catch (RuntimeException e) {
            Interrupts.keep(e);
            if (!closed) {
                listener.notify(each -> each.archived(ArchiveStep.failed(FailureReasons.of(e), since(began))));
            }
            throw e;
        }
    }

    private static Duration since(long began) {
        return Duration.ofNanos(System.nanoTime() - began);
    }

    /**
     * Moves all posts that are old enough now, on the calling thread, at the rate of the settings. Needs no lease.
     *
     * @param stop whether to stop before the end
     * @return how many posts this call moved
     */
    public long moveDue(BooleanSupplier stop) {
        ArchiveMover own = newMover();
        long due = own.due();
        long moved = 0;
        while (!stop.getAsBoolean()) {
            ArchiveMover.Step step = step(own::step);
            moved += step.moved();
            if (due <= 0 || (step.passEnded() && own.below() >= due)) {
                break;
            }
            if (!sleep(step.passEnded() ? ArchiveBoundary.KNOWN_AFTER : step.pause())) {
                break;
            }
        }
        return moved;
    }

    /** Returns false if the thread was interrupted. */
    private static boolean sleep(Duration pause) {
        try {
            Thread.sleep(pause.toMillis() + 1);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * Stops the thread, and waits for its step, but no longer than a lease. What it has not moved stays in the outbox.
     * Ends the mover's lease if the store answers soon; otherwise the lease runs out.
     */
    @Override
    public void close() {
        closed = true;
        if (engine.fanout().workers() == 0) {
            thread.close();
        } else if (!thread.close(() -> {}, engine.fanout().tasks().lease())) {
            log.warn(
                    "{}: closed after waiting {} for the move to the archive: it hangs in a store",
                    engine.name(),
                    engine.fanout().tasks().lease());
        } else {
            endLeaseWithin(LEASE_ENDS_WITHIN);
        }
    }

    private void endLeaseWithin(Duration limit) {
        Thread ending = new Thread(this::endLease, engine.name() + "-archive-lease");
        ending.setDaemon(true);
        ending.start();
        try {
            ending.join(limit.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

package io.feedkit.internal.fanout;

import io.feedkit.internal.fanout.FanoutRound.Round;
import io.feedkit.internal.fanout.RoundThreads.Found;
import io.feedkit.internal.fanout.RoundThreads.Work;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.GuardedListener;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FanoutLog.Watch;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads that process the tasks of the fan-out log. They start with the engine. The engine's publishes wake them,
 * and so does the log itself if it can. They look for other engines' tasks every poll interval. Thread-safe.
 */
public final class FanoutWorkerPool implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(FanoutWorkerPool.class);

    private static final long FIRST_LENT_PAUSE_NANOS = 2_000_000;
    private static final long LONGEST_LENT_PAUSE_NANOS = 100_000_000;

    private final FanoutRound worker;
    private final FanoutLog fanoutLog;
    private final TaskSource source;
    private final TaskSource drainSource;
    private final Duration loan;
    private final RoundThreads threads;
    private final ReentrantLock pausing = new ReentrantLock();
    private Watch watch = () -> {};
    private boolean closed;

    /**
     * @param source the source of the workers' tasks
     * @param loan how long tasks are lent to a queue, which is also the longest time that a drain waits for them; zero
     *     if there is no queue
     */
    public FanoutWorkerPool(
            EngineSettings settings,
            FanoutLog fanoutLog,
            GuardedListener listener,
            FanoutRound worker,
            TaskSource source,
            Duration loan) {
        this.fanoutLog = fanoutLog;
        this.worker = worker;
        this.source = source;
        this.drainSource = TaskSource.of(fanoutLog);
        this.loan = loan;
        Duration poll = settings.fanout().pollInterval();
        this.threads = new RoundThreads(
                log,
                settings,
                listener,
                new Work(
                        "fan-out",
                        "fanout",
                        settings.fanout().workers(),
                        poll,
                        () -> poll,
                        () -> worker.run(source).claimed() > 0 ? Found.MORE : Found.NOTHING));
    }

    /** Starts the threads; paused ones begin to work when a {@linkplain #pause pause} ends. */
    public void start(boolean paused) {
        threads.pause(paused);
        if (!threads.isEmpty()) {
            watch = fanoutLog.watch(this::wake);
            if (!paused) {
                source.start(this::wake);
            }
        }
        threads.start();
    }

    /** Wakes a worker: there may be a task. */
    public void wake() {
        threads.wake();
    }

    /** Wakes a worker, and makes it look again soon: a task may become visible shortly. */
    public void wakeSoon() {
        threads.wakeSoon();
    }

    /** Pauses the workers, or lets them continue; does nothing after {@link #close}. */
    public void pause(boolean pause) {
        pausing.lock();
        try {
            threads.pause(pause);
            if (pause) {
                source.stop();
            } else if (!threads.isEmpty() && !closed) {
                source.start(this::wake);
            }
        } finally {
            pausing.unlock();
        }
    }

    /**
     * Runs rounds on the calling thread until no task is due and no worker is in a round. The rounds claim from the
     * log, and leave lent tasks to the workers that receive them. Waits for lent tasks for at most the time of a loan.
     */
    public int drain() {
        if (threads.contains(Thread.currentThread())) {
            throw new IllegalStateException("drain must not be called on a fan-out worker: it would wait for itself");
        }
        int finished = 0;
        long waitingUntil = System.nanoTime() + loan.toNanos();
        long pause = FIRST_LENT_PAUSE_NANOS;
        while (true) {
            long before = threads.roundsIfIdle();
            Round round = worker.run(drainSource);
            finished += round.finished();
            if (round.claimed() == 0 && threads.awaitIdle(before)) {
                if (System.nanoTime() - waitingUntil >= 0
                        || fanoutLog.queueStatus().lent() == 0) {
                    worker.lookAtHostChanges();
                    return finished;
                }
                LockSupport.parkNanos(pause);
                pause = Math.min(LONGEST_LENT_PAUSE_NANOS, 2 * pause);
            }
        }
    }

    @Override
    public void close() {
        watch.close();
        pausing.lock();
        try {
            closed = true;
        } finally {
            pausing.unlock();
        }
        threads.close();
        source.stop();
    }
}

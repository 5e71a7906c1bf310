package io.feedkit.internal.fanout;

import io.feedkit.FeedKitException;
import io.feedkit.spi.FanoutLog.Outage;
import java.util.concurrent.atomic.AtomicBoolean;

/** Detects that this engine has reached a store again, so that tasks that wait for it are tried now. Thread-safe. */
final class OutageRecovery {

    /**
     * If a success comes at least this long after the first failure, waiting tasks are hastened. They are hastened
     * again after this pause at the earliest. The pause doubles each time. After twice the pause without hastening, it
     * starts again at this value.
     */
    private static final long FIRST_PAUSE_MILLIS = 1000;

    private static final long LONGEST_PAUSE_MILLIS = 300_000;

    private static final int FIRST_REPEAT = 4;

    private final AtomicBoolean failed = new AtomicBoolean();
    private long pause = FIRST_PAUSE_MILLIS;
    private volatile boolean reached;
    private volatile long began;
    private long hastened = Long.MIN_VALUE;

    /** Whether a failure is an outage of the store that may end soon, and not the task's fault. */
    static boolean isOutage(Throwable failure) {
        return failure instanceof FeedKitException typed && typed.isRetryable();
    }

    /**
     * Whether a task that did not reach some of its readers may deliver to all others again: after four failures,
     * eight, sixteen and so on. In between it only tries the first reader that it did not reach. Otherwise, the tasks
     * of a long outage would be a load on the parts of the store that work.
     */
    static boolean mayRepeat(Outage outage) {
        return outage.failures() >= FIRST_REPEAT && Integer.bitCount(outage.failures()) == 1;
    }

    /** Records that a task could not reach the store. */
    void failed(long now) {
        if (failed.compareAndSet(false, true)) {
            began = now;
        }
        reached = false;
    }

    /** Records that tasks have reached the store. */
    void reached() {
        reached = true;
    }

    /**
     * Whether waiting tasks should be tried now: a failure came before, and the latest task that tried has reached the
     * store. If only a part of a store is down, other tasks succeed all the time. Therefore the pauses between two such
     * answers grow like the retry delays of the tasks.
     */
    boolean isRecovery(long now) {
        return reached && failed.get() && mayHasten(now) && failed.compareAndSet(true, false);
    }

    private synchronized boolean mayHasten(long now) {
        boolean hastenedLately = hastened != Long.MIN_VALUE && isWithin(hastened, now, pause);
        if (hastenedLately || isWithin(began, now, FIRST_PAUSE_MILLIS)) {
            return false;
        }
        boolean quiet = hastened == Long.MIN_VALUE || !isWithin(hastened, now, 2 * pause);
        pause = quiet ? FIRST_PAUSE_MILLIS : Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
        hastened = now;
        return true;
    }

    private static boolean isWithin(long time, long now, long millis) {
        return time <= now && now - time < millis;
    }
}

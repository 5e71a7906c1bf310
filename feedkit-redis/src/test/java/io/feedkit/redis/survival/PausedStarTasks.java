package io.feedkit.redis.survival;

import io.feedkit.spi.FanoutLog.Task;
import io.feedkit.spi.FeedStore;
import io.feedkit.testservers.survival.Members;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Stops workers in the middle of the star's tasks, after some readers were delivered to and the progress was recorded.
 * Thread-safe.
 */
final class PausedStarTasks implements HalfDoneLog.Watch {

    private static final int LONGEST_SECONDS = 60;

    private final Set<String> held = ConcurrentHashMap.newKeySet();
    private final CountDownLatch end = new CountDownLatch(1);
    private volatile boolean armed;

    /** Puts this between an engine and its store. */
    FeedStore watch(FeedStore store) {
        return HalfDoneLog.in(store, this);
    }

    /** Workers stop from now on. */
    void begin() {
        armed = true;
    }

    /** The tasks at which workers stopped. */
    Set<String> tasks() {
        return Set.copyOf(held);
    }

    /** Lets the workers go on. */
    void end() {
        armed = false;
        end.countDown();
    }

    @Override
    public void halfDone(Task task) {
        if (armed && task.author().equals(Members.STAR)) {
            held.add(task.id());
            try {
                if (!end.await(LONGEST_SECONDS, TimeUnit.SECONDS)) {
                    throw new IllegalStateException("nobody let the worker go on");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}

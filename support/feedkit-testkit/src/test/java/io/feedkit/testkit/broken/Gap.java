package io.feedkit.testkit.broken;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * The gap between two steps of a broken store that should be one. A racing thread stays in it until a rival has come
 * between the steps, so that the race is lost however threads are scheduled. One thread at a time is held up, and none
 * any more once a rival has come.
 */
final class Gap {

    /** What is awaited comes at once, unless the machine is very busy, or it does not come at all. */
    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long POLL_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    private final AtomicReference<State> state = new AtomicReference<>(State.EMPTY);

    private enum State {
        EMPTY,
        TAKEN,
        LOST
    }

    /**
     * Between the two steps.
     *
     * @param rivalCame whether what the first step saw has changed
     */
    void awaitRival(BooleanSupplier rivalCame) {
        if (racing() && state.compareAndSet(State.EMPTY, State.TAKEN)) {
            state.set(await(rivalCame) ? State.LOST : State.EMPTY);
        }
    }

    /** Before the step of a rival that would come once only, and might come too early. */
    void awaitVictim() {
        if (racing()) {
            await(() -> state.get() != State.EMPTY);
        }
    }

    /** Tests prepare and look with threads of other names, which no rival meets. */
    private static boolean racing() {
        return Thread.currentThread().getName().startsWith("racer-");
    }

    private static boolean await(BooleanSupplier condition) {
        long begin = System.nanoTime();
        boolean met = condition.getAsBoolean();
        while (!met && System.nanoTime() - begin < MOST_NANOS) {
            LockSupport.parkNanos(POLL_NANOS);
            met = condition.getAsBoolean();
        }
        return met;
    }
}

package io.feedkit.survival;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Waits for a point to be reached for the nth time. Thread-safe.
 *
 * @param <P> the points
 */
public final class Trap<P extends Enum<P>> {

    private final P point;
    private final int time;
    private final Consumer<P> reached;
    private final AtomicInteger times = new AtomicInteger();

    private Trap(P point, int time, Consumer<P> reached) {
        this.point = point;
        this.time = time;
        this.reached = reached;
    }

    /** A trap that never triggers. */
    static <P extends Enum<P>> Trap<P> none(P point) {
        return new Trap<>(point, -1, at -> {});
    }

    /** A trap that signals when the point is reached, and holds the thread until the kill is done. */
    static <P extends Enum<P>> Trap<P> holding(P point, int time, CountDownLatch reached, CountDownLatch killed) {
        return new Trap<>(point, time, at -> {
            reached.countDown();
            awaitUninterruptibly(killed);
        });
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        boolean interrupted = false;
        while (true) {
            try {
                latch.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * A trap that prints on the standard output that the point is reached, and holds the thread until a kill.
     *
     * @param point the point
     * @param time how often the point is reached until the trap triggers
     * @param <P> the points
     * @return the trap
     */
    public static <P extends Enum<P>> Trap<P> holding(P point, int time) {
        return new Trap<>(point, time, at -> {
            System.out.println("at " + at);
            while (true) {
                LockSupport.park();
            }
        });
    }

    /**
     * Passes a point.
     *
     * @param here the point
     */
    public void at(P here) {
        if (here == point && times.incrementAndGet() == time) {
            reached.accept(here);
        }
    }
}

package io.feedkit.survival;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** Waits for a point to be reached for the nth time. Thread-safe. */
final class Trap {

    private final KillPoint point;
    private final int time;
    private final Consumer<KillPoint> reached;
    private final AtomicInteger times = new AtomicInteger();

    private Trap(KillPoint point, int time, Consumer<KillPoint> reached) {
        this.point = point;
        this.time = time;
        this.reached = reached;
    }

    /** A trap that never triggers. */
    static Trap none(KillPoint point) {
        return new Trap(point, -1, at -> {});
    }

    /** A trap that signals when the point is reached, and holds the thread until the kill is done. */
    static Trap holding(KillPoint point, int time, CountDownLatch reached, CountDownLatch killed) {
        return new Trap(point, time, at -> {
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

    /** A trap that prints on the standard output that the point is reached, and holds the thread until a kill. */
    static Trap holding(KillPoint point, int time) {
        return new Trap(point, time, at -> {
            System.out.println("at " + at);
            while (true) {
                LockSupport.park();
            }
        });
    }

    void at(KillPoint here) {
        if (here == point && times.incrementAndGet() == time) {
            reached.accept(here);
        }
    }
}

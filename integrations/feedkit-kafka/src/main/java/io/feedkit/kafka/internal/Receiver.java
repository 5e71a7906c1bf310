package io.feedkit.kafka.internal;

import io.feedkit.internal.check.Addresses;
import io.feedkit.internal.check.FailureReasons;
import io.feedkit.kafka.internal.Settlement.Kind;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread with one consumer of Kafka, which no other thread may use. Other threads hand settlements over. After a
 * failure it creates another consumer, with growing pauses. Thread-safe.
 */
final class Receiver {

    /** One consumer. Only the receiver's thread uses it, except for {@link #wake}. */
    interface Session {

        /** Receives and settles messages, and returns after about a second at most. */
        void step();

        /** Whether this consumer has no more work. */
        boolean isFinished();

        /** Reports that settlements were handed over, or that the receiver is to end. Called by any thread. */
        void wake(boolean end);

        /** Sends the settlements to the broker, and returns the other messages, in bounded time. */
        void close();
    }

    private static final Logger LOG = LoggerFactory.getLogger(Receiver.class);
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(100);
    private static final Duration STABLE_TIME = Duration.ofSeconds(30);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    private final String name;
    private final Function<Receiver, Session> opening;
    private final Consumer<Receiver> ended;
    private final Thread thread;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<Settlement> settlements = new ArrayDeque<>();
    private int moving;
    private volatile boolean stopped;
    private volatile @Nullable Session session;

    /** Creates a receiver. */
    Receiver(String name, Function<Receiver, Session> opening, Consumer<Receiver> ended) {
        this.name = name;
        this.opening = opening;
        this.ended = ended;
        thread = new Thread(this::run, "feedkit-kafka-" + name);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Called by any thread. */
    void settle(Collection<Settlement> settled) {
        lock.lock();
        try {
            settlements.addAll(settled);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        wake(false);
    }

    /** Takes the settlements that were handed over, and waits for the first one. */
    List<Settlement> settled(Duration longest) {
        lock.lock();
        try {
            long left = longest.toNanos();
            while (settlements.isEmpty() && !stopped && left > 0) {
                left = changed.awaitNanos(left);
            }
            List<Settlement> taken = new ArrayList<>(settlements);
            settlements.clear();
            return taken;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        } finally {
            lock.unlock();
        }
    }

    boolean hasSettled() {
        lock.lock();
        try {
            return !settlements.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Sends the refused messages to the dead letters, and returns the other settlements. If a message could not be
     * moved, it is refused again.
     */
    List<Settlement> moveRefused(List<Settlement> settled, Sender sender) {
        List<Settlement> others = new ArrayList<>();
        for (Settlement each : settled) {
            if (each.kind() == Kind.REFUSED) {
                moving(1);
                sender.sendDead(each.message(), each.reason(), moved -> {
                    settle(List.of(new Settlement(each.message(), moved ? Kind.MOVED : Kind.REFUSED, each.reason())));
                    moving(-1);
                });
            } else {
                others.add(each);
            }
        }
        return others;
    }

    private void moving(int more) {
        lock.lock();
        try {
            moving += more;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for a limited time until the refused messages are among the dead letters. */
    void awaitMoved(Duration longest) {
        lock.lock();
        try {
            long left = longest.toNanos();
            while (moving > 0 && left > 0) {
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    /** Stops the thread, without waiting for its end. */
    void stop() {
        lock.lock();
        try {
            stopped = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        wake(true);
    }

    /** Waits until the thread has ended. Its own thread does not wait. */
    void awaitEnd(long deadline) {
        if (Thread.currentThread() == thread) {
            return;
        }
        try {
            TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(1, deadline - System.nanoTime()));
            if (thread.isAlive()) {
                LOG.warn("{}: the consumer has not ended in time; it ends in the background", name);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void wake(boolean end) {
        Session open = session;
        if (open != null) {
            open.wake(end);
        }
    }

    private void run() {
        try {
            runWithRestarts();
        } finally {
            ended.accept(this);
        }
    }

    private void runWithRestarts() {
        Duration pause = SHORTEST_PAUSE;
        boolean more = true;
        while (more && !stopped) {
            long begin = System.nanoTime();
            try {
                more = runSession();
            } catch (Throwable e) {
                if (System.nanoTime() - begin > STABLE_TIME.toNanos()) {
                    pause = SHORTEST_PAUSE;
                }
                if (stopped) {
                    LOG.debug("{}: the consumer failed while it ended", name, e);
                } else {
                    LOG.warn(
                            "{}: consumer failed; restarting in {}",
                            name,
                            pause,
                            Addresses.clean(FailureReasons.printable(e)));
                }
                pause(pause);
                pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
            }
        }
    }

    /**
     * Receives until the consumer has no more work, or the receiver is stopped. Returns whether to start another
     * consumer.
     */
    private boolean runSession() {
        Session open = opening.apply(this);
        session = open;
        try {
            while (!stopped && !open.isFinished()) {
                open.step();
            }
            return !open.isFinished();
        } catch (WakeupException e) {
            return true;
        } finally {
            session = null;
            open.close();
        }
    }

    private void pause(Duration duration) {
        lock.lock();
        try {
            long left = duration.toNanos();
            while (!stopped && left > 0) {
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }
}

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
 * failure it makes another consumer, with growing pauses. Thread-safe.
 */
final class Receiver {

    /** One consumer. Only the receiver's thread uses it, but for {@link #wake}. */
    interface Session {

        /** Receives and settles, and returns after at most a second or so. */
        void step();

        /** Whether it has nothing more to do. */
        boolean isFinished();

        /** Settlements were handed over, or the receiver is to end. Called by any thread. */
        void wake(boolean end);

        /** Tells the broker what was settled, and gives the rest back, in bounded time. */
        void close();
    }

    private static final Logger LOG = LoggerFactory.getLogger(Receiver.class);
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(100);
    private static final Duration GOOD_WHILE = Duration.ofSeconds(30);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    private final String name;
    private final Function<Receiver, Session> opening;
    private final Consumer<Receiver> ended;
    private final Thread thread;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition news = lock.newCondition();
    private final Deque<Settlement> settlements = new ArrayDeque<>();
    private int moving;
    private volatile boolean stopped;
    private volatile @Nullable Session session;

    /** Makes a receiver that says when it has ended. */
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
            news.signalAll();
        } finally {
            lock.unlock();
        }
        wake(false);
    }

    /** Takes what was settled, and waits for the first one. */
    List<Settlement> settled(Duration longest) {
        lock.lock();
        try {
            long left = longest.toNanos();
            while (settlements.isEmpty() && !stopped && left > 0) {
                left = news.awaitNanos(left);
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

    /** Hands the refused messages on, and keeps the others. A message that could not be moved is refused again. */
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
            news.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits a little until the messages that were refused are among the dead letters. */
    void awaitMoved(Duration longest) {
        lock.lock();
        try {
            long left = longest.toNanos();
            while (moving > 0 && left > 0) {
                left = news.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    /** Tells the thread to end, without waiting. */
    void stop() {
        lock.lock();
        try {
            stopped = true;
            news.signalAll();
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
                LOG.warn("{} has not ended in time, and ends later", name);
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
            receiveAgainAndAgain();
        } finally {
            ended.accept(this);
        }
    }

    private void receiveAgainAndAgain() {
        Duration pause = SHORTEST_PAUSE;
        boolean more = true;
        while (more && !stopped) {
            long begin = System.nanoTime();
            try {
                more = receive();
            } catch (Throwable e) {
                if (System.nanoTime() - begin > GOOD_WHILE.toNanos()) {
                    pause = SHORTEST_PAUSE;
                }
                if (stopped) {
                    LOG.debug("{} has not ended well", name, e);
                } else {
                    LOG.warn(
                            "{} has failed, and begins again in {}",
                            name,
                            pause,
                            Addresses.clean(FailureReasons.printable(e)));
                }
                pause(pause);
                pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
            }
        }
    }

    /** Receives until it has nothing more to do, or is told to end. Returns whether it is to begin again. */
    private boolean receive() {
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
                left = news.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }
}

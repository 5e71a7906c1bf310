package io.feedkit.micrometer;

import io.feedkit.EngineClosedException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The latest answer to a question that takes a call to a store. The question is asked when the answer is wanted, but at
 * most once in an interval, and not again while a call is still running. A call that hangs costs each caller a bounded
 * time, and one thread. Thread-safe.
 */
final class Sample<T> {

    /** How long callers wait for a call, from its beginning. */
    static final Duration WAIT = Duration.ofSeconds(1);

    /** For how long an answer is given. */
    static final Duration KEPT = Duration.ofMinutes(2);

    /** One call: when it began by the clock of the meters, and by the system's, which measures waiting. */
    private record Call(long begin, long systemBegin, CountDownLatch end) {}

    /** An answer, and when its call began by the clock of the meters. */
    private record Answer<T>(T value, long begin) {}

    private final String thread;
    private final long intervalNanos;
    private final Supplier<T> question;
    private final LongSupplier clock;
    private final long created;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable Call call;
    private volatile @Nullable Answer<T> answer;

    /**
     * @param thread the name of the threads of the calls
     * @param interval the least time between the beginnings of two calls
     * @param question makes the call
     * @param clock the time in nanoseconds
     */
    Sample(String thread, Duration interval, Supplier<T> question, LongSupplier clock) {
        this.thread = thread;
        this.intervalNanos = interval.toNanos();
        this.question = question;
        this.clock = clock;
        this.created = clock.getAsLong();
    }

    /** Asks if that is due, without waiting for the answer. */
    void ask() {
        Call unused = latestCall();
    }

    /** Asks if that is due, and gives the latest answer; empty if there is none, or it is too old. */
    Optional<T> latest() {
        await(latestCall());
        Answer<T> latest = answer;
        if (latest == null || clock.getAsLong() - latest.begin() > KEPT.toNanos()) {
            return Optional.empty();
        }
        return Optional.of(latest.value());
    }

    /** How old the latest answer is, in nanoseconds; without an answer, since when one is missing. */
    long age() {
        await(latestCall());
        Answer<T> latest = answer;
        return clock.getAsLong() - (latest == null ? created : latest.begin());
    }

    private Call latestCall() {
        lock.lock();
        try {
            Call latest = call;
            if (latest == null || isDueAfter(latest)) {
                latest = new Call(clock.getAsLong(), System.nanoTime(), new CountDownLatch(1));
                call = latest;
                start(latest);
            }
            return latest;
        } finally {
            lock.unlock();
        }
    }

    private boolean isDueAfter(Call latest) {
        return latest.end().getCount() == 0 && clock.getAsLong() - latest.begin() >= intervalNanos;
    }

    private void start(Call started) {
        Thread caller = new Thread(() -> run(started), thread);
        caller.setDaemon(true);
        try {
            caller.start();
        } catch (Throwable e) { // no memory for a thread: as a call that failed
            started.end().countDown();
        }
    }

    private void run(Call running) {
        try {
            answer = new Answer<>(question.get(), running.begin());
        } catch (EngineClosedException e) {
            answer = null;
        } catch (Throwable e) {
            // The gauges show it: there is no newer answer.
        } finally {
            running.end().countDown();
        }
    }

    private static void await(Call running) {
        long left = WAIT.toNanos() - (System.nanoTime() - running.systemBegin());
        try {
            boolean unused = running.end().await(left, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

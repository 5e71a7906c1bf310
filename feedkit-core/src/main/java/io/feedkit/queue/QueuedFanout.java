package io.feedkit.queue;

import io.feedkit.internal.check.Arguments;
import java.time.Duration;

/**
 * How an engine uses a fan-out queue; for {@link io.feedkit.FeedEngineBuilder#fanoutQueue(QueuedFanout)}. Immutable:
 * each method that sets something returns a changed copy.
 *
 * <pre>{@code
 * QueuedFanout.over(queue).loan(Duration.ofMinutes(2)).relay(false)
 * }</pre>
 *
 * @since 0.1.0
 */
public final class QueuedFanout {

    /**
     * How long a message may be in transit: longer than messages stay in the queue while the workers keep up, but short
     * enough that a lost message is soon sent again.
     */
    public static final Duration DEFAULT_LOAN = Duration.ofMinutes(1);

    /** Tasks in the queue: enough for a second of many workers. */
    public static final int DEFAULT_LENDING_WINDOW = 2000;

    /** The most tasks in the queue. */
    public static final int LARGEST_LENDING_WINDOW = 10_000;

    private static final Duration SHORTEST_LOAN = Duration.ofSeconds(1);
    private static final Duration LONGEST_LOAN = Duration.ofDays(36_500);

    private final FanoutQueue queue;
    private final boolean relay;
    private final Duration loan;
    private final int lendingWindow;

    private QueuedFanout(FanoutQueue queue, boolean relay, Duration loan, int lendingWindow) {
        this.queue = queue;
        this.relay = relay;
        this.loan = loan;
        this.lendingWindow = lendingWindow;
    }

    /**
     * Returns the default settings for a fan-out through a queue.
     *
     * @param queue the queue; it belongs to the host, who closes it after the engine
     * @return the settings
     * @throws IllegalArgumentException if the queue is null
     */
    public static QueuedFanout over(FanoutQueue queue) {
        return new QueuedFanout(Arguments.nonNull("queue", queue), true, DEFAULT_LOAN, DEFAULT_LENDING_WINDOW);
    }

    /**
     * Sets whether the engine sends tasks to the queue. At least one engine with the queue must.
     *
     * @param relay true by default
     * @return the changed settings
     */
    public QueuedFanout relay(boolean relay) {
        return new QueuedFanout(queue, relay, loan, lendingWindow);
    }

    /**
     * Sets how long a task is lent to the queue. If no worker has taken the task by then, it is sent again. If the loan
     * is shorter than the time of a message in the queue, many messages are sent twice. That costs time, but loses no
     * post.
     *
     * @param loan at least a second; {@link #DEFAULT_LOAN} by default
     * @return the changed settings
     * @throws IllegalArgumentException if the loan is null or out of range
     */
    public QueuedFanout loan(Duration loan) {
        return new QueuedFanout(
                queue, relay, Arguments.between("loan", loan, SHORTEST_LOAN, LONGEST_LOAN), lendingWindow);
    }

    /**
     * Bounds how many tasks are lent and not yet taken, so that the queue stays short while a backlog waits in the
     * store. All engines with a queue should agree on this setting.
     *
     * @param lendingWindow tasks, 1 to {@value #LARGEST_LENDING_WINDOW}; {@link #DEFAULT_LENDING_WINDOW} by default
     * @return the changed settings
     * @throws IllegalArgumentException if the number is out of range
     */
    public QueuedFanout lendingWindow(int lendingWindow) {
        return new QueuedFanout(
                queue, relay, loan, Arguments.between("lendingWindow", lendingWindow, 1, LARGEST_LENDING_WINDOW));
    }

    /**
     * The queue.
     *
     * @return as it was given
     */
    public FanoutQueue queue() {
        return queue;
    }

    /**
     * Whether the engine sends tasks to the queue.
     *
     * @return true if it does
     */
    public boolean isRelay() {
        return relay;
    }

    /**
     * How long a task is lent to the queue.
     *
     * @return at least a second
     */
    public Duration loan() {
        return loan;
    }

    /**
     * The most tasks that may be lent and not yet taken.
     *
     * @return the bound
     */
    public int lendingWindow() {
        return lendingWindow;
    }

    @Override
    public String toString() {
        return "QueuedFanout[queue=" + queue + ", relay=" + relay + ", loan=" + loan + ", lendingWindow="
                + lendingWindow + "]";
    }
}

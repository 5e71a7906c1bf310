package io.feedkit.kafka.internal;

import io.feedkit.FeedKitException;
import io.feedkit.internal.check.Addresses;
import io.feedkit.queue.FanoutQueue.Lane;
import io.feedkit.queue.FanoutQueue.Status;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tracks the status of the queue, and which partitions accept messages. It asks the brokers every few seconds, on a
 * daemon thread of its own, and the {@link Sender} reports to it. If topics are missing, it prepares them again.
 * Thread-safe.
 */
final class BrokerWatch implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(BrokerWatch.class);
    private static final Duration PERIOD = Duration.ofSeconds(3);
    private static final Duration ONE_OUTAGE = Duration.ofSeconds(5);
    private static final Duration LONGEST_QUESTION = Duration.ofSeconds(3);

    private final Topics topics;
    private final QueueSettings settings;
    private final Runnable prepare;
    private final Duration limit;
    private final ScheduledThreadPoolExecutor thread;
    private final AtomicBoolean checkRequested = new AtomicBoolean();
    private final AtomicInteger outages = new AtomicInteger();
    private volatile long lastOutage;
    private volatile Status status = Status.OPEN;
    private volatile Map<Lane, int[]> writable = Map.of();

    private BrokerWatch(Topics topics, QueueSettings settings, Runnable prepare) {
        this.topics = topics;
        this.settings = settings;
        this.prepare = prepare;
        limit = settings.sendTimeout().compareTo(LONGEST_QUESTION) < 0 ? settings.sendTimeout() : LONGEST_QUESTION;
        thread = new ScheduledThreadPoolExecutor(1, task -> {
            Thread daemon = new Thread(task, "feedkit-kafka-watch");
            daemon.setDaemon(true);
            return daemon;
        });
        thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /**
     * Starts a watch, after the first answer.
     *
     * @param prepare prepares the topics and groups when a topic is missing
     */
    static BrokerWatch start(Topics topics, QueueSettings settings, Runnable prepare) {
        BrokerWatch watch = new BrokerWatch(topics, settings, prepare);
        watch.check();
        watch.checkAgain();
        return watch;
    }

    Status status() {
        return status;
    }

    /** The partitions of a lane to send to: those that accept messages, or all if none does. */
    int[] writable(Lane lane) {
        return writable.getOrDefault(lane, new int[] {0});
    }

    /**
     * The number of outages of the brokers. Messages that were received before an outage may have been delivered to
     * others since. Outages in short succession count as one.
     */
    int outages() {
        return outages.get();
    }

    /** Reports that a message was confirmed. */
    void confirmed() {
        if (status == Status.UNREACHABLE) {
            checkSoon();
        }
    }

    /** Reports that an answer did not come in time. */
    void answerMissed() {
        setStatus(Status.UNREACHABLE, "no answer came in time");
        checkSoon();
    }

    private void checkSoon() {
        if (checkRequested.compareAndSet(false, true)) {
            run(Duration.ZERO, this::check);
        }
    }

    private void checkAgain() {
        run(PERIOD, () -> {
            try {
                check();
            } finally {
                checkAgain();
            }
        });
    }

    private void run(Duration delay, Runnable task) {
        try {
            ScheduledFuture<?> unused = thread.schedule(task, delay.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            LOG.trace("closed", e);
        }
    }

    private void check() {
        checkRequested.set(false);
        try {
            update(topics.describeAll(limit));
        } catch (UnknownTopicOrPartitionException e) {
            setStatus(Status.BLOCKED, "a topic is missing");
            prepareAgain();
        } catch (KafkaException | TimeoutException e) {
            setStatus(Status.UNREACHABLE, Addresses.clean(e.toString()));
        }
    }

    private void prepareAgain() {
        try {
            prepare.run();
        } catch (FeedKitException | KafkaException e) {
            LOG.warn("{}: cannot prepare the topics; retrying at the next check", settings.topicPrefix(), e);
        }
    }

    private void update(Map<String, TopicDescription> found) {
        Map<Lane, int[]> partitions = new EnumMap<>(Lane.class);
        boolean blocked = false;
        for (Lane lane : Lane.values()) {
            TopicDescription topic = found.get(settings.topic(lane));
            if (topic == null) {
                continue;
            }
            int[] now = topics.writable(topic);
            blocked |= now.length == 0;
            int[] all = topic.partitions().stream()
                    .mapToInt(partition -> partition.partition())
                    .toArray();
            partitions.put(lane, now.length == 0 ? all : now);
        }
        writable = partitions;
        setStatus(blocked ? Status.BLOCKED : Status.OPEN, "no partition has enough in-sync replicas");
    }

    private synchronized void setStatus(Status next, String why) {
        if (thread.isShutdown()) {
            return;
        }
        Status before = status;
        status = next;
        if (before == next) {
            return;
        }
        if (next == Status.UNREACHABLE) {
            countOutage();
        }
        if (next == Status.OPEN) {
            LOG.info("{}: the brokers accept messages again", settings.topicPrefix());
        } else {
            LOG.warn("{}: the brokers accept no messages: {}", settings.topicPrefix(), why);
        }
    }

    private void countOutage() {
        long now = System.nanoTime();
        if (outages.get() == 0 || now - lastOutage > ONE_OUTAGE.toNanos()) {
            lastOutage = now;
            outages.incrementAndGet();
        }
    }

    @Override
    public synchronized void close() {
        thread.shutdownNow();
        status = Status.UNREACHABLE;
    }
}

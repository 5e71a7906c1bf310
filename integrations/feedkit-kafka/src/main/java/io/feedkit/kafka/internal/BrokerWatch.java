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
 * Knows how the queue is, and which partitions store messages. Asks the brokers every few seconds, on a daemon thread
 * of its own, and hears from the {@link Sender}. If topics are gone, it prepares them again. Thread-safe.
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
    private final AtomicBoolean asked = new AtomicBoolean();
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
     * Begins to watch, after the first answer.
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

    /** The partitions of a lane to send to: those that store messages, or else all that were ever seen. */
    int[] writable(Lane lane) {
        return writable.getOrDefault(lane, new int[] {0});
    }

    /**
     * How often the brokers have been out of reach. What was received before may have gone to others since. Outages
     * that follow each other soon count as one.
     */
    int outages() {
        return outages.get();
    }

    /** A message was confirmed. */
    void confirmed() {
        if (status == Status.UNREACHABLE) {
            checkSoon();
        }
    }

    /** An answer did not come in time. */
    void missed() {
        become(Status.UNREACHABLE, "no answer came in time");
        checkSoon();
    }

    private void checkSoon() {
        if (asked.compareAndSet(false, true)) {
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
        asked.set(false);
        try {
            learn(topics.describeAll(limit));
        } catch (UnknownTopicOrPartitionException e) {
            become(Status.BLOCKED, "a topic is missing");
            prepareAgain();
        } catch (KafkaException | TimeoutException e) {
            become(Status.UNREACHABLE, Addresses.clean(e.toString()));
        }
    }

    private void prepareAgain() {
        try {
            prepare.run();
        } catch (FeedKitException | KafkaException e) {
            LOG.warn("{}: the topics cannot be prepared", settings.topicPrefix(), e);
        }
    }

    private void learn(Map<String, TopicDescription> found) {
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
        become(blocked ? Status.BLOCKED : Status.OPEN, "no partition has enough replicas in sync");
    }

    private synchronized void become(Status next, String why) {
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
            LOG.info("{}: the brokers take messages again", settings.topicPrefix());
        } else {
            LOG.warn("{}: the brokers take no messages: {}", settings.topicPrefix(), why);
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

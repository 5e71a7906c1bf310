package io.feedkit.kafka.internal;

import io.feedkit.EngineClosedException;
import io.feedkit.internal.check.FailureReasons;
import io.feedkit.kafka.KafkaPostIntake.Change;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A member of the intake's group. It receives records only when all earlier ones are done. Until then its partitions
 * are paused, and it continues to poll, so that it stays a member.
 */
final class IntakeSession implements Receiver.Session, ConsumerRebalanceListener {

    private static final Logger LOG = LoggerFactory.getLogger(IntakeSession.class);
    private static final Duration POLL = Duration.ofSeconds(1);
    private static final Duration SHORT_POLL = Duration.ofMillis(20);
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    private final PostChanges changes;
    private final Function<ConsumerRecord<byte[], byte[]>, List<Change>> mapping;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Map<TopicPartition, List<IntakeRecord>> pending = new HashMap<>();
    private final OffsetCommits commits;
    private Duration pause = Duration.ZERO;
    private long pausedAt;
    private boolean finished;

    /** Joins the group. */
    IntakeSession(
            ClientSettings clients,
            IntakeSettings settings,
            PostChanges changes,
            Function<ConsumerRecord<byte[], byte[]>, List<Change>> mapping) {
        this.changes = changes;
        this.mapping = mapping;
        consumer = consumer(clients, settings);
        commits = new OffsetCommits(consumer, CLOSE_LIMIT);
        consumer.subscribe(List.of(settings.topic()), this);
    }

    /** Checks that Kafka's consumer accepts the settings. */
    static void check(ClientSettings clients, IntakeSettings settings) {
        consumer(clients, settings).close(CloseOptions.timeout(Duration.ZERO));
    }

    private static KafkaConsumer<byte[], byte[]> consumer(ClientSettings clients, IntakeSettings settings) {
        Map<String, Object> all = clients.groupConsumer(settings.group(), settings.batchSize(), false);
        all.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        return Brokers.client(
                clients, () -> new KafkaConsumer<>(all, new ByteArrayDeserializer(), new ByteArrayDeserializer()));
    }

    @Override
    public void step() {
        receive();
        if (remainingPause().isZero()) {
            applyPending();
        }
        commits.commit();
        if (pending.isEmpty()) {
            pause = Duration.ZERO;
            consumer.resume(consumer.paused());
        }
    }

    private void receive() {
        for (ConsumerRecord<byte[], byte[]> record :
                consumer.poll(pending.isEmpty() ? untilCommitted() : remainingPause())) {
            pending.computeIfAbsent(
                            new TopicPartition(record.topic(), record.partition()), missing -> new ArrayList<>())
                    .add(IntakeRecord.of(record, mapping));
        }
    }

    /** Only a poll receives the answer to a commit. */
    private Duration untilCommitted() {
        return commits.isUnderWay() ? SHORT_POLL : POLL;
    }

    /** The rest of the pause, but at most the time of a poll. */
    private Duration remainingPause() {
        Duration left = pause.minusNanos(System.nanoTime() - pausedAt);
        return left.isNegative() || pause.isZero() ? Duration.ZERO : left.compareTo(POLL) < 0 ? left : POLL;
    }

    private void applyPending() {
        try {
            for (TopicPartition partition : List.copyOf(pending.keySet())) {
                List<IntakeRecord> records = List.copyOf(pending.getOrDefault(partition, List.of()));
                changes.apply(records, done -> done(partition, done.size()));
                pending.remove(partition);
            }
        } catch (EngineClosedException e) {
            LOG.error("the engine is closed, so the intake ends; close the intake before the engine", e);
            finished = true;
        } catch (RuntimeException e) {
            pauseAfter(e);
        }
    }

    private void done(TopicPartition partition, int records) {
        List<IntakeRecord> begun = pending.getOrDefault(partition, List.of());
        ConsumerRecord<byte[], byte[]> last = begun.get(records - 1).record();
        begun.subList(0, records).clear();
        commits.done(partition, last.offset() + 1);
    }

    private void pauseAfter(RuntimeException failure) {
        boolean first = pause.isZero();
        Duration twice = pause.multipliedBy(2);
        pause = first ? FIRST_PAUSE : twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
        pausedAt = System.nanoTime();
        consumer.pause(consumer.assignment());
        if (first) {
            LOG.warn(
                    "the intake cannot apply records; retrying after pauses that grow to {}",
                    LONGEST_PAUSE,
                    FailureReasons.printable(failure));
        } else {
            LOG.debug("the intake still fails; retrying in {}", pause, FailureReasons.printable(failure));
        }
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
        if (!pending.isEmpty()) {
            consumer.pause(partitions);
        }
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
        commits.last(partitions);
        onPartitionsLost(partitions);
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
        pending.keySet().removeAll(partitions);
        commits.forget(partitions);
    }

    @Override
    public boolean isFinished() {
        return finished;
    }

    @Override
    public void wake(boolean end) {
        if (end) {
            consumer.wakeup();
        }
    }

    @Override
    public void close() {
        try {
            commits.last();
        } finally {
            consumer.close(CloseOptions.timeout(CLOSE_LIMIT));
        }
    }
}

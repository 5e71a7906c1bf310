package io.feedkit.kafka.internal;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits the offsets of a member of a consumer group: one commit after the other, without waiting for the answer,
 * which a later poll receives. A failed commit is repeated. Messages above the last committed offset are delivered
 * again. Used by the consumer's thread.
 */
final class OffsetCommits {

    private static final Logger LOG = LoggerFactory.getLogger(OffsetCommits.class);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Duration limit;
    private final Map<TopicPartition, OffsetAndMetadata> uncommitted = new HashMap<>();

    /** The offsets of the commit that is under way, except those of partitions that were lost since. */
    private final Map<TopicPartition, OffsetAndMetadata> sent = new HashMap<>();

    private boolean underWay;

    /**
     * @param limit how long a last commit may take
     */
    OffsetCommits(KafkaConsumer<byte[], byte[]> consumer, Duration limit) {
        this.consumer = consumer;
        this.limit = limit;
    }

    /** Records that all messages of a partition below an offset are done. */
    void done(TopicPartition partition, long below) {
        uncommitted.put(partition, new OffsetAndMetadata(below));
    }

    /** Whether an answer is awaited. */
    boolean isUnderWay() {
        return underWay;
    }

    void commit() {
        if (underWay || uncommitted.isEmpty()) {
            return;
        }
        sent.putAll(uncommitted);
        uncommitted.clear();
        underWay = true;
        consumer.commitAsync(Map.copyOf(sent), (committed, failure) -> {
            underWay = false;
            if (failure != null) {
                LOG.debug("a commit failed; retrying", failure);
                sent.forEach(uncommitted::putIfAbsent);
            }
            sent.clear();
        });
    }

    /** Commits and removes the offsets of partitions that this consumer is about to give away. */
    void last(Collection<TopicPartition> given) {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>(sent);
        offsets.putAll(uncommitted);
        offsets.keySet().retainAll(given);
        forget(given);
        if (offsets.isEmpty()) {
            return;
        }
        try {
            commitTwice(offsets);
        } catch (KafkaException e) {
            LOG.debug("the last commit failed; messages will be delivered again", e);
        }
    }

    /** Commits everything: the consumer is about to close. */
    void last() {
        Set<TopicPartition> all = new HashSet<>(sent.keySet());
        all.addAll(uncommitted.keySet());
        last(all);
    }

    /** The first attempt may fail by a wake-up that came too late for a poll. */
    private void commitTwice(Map<TopicPartition, OffsetAndMetadata> offsets) {
        try {
            consumer.commitSync(offsets, limit);
        } catch (WakeupException e) {
            consumer.commitSync(offsets, limit);
        }
    }

    /** Removes the offsets of partitions that this consumer has lost. */
    void forget(Collection<TopicPartition> lost) {
        sent.keySet().removeAll(lost);
        uncommitted.keySet().removeAll(lost);
    }
}

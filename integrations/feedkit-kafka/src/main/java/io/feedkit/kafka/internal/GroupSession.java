package io.feedkit.kafka.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A member of a consumer group. It polls all the time, with its partitions paused while the subscription has enough
 * messages, and commits for each partition what is settled without a gap. If one message is not settled for long, for
 * example because it cannot be moved to the dead letters, it keeps the settled ones that follow, up to a bound.
 */
final class GroupSession implements Receiver.Session, ConsumerRebalanceListener {

    private static final Logger LOG = LoggerFactory.getLogger(GroupSession.class);
    private static final Duration POLL = Duration.ofSeconds(1);
    /** While the answer to a commit is awaited, which only a poll receives. */
    private static final Duration SHORT_POLL = Duration.ofMillis(20);
    /** While the subscription has enough messages. With messages of paused partitions, a longer poll would spin. */
    private static final Duration WHILE_FULL = Duration.ofMillis(100);

    /** How many messages are kept at most: ten for each one that the subscription may have, and some more. */
    private static final long KEPT_FOR_EACH = 10;

    private static final long KEPT_BESIDES = 500;

    private final LaneParts parts;
    private final Receiver receiver;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Map<TopicPartition, PartitionProgress> partitions = new HashMap<>();
    private final Map<TopicPartition, OffsetAndMetadata> uncommitted = new HashMap<>();
    private int outages;
    private boolean committing;
    private volatile boolean polling;

    /** Joins the group, by the newer protocol if the brokers know it. */
    GroupSession(LaneParts parts, Receiver receiver, boolean newProtocol) {
        this.parts = parts;
        this.receiver = receiver;
        outages = parts.watch().outages();
        int most = parts.subscription().most();
        String group = parts.settings().consumerGroup(parts.lane());
        consumer = Brokers.client(
                parts.clients(),
                () -> new KafkaConsumer<>(
                        parts.clients().groupConsumer(group, most, newProtocol),
                        new ByteArrayDeserializer(),
                        new ByteArrayDeserializer()));
        consumer.subscribe(List.of(parts.topic()), this);
    }

    @Override
    public void step() {
        settle(isFull() ? shortIfCommitting(WHILE_FULL) : Duration.ZERO);
        if (outages != parts.watch().outages()) {
            outages = parts.watch().outages();
            rewind();
        }
        commit();
        keepToBound();
        List<KafkaMessage> messages = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> record : poll()) {
            KafkaMessage message = new KafkaMessage(receiver, record);
            partitions
                    .computeIfAbsent(
                            new TopicPartition(record.topic(), record.partition()), missing -> new PartitionProgress())
                    .add(message);
            messages.add(message);
        }
        messages.sort(KafkaMessage.AS_SENT);
        parts.subscription().received(messages);
    }

    /** What is not settled comes again, as after a loss of the partitions. */
    private void rewind() {
        Set<TopicPartition> assigned = consumer.assignment();
        partitions.forEach((partition, progress) -> {
            if (assigned.contains(partition)) {
                progress.oldestUnsettled().ifPresent(offset -> consumer.seek(partition, offset));
            }
            parts.subscription().lost(progress.unsettled());
        });
        partitions.clear();
    }

    private Duration shortIfCommitting(Duration otherwise) {
        return committing ? SHORT_POLL : otherwise;
    }

    private boolean isFull() {
        int most = parts.subscription().most();
        long kept =
                partitions.values().stream().mapToLong(PartitionProgress::size).sum();
        return parts.subscription().unsettled() >= most || kept >= KEPT_FOR_EACH * most + KEPT_BESIDES;
    }

    private void keepToBound() {
        Set<TopicPartition> paused = new HashSet<>(consumer.paused());
        if (isFull()) {
            Set<TopicPartition> running = new HashSet<>(consumer.assignment());
            running.removeAll(paused);
            consumer.pause(running);
        } else {
            consumer.resume(paused);
        }
    }

    @Override
    public boolean isFinished() {
        return false;
    }

    /** Is cut short when settlements are handed over. */
    private Iterable<ConsumerRecord<byte[], byte[]>> poll() {
        polling = true;
        try {
            boolean waits = !isFull() && !receiver.hasSettled();
            return consumer.poll(waits ? shortIfCommitting(POLL) : Duration.ZERO);
        } catch (WakeupException e) {
            return List.of();
        } finally {
            polling = false;
        }
    }

    /** Waits for the first settlement for so long at most. */
    private void settle(Duration longest) {
        for (Settlement each : receiver.moveRefused(receiver.settled(longest), parts.sender())) {
            ConsumerRecord<byte[], byte[]> record = each.message().record();
            TopicPartition partition = new TopicPartition(record.topic(), record.partition());
            PartitionProgress progress = partitions.get(partition);
            if (progress != null) {
                progress.settle(each.message())
                        .ifPresent(offset -> uncommitted.put(partition, new OffsetAndMetadata(offset)));
            }
        }
    }

    private void commit() {
        if (committing || uncommitted.isEmpty()) {
            return;
        }
        Map<TopicPartition, OffsetAndMetadata> offsets = Map.copyOf(uncommitted);
        uncommitted.clear();
        committing = true;
        consumer.commitAsync(offsets, (committed, failure) -> {
            committing = false;
            if (failure != null) {
                LOG.debug("a commit has failed, and is tried again", failure);
                again(offsets);
            }
        });
    }

    private void again(Map<TopicPartition, OffsetAndMetadata> offsets) {
        offsets.forEach((partition, offset) -> {
            if (partitions.containsKey(partition)) {
                uncommitted.putIfAbsent(partition, offset);
            }
        });
    }

    /** For partitions that this consumer is about to give away. */
    private void commitNow(Collection<TopicPartition> given) {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>(uncommitted);
        offsets.keySet().retainAll(given);
        if (offsets.isEmpty()) {
            return;
        }
        try {
            commitTwice(offsets);
        } catch (KafkaException e) {
            LOG.debug("a last commit has failed: messages are delivered again", e);
        }
    }

    /** The first try may meet the wake-up that came too late for a poll. */
    private void commitTwice(Map<TopicPartition, OffsetAndMetadata> offsets) {
        try {
            consumer.commitSync(offsets, parts.closeLimit().dividedBy(2));
        } catch (WakeupException e) {
            consumer.commitSync(offsets, parts.closeLimit().dividedBy(2));
        }
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> added) {
        // Its messages will come.
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> revoked) {
        settle(Duration.ZERO);
        commitNow(revoked);
        onPartitionsLost(revoked);
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> lost) {
        for (TopicPartition partition : lost) {
            uncommitted.remove(partition);
            PartitionProgress progress = partitions.remove(partition);
            if (progress != null) {
                parts.subscription().lost(progress.unsettled());
            }
        }
    }

    @Override
    public void wake(boolean end) {
        if (end || polling) {
            consumer.wakeup();
        }
    }

    @Override
    public void close() {
        try {
            settle(Duration.ZERO);
            receiver.awaitMoved(parts.closeLimit().dividedBy(2));
            settle(Duration.ZERO);
            commitNow(Set.copyOf(partitions.keySet()));
            onPartitionsLost(Set.copyOf(partitions.keySet()));
        } finally {
            consumer.close(CloseOptions.timeout(parts.closeLimit()));
        }
    }
}

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
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * A member of a consumer group. It polls all the time, with its partitions paused while the subscription has enough
 * messages. For each partition it commits the offset below which all messages are settled. If one message is not
 * settled for long, for example because it cannot be moved to the dead letters, it keeps the settled ones that follow,
 * up to a bound.
 */
final class GroupSession implements Receiver.Session, ConsumerRebalanceListener {

    private static final Duration POLL = Duration.ofSeconds(1);
    /** The longest poll or wait while a commit is under way, because only a poll receives its answer. */
    private static final Duration SHORT_POLL = Duration.ofMillis(20);
    /**
     * The longest wait for settlements while the subscription has enough messages. With fetched messages of paused
     * partitions, a long poll would spin instead.
     */
    private static final Duration WHILE_FULL = Duration.ofMillis(100);

    /** The most messages that are kept: ten for each one that the subscription may have, and 500 more. */
    private static final long KEPT_FOR_EACH = 10;

    private static final long KEPT_BESIDES = 500;

    private final LaneParts parts;
    private final Receiver receiver;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Map<TopicPartition, PartitionProgress> partitions = new HashMap<>();
    private final OffsetCommits commits;
    private int outages;
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
        commits = new OffsetCommits(consumer, parts.closeLimit().dividedBy(2));
        consumer.subscribe(List.of(parts.topic()), this);
    }

    @Override
    public void step() {
        settle(isFull() ? shortIfCommitting(WHILE_FULL) : Duration.ZERO);
        if (outages != parts.watch().outages()) {
            outages = parts.watch().outages();
            rewind();
        }
        commits.commit();
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

    /** Receives the unsettled messages again, as after a loss of the partitions. */
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
        return commits.isUnderWay() ? SHORT_POLL : otherwise;
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

    /** Polls. Returns early when settlements are handed over. */
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

    /** Processes settlements. Waits at most this long for the first one. */
    private void settle(Duration longest) {
        for (Settlement each : receiver.moveRefused(receiver.settled(longest), parts.sender())) {
            ConsumerRecord<byte[], byte[]> record = each.message().record();
            TopicPartition partition = new TopicPartition(record.topic(), record.partition());
            PartitionProgress progress = partitions.get(partition);
            if (progress != null) {
                progress.settle(each.message()).ifPresent(offset -> commits.done(partition, offset));
            }
        }
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> added) {
        // The next polls receive their messages.
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> revoked) {
        settle(Duration.ZERO);
        commits.last(revoked);
        onPartitionsLost(revoked);
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> lost) {
        commits.forget(lost);
        for (TopicPartition partition : lost) {
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
            commits.last();
            onPartitionsLost(Set.copyOf(partitions.keySet()));
        } finally {
            consumer.close(CloseOptions.timeout(parts.closeLimit()));
        }
    }
}

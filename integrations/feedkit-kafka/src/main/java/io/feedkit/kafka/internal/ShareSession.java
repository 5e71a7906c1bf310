package io.feedkit.kafka.internal;

import io.feedkit.kafka.internal.Settlement.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A member of a share group. It receives a batch, and the next one when the whole batch is settled. Messages that are
 * not settled before the brokers' lock on them ends are returned, and other members receive them.
 */
final class ShareSession implements Receiver.Session {

    private static final Logger LOG = LoggerFactory.getLogger(ShareSession.class);
    private static final Duration POLL = Duration.ofSeconds(1);
    private static final Duration STALL = Duration.ofMillis(50);
    private static final int SHORTEST_LOCK_MILLIS = 15_000;

    private final LaneParts parts;
    private final Receiver receiver;
    private final ShareMembers members;
    private final int size;
    private final boolean helps;
    private final KafkaShareConsumer<byte[], byte[]> consumer;
    private final Set<KafkaMessage> batch = new LinkedHashSet<>();
    private int reserved;
    private int outages;
    private long returnAt;
    private boolean finished;

    /** Joins the group. A helper ends after one batch. */
    private ShareSession(LaneParts parts, Receiver receiver, ShareMembers members, int size, boolean helps) {
        this.parts = parts;
        this.receiver = receiver;
        this.members = members;
        this.size = size;
        this.helps = helps;
        outages = parts.watch().outages();
        consumer = Brokers.client(
                parts.clients(),
                () -> new KafkaShareConsumer<>(
                        parts.clients().shareConsumer(parts.settings().shareGroup(parts.lane()), size),
                        new ByteArrayDeserializer(),
                        new ByteArrayDeserializer()));
        consumer.subscribe(List.of(parts.topic()));
        members.addEmpty(1);
    }

    /** A member that lasts. */
    static ShareSession lasting(LaneParts parts, Receiver receiver, ShareMembers members, int size) {
        return new ShareSession(parts, receiver, members, size, false);
    }

    /** A helper, which is a member for one batch. It takes the room that is reserved for it. */
    static ShareSession helper(
            LaneParts parts, Receiver receiver, ShareMembers members, int size, AtomicInteger reserved) {
        ShareSession session = new ShareSession(parts, receiver, members, size, true);
        session.reserved = reserved.getAndSet(0);
        return session;
    }

    @Override
    public void step() {
        if (batch.isEmpty()) {
            receive();
            return;
        }
        boolean some = settle(STALL);
        if (batch.isEmpty()) {
            finished = helps;
        } else if (outages != parts.watch().outages() || System.nanoTime() - returnAt >= 0) {
            outages = parts.watch().outages();
            returnBatch();
        } else if (some) {
            consumer.commitAsync();
        } else {
            members.stalled();
        }
    }

    @Override
    public boolean isFinished() {
        return finished;
    }

    /** Receives a batch. This also sends the last settlements to the brokers. */
    private void receive() {
        if (reserved < size) {
            if (!members.reserve(size - reserved, STALL)) {
                finished = helps;
                return;
            }
            reserved = size;
        }
        outages = parts.watch().outages();
        ConsumerRecords<byte[], byte[]> records = poll();
        List<KafkaMessage> received = new ArrayList<>();
        if (records.isEmpty()) {
            finished = helps && members.isRoomWanted();
            return;
        }
        for (ConsumerRecord<byte[], byte[]> record : records) {
            received.add(new KafkaMessage(receiver, record));
        }
        received.sort(KafkaMessage.AS_SENT);
        batch.addAll(received);
        members.addEmpty(-1);
        long lockMillis = consumer.acquisitionLockTimeoutMs().orElse(SHORTEST_LOCK_MILLIS);
        returnAt = System.nanoTime() + Duration.ofMillis(lockMillis).toNanos() / 5 * 4;
        release();
        parts.subscription().received(batch);
    }

    private ConsumerRecords<byte[], byte[]> poll() {
        members.asking(true);
        try {
            return consumer.poll(POLL);
        } finally {
            members.asking(false);
        }
    }

    /** Releases the reserved room that the batch does not use. */
    private void release() {
        members.release(reserved - batch.size());
        reserved = batch.size();
    }

    /** Processes settlements. Returns whether there were any. */
    private boolean settle(Duration longest) {
        List<Settlement> settled = receiver.moveRefused(receiver.settled(longest), parts.sender());
        boolean some = false;
        for (Settlement each : settled) {
            if (batch.remove(each.message())) {
                acknowledge(
                        each.message(), each.kind() == Kind.MOVED ? AcknowledgeType.REJECT : AcknowledgeType.ACCEPT);
                some = true;
            }
        }
        if (some) {
            batchShrank();
        }
        return some;
    }

    private void returnBatch() {
        LOG.debug("returning {} messages that were not settled in time", batch.size());
        parts.subscription().lost(batch);
        batch.forEach(message -> acknowledge(message, AcknowledgeType.RELEASE));
        batch.clear();
        batchShrank();
        finished = helps;
    }

    private void batchShrank() {
        release();
        members.addEmpty(batch.isEmpty() ? 1 : 0);
    }

    /** Acknowledges a message. Ignores messages whose lock the consumer has lost. */
    private void acknowledge(KafkaMessage message, AcknowledgeType type) {
        try {
            consumer.acknowledge(message.record(), type);
        } catch (IllegalStateException e) {
            LOG.debug("{}: the lock was lost; ignoring the settlement", message.place(), e);
        }
    }

    @Override
    public void wake(boolean end) {
        if (end) {
            consumer.wakeup();
        }
    }

    @Override
    public void close() {
        boolean empty = batch.isEmpty();
        try {
            if (!empty) {
                settle(Duration.ZERO);
                receiver.awaitMoved(parts.closeLimit().dividedBy(2));
                settle(Duration.ZERO);
                parts.subscription().lost(batch);
                empty = batch.isEmpty();
            }
            if (!empty) {
                members.awaitNoneEmpty();
            }
        } finally {
            try {
                consumer.close(parts.closeLimit());
            } finally {
                batch.clear();
                release();
                members.addEmpty(empty ? -1 : 0);
            }
        }
    }
}

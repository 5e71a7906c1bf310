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
 * A member of a share group. It receives a batch, and the next one when all of it is settled. A batch that is not
 * settled before the brokers' lock on it ends is given back: then others receive it.
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
    private long giveBack;
    private boolean finished;

    /** Joins the group, and ends after a batch if it only helps. */
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
        members.empty(1);
    }

    /** A member that lasts. */
    static ShareSession lasting(LaneParts parts, Receiver receiver, ShareMembers members, int size) {
        return new ShareSession(parts, receiver, members, size, false);
    }

    /** A member for one batch. It takes the room that is reserved for it. */
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
        } else if (outages != parts.watch().outages() || System.nanoTime() - giveBack >= 0) {
            outages = parts.watch().outages();
            giveBack();
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

    /** This also tells the brokers what was settled last. */
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
        members.empty(-1);
        long lockMillis = consumer.acquisitionLockTimeoutMs().orElse(SHORTEST_LOCK_MILLIS);
        giveBack = System.nanoTime() + Duration.ofMillis(lockMillis).toNanos() / 5 * 4;
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

    /** Keeps room for the batch only. */
    private void release() {
        members.release(reserved - batch.size());
        reserved = batch.size();
    }

    /** Returns whether something was settled. */
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
            becomeSmaller();
        }
        return some;
    }

    private void giveBack() {
        LOG.debug("{} messages are given back: they were not settled in time", batch.size());
        parts.subscription().lost(batch);
        batch.forEach(message -> acknowledge(message, AcknowledgeType.RELEASE));
        batch.clear();
        becomeSmaller();
        finished = helps;
    }

    private void becomeSmaller() {
        release();
        members.empty(batch.isEmpty() ? 1 : 0);
    }

    /** Of a message that the consumer has lost, it wants to hear nothing. */
    private void acknowledge(KafkaMessage message, AcknowledgeType type) {
        try {
            consumer.acknowledge(message.record(), type);
        } catch (IllegalStateException e) {
            LOG.debug("{} was lost", message.place(), e);
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
                members.empty(empty ? -1 : 0);
            }
        }
    }
}

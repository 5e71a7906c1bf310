package io.feedkit.kafka.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedkit.queue.FanoutQueue.Received;
import java.util.Comparator;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** A message on its way through a {@link LaneSubscription}. Its state is guarded by the subscription. */
final class KafkaMessage implements Received {

    /** The state of a message. */
    enum State {
        /** In the buffer of the subscription. */
        WAITING,
        /** With the caller of the subscription. */
        HELD,
        /** Acknowledged or refused, or lost by this subscription. */
        DONE
    }

    /**
     * About the order in which messages were sent, across partitions, over which they are spread evenly. Posts that are
     * delivered in order are cheapest.
     */
    static final Comparator<KafkaMessage> AS_SENT = Comparator.<KafkaMessage>comparingLong(
                    message -> message.record().timestamp())
            .thenComparingLong(message -> message.record().offset());

    private static final byte[] EMPTY = {};

    private final Receiver receiver;
    private final ConsumerRecord<byte[], byte[]> record;
    private State state = State.WAITING;

    KafkaMessage(Receiver receiver, ConsumerRecord<byte[], byte[]> record) {
        this.receiver = receiver;
        this.record = record;
    }

    @Override
    public String text() {
        return new String(bytes(), UTF_8);
    }

    /** The value. A message that FeedKit did not send may have none. */
    byte[] bytes() {
        return Optional.ofNullable(record.value()).orElse(EMPTY);
    }

    String place() {
        return record.topic() + "-" + record.partition() + "@" + record.offset();
    }

    Receiver receiver() {
        return receiver;
    }

    ConsumerRecord<byte[], byte[]> record() {
        return record;
    }

    State state() {
        return state;
    }

    void setState(State next) {
        state = next;
    }
}

package io.feedkit.kafka.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedkit.queue.FanoutQueue.Message;
import io.feedkit.queue.FanoutQueue.Sent;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends messages, spread over the partitions that accept messages, in no guaranteed order. Thread-safe. */
final class Sender implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Sender.class);

    private final QueueSettings settings;
    private final BrokerWatch watch;
    private final RecordSender records;
    private final AtomicInteger next = new AtomicInteger();

    Sender(ClientSettings clients, QueueSettings settings, BrokerWatch watch) {
        this.settings = settings;
        this.watch = watch;
        records = new RecordSender(clients, settings.topicPrefix(), settings.sendTimeout());
    }

    /** Sends messages, and waits for the outcome of each. */
    List<Sent> send(List<Message> messages) {
        Delivery delivery = records.deliver(messages.stream().map(this::record).toList());
        if (delivery.isLate()) {
            watch.answerMissed();
        } else {
            watch.confirmed();
        }
        return delivery.answers();
    }

    private ProducerRecord<byte[], byte[]> record(Message message) {
        int[] partitions = watch.writable(message.lane());
        int partition = partitions[Math.floorMod(next.getAndIncrement(), partitions.length)];
        byte[] text = message.text().getBytes(UTF_8);
        return new ProducerRecord<>(settings.topic(message.lane()), partition, null, text);
    }

    /**
     * Sends a message to the dead letters, without waiting.
     *
     * @param done receives false if the message should be sent again. A permanent failure is only logged, and reported
     *     as true
     */
    void sendDead(KafkaMessage message, String reason, Consumer<Boolean> done) {
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(settings.deadLetters(), message.bytes());
        record.headers().add(header("reason", reason)).add(header("place", message.place()));
        boolean begun = records.begin(record, (metadata, failure) -> {
            boolean again = failure instanceof RetriableException;
            if (failure != null && !again) {
                LOG.warn(
                        "{}: refused message dropped: the dead-letter topic does not accept it",
                        message.place(),
                        failure);
            }
            done.accept(!again);
        });
        if (!begun) {
            done.accept(false);
        }
    }

    private static RecordHeader header(String name, String value) {
        return new RecordHeader(name, value.getBytes(UTF_8));
    }

    @Override
    public void close() {
        records.close();
    }
}

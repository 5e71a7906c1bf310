package io.feedkit.kafka.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedkit.StoreUnavailableException;
import io.feedkit.internal.check.FailureReasons;
import io.feedkit.queue.FanoutQueue.Sent;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The topic of records that cannot be used. */
record DeadLetters(String topic, RecordSender sender) {

    private static final Logger LOG = LoggerFactory.getLogger(DeadLetters.class);
    private static final int LONGEST_CAUSE = 1000;

    /**
     * Adds a record, with its cause. Leaves its value out if the brokers never take it, because it is too large for
     * example. If they never take that either, the record is only logged.
     *
     * @throws StoreUnavailableException if it is not certain that the record is there
     */
    void add(IntakeRecord unusable, Throwable cause) {
        String reason = FailureReasons.of(cause);
        if (send(letter(unusable.record(), unusable.record().value(), cause))) {
            LOG.warn("{} cannot be used, and is in topic {} now: {}", unusable.place(), topic, reason);
            return;
        }
        ProducerRecord<byte[], byte[]> letter = letter(unusable.record(), null, cause);
        header(letter, "size", String.valueOf(unusable.record().serializedValueSize()));
        if (send(letter)) {
            LOG.warn(
                    "{} cannot be used, and is in topic {} now, which has not taken its value: {}",
                    unusable.place(),
                    topic,
                    reason);
        } else {
            LOG.error(
                    "{} cannot be used, and is skipped: topic {} has refused it, even without its value",
                    unusable.place(),
                    topic,
                    FailureReasons.printable(cause));
        }
    }

    /** Returns true if the letter is there, and false if the brokers never take it. */
    private boolean send(ProducerRecord<byte[], byte[]> letter) {
        Delivery delivery = sender.deliver(List.of(letter));
        if (delivery.answers().get(0) == Sent.CONFIRMED) {
            return true;
        }
        if (delivery.isUnacceptable()) {
            return false;
        }
        throw new StoreUnavailableException(
                "intake.deadLetter", new KafkaException("topic " + topic + " has not confirmed a dead letter"));
    }

    private ProducerRecord<byte[], byte[]> letter(
            ConsumerRecord<byte[], byte[]> record, byte @Nullable [] value, Throwable cause) {
        ProducerRecord<byte[], byte[]> letter = new ProducerRecord<>(topic, record.key(), value);
        record.headers().forEach(letter.headers()::add);
        header(letter, "cause", FailureReasons.text(cause));
        header(letter, "topic", record.topic());
        header(letter, "partition", String.valueOf(record.partition()));
        header(letter, "offset", String.valueOf(record.offset()));
        return letter;
    }

    private static void header(ProducerRecord<byte[], byte[]> letter, String name, String value) {
        String cut = value.length() <= LONGEST_CAUSE ? value : value.substring(0, LONGEST_CAUSE);
        letter.headers().add("feedkit-" + name, cut.getBytes(UTF_8));
    }
}

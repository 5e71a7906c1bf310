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

/** The dead-letter topic of an intake, for unusable records. */
record DeadLetters(String topic, RecordSender sender) {

    private static final Logger LOG = LoggerFactory.getLogger(DeadLetters.class);
    private static final int LONGEST_CAUSE = 1000;

    /**
     * Adds a record, with its cause. If the brokers refuse it for good, for example because it is too large, adds it
     * without its value. If they refuse that for good as well, only logs the record.
     *
     * @throws StoreUnavailableException if it is not certain that the record was added
     */
    void add(IntakeRecord unusable, Throwable cause) {
        String reason = FailureReasons.of(cause);
        if (send(letter(unusable.record(), unusable.record().value(), cause))) {
            LOG.warn("{}: unusable record moved to dead-letter topic {}: {}", unusable.place(), topic, reason);
            return;
        }
        ProducerRecord<byte[], byte[]> letter = letter(unusable.record(), null, cause);
        header(letter, "size", String.valueOf(unusable.record().serializedValueSize()));
        if (send(letter)) {
            LOG.warn(
                    "{}: unusable record moved to dead-letter topic {}, without its value, which was refused: {}",
                    unusable.place(),
                    topic,
                    reason);
        } else {
            LOG.error(
                    "{}: unusable record skipped, because dead-letter topic {} refuses it even without its value",
                    unusable.place(),
                    topic,
                    FailureReasons.printable(cause));
        }
    }

    /** Returns true if the letter was added, and false if the brokers refuse it for good. */
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

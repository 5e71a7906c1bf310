package io.feedkit.kafka.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedkit.StoreUnavailableException;
import io.feedkit.queue.FanoutQueue.Sent;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The topic of records that cannot be used. */
record DeadLetters(String topic, RecordSender sender) {

    private static final Logger LOG = LoggerFactory.getLogger(DeadLetters.class);
    private static final int LONGEST_CAUSE = 1000;

    /**
     * Adds a record, with its cause.
     *
     * @throws StoreUnavailableException if it is not certain that the record is there
     */
    void add(IntakeRecord unusable, Throwable cause) {
        ConsumerRecord<byte[], byte[]> record = unusable.record();
        ProducerRecord<byte[], byte[]> letter = new ProducerRecord<>(topic, record.key(), record.value());
        record.headers().forEach(letter.headers()::add);
        header(letter, "cause", cause.toString());
        header(letter, "topic", record.topic());
        header(letter, "partition", String.valueOf(record.partition()));
        header(letter, "offset", String.valueOf(record.offset()));
        if (sender.send(List.of(letter)).get(0) != Sent.CONFIRMED) {
            throw new StoreUnavailableException("intake.deadLetter", cause);
        }
        LOG.warn("{} cannot be used, and is in topic {} now: {}", unusable.place(), topic, cause.toString());
    }

    private static void header(ProducerRecord<byte[], byte[]> letter, String name, String value) {
        String cut = value.length() <= LONGEST_CAUSE ? value : value.substring(0, LONGEST_CAUSE);
        letter.headers().add("feedkit-" + name, cut.getBytes(UTF_8));
    }
}

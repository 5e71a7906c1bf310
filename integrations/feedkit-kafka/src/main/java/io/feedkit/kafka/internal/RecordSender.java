package io.feedkit.kafka.internal;

import io.feedkit.queue.FanoutQueue.Sent;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Sends records to topics of the host's, and waits for what becomes of each. The partition follows from the key. After
 * a failure from which a producer does not recover it makes another one. The first failure after a success is logged at
 * WARN, and the following ones at DEBUG. Thread-safe.
 */
public final class RecordSender implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RecordSender.class);
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);

    private final ClientSettings clients;
    private final String what;
    private final Duration timeout;
    private final AtomicBoolean failing = new AtomicBoolean();
    private final Object lock = new Object();
    private volatile Producer<byte[], byte[]> producer;
    private volatile boolean closed;

    /**
     * Makes a sender, which connects when it has something to send.
     *
     * @param what what it sends, for messages
     * @param timeout the longest a call takes
     */
    public RecordSender(ClientSettings clients, String what, Duration timeout) {
        this.clients = clients;
        this.what = what;
        this.timeout = timeout;
        producer = producer();
    }

    private Producer<byte[], byte[]> producer() {
        Map<String, Object> all = clients.producer(timeout);
        return Brokers.client(
                clients, () -> new KafkaProducer<>(all, new ByteArraySerializer(), new ByteArraySerializer()));
    }

    /**
     * Sends records, and waits for what becomes of each. The last one begins in the first half of the time, since
     * Kafka's producer may take the other half to begin.
     */
    public List<Sent> send(List<ProducerRecord<byte[], byte[]>> records) {
        if (closed) {
            return Collections.nCopies(records.size(), Sent.REFUSED);
        }
        long start = System.nanoTime();
        Delivery delivery = new Delivery(records.size());
        for (int i = 0; i < records.size(); i++) {
            if (delivery.isHopeless() || System.nanoTime() - start > timeout.toNanos() / 2) {
                delivery.refuse(i);
            } else {
                begin(records.get(i), delivery, i);
            }
        }
        List<Sent> answers = delivery.await(timeout.toNanos() - (System.nanoTime() - start));
        if (!answers.contains(Sent.REFUSED) && !answers.contains(Sent.UNKNOWN)) {
            failing.set(false);
        }
        return answers;
    }

    private void begin(ProducerRecord<byte[], byte[]> record, Delivery delivery, int i) {
        Producer<byte[], byte[]> used = producer;
        Callback answer = delivery.callback(i);
        try {
            Future<RecordMetadata> unused = used.send(record, (metadata, failure) -> {
                if (failure != null) {
                    failed(record.topic(), failure);
                }
                answer.onCompletion(metadata, failure);
            });
        } catch (InterruptException e) {
            delivery.giveUp(i);
        } catch (KafkaException | IllegalStateException e) {
            delivery.giveUp(i);
            failed(record.topic(), e);
            replace(used);
        }
    }

    private void failed(String topic, Exception failure) {
        LOG.atLevel(failing.getAndSet(true) ? Level.DEBUG : Level.WARN)
                .setCause(failure)
                .log(
                        "{}: a record for topic {} was not confirmed; until one is, failures are logged at DEBUG",
                        what,
                        topic);
    }

    private void replace(Producer<byte[], byte[]> broken) {
        synchronized (lock) {
            if (closed || producer != broken) {
                return;
            }
            producer = producer();
        }
        broken.close(Duration.ZERO);
    }

    @Override
    public void close() {
        synchronized (lock) {
            closed = true;
        }
        producer.close(CLOSE_LIMIT);
    }
}

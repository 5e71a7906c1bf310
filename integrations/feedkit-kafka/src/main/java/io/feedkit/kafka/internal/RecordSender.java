package io.feedkit.kafka.internal;

import io.feedkit.FeedKitException;
import io.feedkit.internal.check.Addresses;
import io.feedkit.queue.FanoutQueue.Sent;
import java.time.Duration;
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
 * Sends records, and waits for the outcome of each. A record without a partition gets one by its key. After a failure
 * from which a producer does not recover, the sender creates another one. The first failure after a success is logged
 * at WARN, and the following ones at DEBUG. Thread-safe.
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
     * Creates a sender, which connects when it has a record to send.
     *
     * @param what a name of the records, for messages
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

    /** Sends records, and waits for the outcome of each. */
    public List<Sent> send(List<ProducerRecord<byte[], byte[]>> records) {
        return deliver(records).answers();
    }

    /**
     * Sends records, and waits for the outcome of each. The last send starts in the first half of the time-out, because
     * Kafka's producer may take the other half to start it.
     */
    Delivery deliver(List<ProducerRecord<byte[], byte[]>> records) {
        long start = System.nanoTime();
        Delivery delivery = new Delivery(records.size());
        for (int i = 0; i < records.size(); i++) {
            if (closed || delivery.isAborted() || System.nanoTime() - start > timeout.toNanos() / 2) {
                delivery.refuse(i);
            } else {
                begin(records.get(i), delivery, i);
            }
        }
        delivery.await(timeout.toNanos() - (System.nanoTime() - start));
        if (delivery.answers().stream().allMatch(answer -> answer == Sent.CONFIRMED)) {
            failing.set(false);
        }
        return delivery;
    }

    private void begin(ProducerRecord<byte[], byte[]> record, Delivery delivery, int i) {
        Callback answer = delivery.callback(i);
        boolean begun = begin(record, (metadata, failure) -> {
            if (failure != null) {
                failed(record.topic(), failure);
            }
            answer.onCompletion(metadata, failure);
        });
        if (!begun) {
            delivery.giveUp(i);
        }
    }

    /** Starts to send a record. Returns whether there will be an answer; if not, the record was not sent. */
    boolean begin(ProducerRecord<byte[], byte[]> record, Callback answer) {
        Producer<byte[], byte[]> used = producer;
        try {
            Future<RecordMetadata> unused = used.send(record, answer);
            return true;
        } catch (InterruptException e) {
            return false;
        } catch (KafkaException | IllegalStateException e) {
            replace(used, e);
            return false;
        }
    }

    private void failed(String topic, Exception failure) {
        LOG.atLevel(failing.getAndSet(true) ? Level.DEBUG : Level.WARN)
                .setCause(Addresses.clean(failure))
                .log(
                        "{}: a record for topic {} was not confirmed; until one is, failures are logged at DEBUG",
                        what,
                        topic);
    }

    private void replace(Producer<byte[], byte[]> broken, RuntimeException failure) {
        synchronized (lock) {
            if (closed || producer != broken) {
                return;
            }
            LOG.warn("{}: the producer failed; creating another one", what, Addresses.clean(failure));
            try {
                producer = producer();
            } catch (FeedKitException e) {
                LOG.warn("{}: cannot create another producer; retrying at the next send", what, e);
                return;
            }
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

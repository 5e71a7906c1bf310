package io.feedkit.kafka.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedkit.FeedKitException;
import io.feedkit.queue.FanoutQueue.Message;
import io.feedkit.queue.FanoutQueue.Sent;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends messages, spread over the partitions that store messages: no order is promised. After a failure from which a
 * producer does not recover it makes another one. Thread-safe.
 */
final class Sender implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Sender.class);
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);

    private final ClientSettings clients;
    private final QueueSettings settings;
    private final BrokerWatch watch;
    private final AtomicInteger next = new AtomicInteger();
    private final Object lock = new Object();
    private volatile Producer<byte[], byte[]> producer;
    private volatile boolean closed;

    Sender(ClientSettings clients, QueueSettings settings, BrokerWatch watch) {
        this.clients = clients;
        this.settings = settings;
        this.watch = watch;
        producer = producer();
    }

    private Producer<byte[], byte[]> producer() {
        Map<String, Object> all = clients.producer(settings.sendTimeout());
        return Brokers.client(
                clients, () -> new KafkaProducer<>(all, new ByteArraySerializer(), new ByteArraySerializer()));
    }

    /**
     * Sends messages, and waits for what becomes of each. The last one begins in the first half of the time, since
     * Kafka's producer may take the other half to begin.
     */
    List<Sent> send(List<Message> messages) {
        if (closed) {
            return Collections.nCopies(messages.size(), Sent.REFUSED);
        }
        long timeout = settings.sendTimeout().toNanos();
        long start = System.nanoTime();
        Delivery delivery = new Delivery(messages.size());
        for (int i = 0; i < messages.size(); i++) {
            if (delivery.isHopeless() || System.nanoTime() - start > timeout / 2) {
                delivery.refuse(i);
            } else {
                begin(messages.get(i), delivery, i);
            }
        }
        List<Sent> answers = delivery.await(timeout - (System.nanoTime() - start));
        if (delivery.isLate()) {
            watch.missed();
        } else {
            watch.confirmed();
        }
        return answers;
    }

    private void begin(Message message, Delivery delivery, int i) {
        int[] partitions = watch.writable(message.lane());
        int partition = partitions[Math.floorMod(next.getAndIncrement(), partitions.length)];
        Producer<byte[], byte[]> used = producer;
        try {
            Future<RecordMetadata> unused = used.send(
                    new ProducerRecord<>(
                            settings.topic(message.lane()),
                            partition,
                            null,
                            message.text().getBytes(UTF_8)),
                    delivery.callback(i));
        } catch (InterruptException e) {
            delivery.giveUp(i);
        } catch (KafkaException | IllegalStateException e) {
            delivery.giveUp(i);
            replace(used, e);
        }
    }

    /**
     * Sends a message to the dead letters, without waiting.
     *
     * @param told hears whether that has ended well. A failure that would happen again is only logged, and counts as
     *     well
     */
    void sendDead(KafkaMessage message, String reason, Consumer<Boolean> told) {
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(settings.deadLetters(), message.bytes());
        record.headers().add(header("reason", reason)).add(header("place", message.place()));
        Producer<byte[], byte[]> used = producer;
        try {
            Future<RecordMetadata> unused = used.send(record, (metadata, failure) -> {
                boolean again = failure instanceof RetriableException;
                if (failure != null && !again) {
                    LOG.warn("{} is not among the dead letters", message.place(), failure);
                }
                told.accept(!again);
            });
        } catch (KafkaException | IllegalStateException e) {
            replace(used, e);
            told.accept(false);
        }
    }

    private static RecordHeader header(String name, String value) {
        return new RecordHeader(name, value.getBytes(UTF_8));
    }

    private void replace(Producer<byte[], byte[]> broken, RuntimeException failure) {
        synchronized (lock) {
            if (closed || producer != broken) {
                return;
            }
            LOG.warn("{}: the producer has failed, and another one is made", settings.topicPrefix(), failure);
            try {
                producer = producer();
            } catch (FeedKitException e) {
                LOG.warn("{}: no other producer can be made for now", settings.topicPrefix(), e);
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

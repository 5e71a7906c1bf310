package io.feedkit.rabbitmq.internal.receive;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.ShutdownSignalException;
import io.feedkit.queue.FanoutQueue.Received;
import io.feedkit.queue.FanoutQueue.Subscription;
import io.feedkit.rabbitmq.internal.connection.Line;
import io.feedkit.rabbitmq.internal.connection.Link;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Consumes a queue, on a channel of its own for each connection. The broker keeps the bound: it delivers no more than
 * were acknowledged. What has arrived waits here for the host. When the channel ends, the broker takes back everything
 * that was delivered on it and not settled, so nothing of an earlier channel is ever told to the broker: its tags would
 * mean other messages on the next one. Thread-safe.
 */
public final class LaneSubscription implements Subscription {

    /** AMQP counts them with 16 bits. */
    private static final int MOST_PREFETCHED = 65_535;

    private static final Logger LOG = LoggerFactory.getLogger(LaneSubscription.class);

    private final String queue;
    private final int most;
    private final Runnable arrived;
    private final Link link;
    private final Predicate<String> deadLetters;
    private final Consumer<LaneSubscription> onClose;

    /** Held while the host is called, and never together with the other lock. */
    private final ReentrantLock telling = new ReentrantLock();

    private volatile boolean over;

    /** Guards what follows. Jobs are submitted under it, so that the broker hears in the order of the decisions. */
    private final ReentrantLock lock = new ReentrantLock();

    private Optional<Channel> current = Optional.empty();
    private final Deque<Delivery> waiting = new ArrayDeque<>();
    private final NavigableSet<Long> unsettled = new TreeSet<>();

    /** A subscription that has not begun. */
    LaneSubscription(
            String queue,
            int most,
            Runnable arrived,
            Link link,
            Predicate<String> deadLetters,
            Consumer<LaneSubscription> onClose) {
        this.queue = queue;
        this.most = Math.min(most, MOST_PREFETCHED);
        this.arrived = arrived;
        this.link = link;
        this.deadLetters = deadLetters;
        this.onClose = onClose;
    }

    /** Begins to consume on a connection; runs on the link's thread. */
    public void begin(Line line) throws IOException, TimeoutException {
        if (isOn(line)) {
            return;
        }
        Channel channel = line.connection()
                .openChannel()
                .orElseThrow(() -> new IOException("the broker allows no more channels on a connection"));
        channel.addShutdownListener(signal -> {
            if (forget(channel)) {
                line.ended(signal);
            }
        });
        channel.basicQos(most);
        if (!use(channel)) {
            channel.close();
            return;
        }
        channel.basicConsume(queue, false, new DefaultConsumer(channel) {
            @Override
            public void handleDelivery(String consumer, Envelope envelope, BasicProperties properties, byte[] body) {
                String text = new String(body, StandardCharsets.UTF_8);
                boolean headers = !Objects.requireNonNullElse(properties.getHeaders(), Map.of())
                        .isEmpty();
                if (keep(new Delivery(channel, envelope.getDeliveryTag(), text, headers))) {
                    tell();
                }
            }

            @Override
            public void handleCancel(String consumer) {
                line.breakOff("the broker no longer delivers from " + queue);
            }
        });
    }

    private boolean isOn(Line line) {
        lock.lock();
        try {
            return current.filter(channel -> channel.getConnection().equals(line.connection()))
                    .isPresent();
        } finally {
            lock.unlock();
        }
    }

    private boolean use(Channel channel) {
        lock.lock();
        try {
            forget();
            current = over ? Optional.empty() : Optional.of(channel);
            return !over;
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether the channel was in use. */
    private boolean forget(Channel channel) {
        lock.lock();
        try {
            boolean used = isCurrent(channel);
            if (used) {
                forget();
            }
            return used;
        } finally {
            lock.unlock();
        }
    }

    private void forget() {
        current = Optional.empty();
        waiting.clear();
        unsettled.clear();
    }

    private boolean isCurrent(Channel channel) {
        return current.filter(channel::equals).isPresent();
    }

    private boolean keep(Delivery delivery) {
        lock.lock();
        try {
            if (!isCurrent(delivery.channel())) {
                return false;
            }
            unsettled.add(delivery.tag());
            waiting.add(delivery);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Does not call the host after {@link #close}, which waits for a call under way. */
    private void tell() {
        telling.lock();
        try {
            if (!over) {
                arrived.run();
            }
        } catch (RuntimeException e) {
            LOG.warn("{}: the host failed when messages arrived", queue, e);
        } finally {
            telling.unlock();
        }
    }

    @Override
    public List<Received> poll(int max) {
        List<Received> received = new ArrayList<>();
        lock.lock();
        try {
            while (received.size() < max && !waiting.isEmpty()) {
                received.add(waiting.remove());
            }
        } finally {
            lock.unlock();
        }
        return received;
    }

    @Override
    public void acknowledge(Collection<? extends Received> messages) {
        lock.lock();
        try {
            if (current.isEmpty()) {
                return;
            }
            NavigableSet<Long> tags = held(messages, current.get());
            long upTo = 0;
            // What is left below a tag is not acknowledged. So "all up to this one" is right for the lowest ones only.
            while (!tags.isEmpty() && tags.first().equals(unsettled.first())) {
                upTo = unsettled.pollFirst();
                tags.pollFirst();
            }
            settle(upTo, tags, false);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void refuse(Collection<? extends Received> messages, String reason) {
        lock.lock();
        try {
            if (current.isEmpty()) {
                return;
            }
            NavigableSet<Long> tags = held(messages, current.get());
            if (!tags.isEmpty()) {
                LOG.warn("{}: {} messages are dead letters now: {}", queue, tags.size(), reason);
            }
            NavigableSet<Long> resent = resend(messages, tags);
            tags.removeAll(resent);
            settle(0, resent, false);
            settle(0, tags, true);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Publishes the texts of refused messages with headers as dead letters. If the broker made a dead letter of such a
     * message, forged headers, such as {@code x-death}, could end the channel, and the message would come again.
     *
     * @return the tags of these messages, which are to be acknowledged
     */
    private NavigableSet<Long> resend(Collection<? extends Received> messages, NavigableSet<Long> refused) {
        NavigableSet<Long> resent = new TreeSet<>();
        for (Received message : messages) {
            if (message instanceof Delivery delivery
                    && delivery.hasHeaders()
                    && refused.contains(delivery.tag())
                    && resent.add(delivery.tag())
                    && !deadLetters.test(delivery.text())) {
                LOG.warn("{}: a refused message was dropped, since the broker takes no dead letter now", queue);
            }
        }
        return resent;
    }

    private NavigableSet<Long> held(Collection<? extends Received> messages, Channel channel) {
        NavigableSet<Long> tags = new TreeSet<>();
        for (Received message : messages) {
            if (message instanceof Delivery delivery
                    && delivery.channel().equals(channel)
                    && unsettled.contains(delivery.tag())) {
                tags.add(delivery.tag());
            }
        }
        return tags;
    }

    private void settle(long upTo, NavigableSet<Long> tags, boolean dead) {
        unsettled.removeAll(tags);
        if (upTo > 0 || !tags.isEmpty()) {
            link.submitAnyway(new Settlement(current.orElseThrow(), upTo, List.copyOf(tags), dead));
        }
    }

    @Override
    public void close() {
        telling.lock();
        try {
            over = true;
        } finally {
            telling.unlock();
        }
        lock.lock();
        try {
            current.ifPresent(channel -> link.submitAnyway(() -> end(channel)));
            forget();
        } finally {
            lock.unlock();
        }
        onClose.accept(this);
    }

    /** Gives everything back that was not settled. */
    private static void end(Channel channel) throws IOException, TimeoutException {
        try {
            channel.close();
        } catch (ShutdownSignalException e) {
            // It has ended by itself.
        }
    }
}

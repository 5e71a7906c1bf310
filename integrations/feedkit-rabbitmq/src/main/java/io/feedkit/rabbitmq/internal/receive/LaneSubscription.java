package io.feedkit.rabbitmq.internal.receive;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.ShutdownSignalException;
import io.feedkit.queue.FanoutQueue.Received;
import io.feedkit.queue.FanoutQueue.Subscription;
import io.feedkit.rabbitmq.internal.connection.OpenConnection;
import io.feedkit.rabbitmq.internal.connection.RecoveringConnection;
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
 * Consumes a queue, on a channel of its own for each connection. The broker enforces the limit of unsettled messages
 * ({@code basic.qos}). Arrived messages wait here for the host. When the channel ends, the broker requeues all messages
 * that were delivered on it and not settled. Settlements of an earlier channel are never sent, because on the next
 * channel the same tags belong to other messages. Thread-safe.
 */
public final class LaneSubscription implements Subscription {

    /** The limit of unsettled messages has 16 bits in AMQP. */
    private static final int MOST_PREFETCHED = 65_535;

    private static final Logger LOG = LoggerFactory.getLogger(LaneSubscription.class);

    private final String queue;
    private final int most;
    private final Runnable arrived;
    private final RecoveringConnection connection;
    private final Predicate<String> deadLetters;
    private final Consumer<LaneSubscription> onClose;

    /** Held while the host is called, and never together with the other lock. */
    private final ReentrantLock notifying = new ReentrantLock();

    private volatile boolean closed;

    /**
     * Guards the fields below. Jobs are submitted under it, so that the broker gets the settlements in the order of the
     * decisions.
     */
    private final ReentrantLock lock = new ReentrantLock();

    private Optional<Channel> current = Optional.empty();
    private final Deque<Delivery> waiting = new ArrayDeque<>();
    private final NavigableSet<Long> unsettled = new TreeSet<>();

    /** Creates a subscription that does not consume yet. */
    LaneSubscription(
            String queue,
            int most,
            Runnable arrived,
            RecoveringConnection connection,
            Predicate<String> deadLetters,
            Consumer<LaneSubscription> onClose) {
        this.queue = queue;
        this.most = Math.min(most, MOST_PREFETCHED);
        this.arrived = arrived;
        this.connection = connection;
        this.deadLetters = deadLetters;
        this.onClose = onClose;
    }

    /** Begins to consume on a connection. Runs on the connection's thread. */
    public void begin(OpenConnection opened) throws IOException, TimeoutException {
        if (isOn(opened)) {
            return;
        }
        Channel channel = opened.connection()
                .openChannel()
                .orElseThrow(() -> new IOException("the broker allows no more channels on a connection"));
        channel.addShutdownListener(signal -> {
            if (forget(channel)) {
                opened.ended(signal);
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
                    notifyArrived();
                }
            }

            @Override
            public void handleCancel(String consumer) {
                opened.markBroken("the broker no longer delivers from " + queue);
            }
        });
    }

    private boolean isOn(OpenConnection opened) {
        lock.lock();
        try {
            return current.filter(channel -> channel.getConnection().equals(opened.connection()))
                    .isPresent();
        } finally {
            lock.unlock();
        }
    }

    private boolean use(Channel channel) {
        lock.lock();
        try {
            forget();
            current = closed ? Optional.empty() : Optional.of(channel);
            return !closed;
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
    private void notifyArrived() {
        notifying.lock();
        try {
            if (!closed) {
                arrived.run();
            }
        } catch (RuntimeException e) {
            LOG.warn("{}: the host's callback for arrived messages failed", queue, e);
        } finally {
            notifying.unlock();
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
            // An acknowledgement of "all up to this tag" must not cover unsettled messages. So it is right for the
            // lowest tags only.
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
                LOG.warn("{}: {} refused messages moved to the dead letters: {}", queue, tags.size(), reason);
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
     * message, forged headers, such as {@code x-death}, could end the channel, and the message would be delivered
     * again.
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
                LOG.warn("{}: a refused message was dropped, because the broker accepts no dead letters now", queue);
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
            connection.submitAnyway(new Settlement(current.orElseThrow(), upTo, List.copyOf(tags), dead));
        }
    }

    @Override
    public void close() {
        notifying.lock();
        try {
            closed = true;
        } finally {
            notifying.unlock();
        }
        lock.lock();
        try {
            current.ifPresent(channel -> connection.submitAnyway(() -> end(channel)));
            forget();
        } finally {
            lock.unlock();
        }
        onClose.accept(this);
    }

    /** Closes the channel. The broker requeues the messages that were not settled. */
    private static void end(Channel channel) throws IOException, TimeoutException {
        try {
            channel.close();
        } catch (ShutdownSignalException e) {
            // The channel has ended already.
        }
    }
}

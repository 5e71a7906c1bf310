package io.feedkit.kafka.internal;

import io.feedkit.FeedKitException;
import io.feedkit.kafka.internal.StartCheck.Receiving;
import io.feedkit.queue.FanoutQueue.Lane;
import io.feedkit.queue.FanoutQueue.Message;
import io.feedkit.queue.FanoutQueue.Sent;
import io.feedkit.queue.FanoutQueue.Status;
import io.feedkit.queue.FanoutQueue.Subscription;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The parts of a queue, and their life cycle. Thread-safe. */
public final class KafkaQueue implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(KafkaQueue.class);

    private final ClientSettings clients;
    private final QueueSettings settings;
    private final Brokers brokers;
    private final BrokerWatch watch;
    private final Sender sender;
    private final Receiving receiving;
    private final List<LaneSubscription> subscriptions = new ArrayList<>();
    private boolean closed;

    private KafkaQueue(
            ClientSettings clients,
            QueueSettings settings,
            Brokers brokers,
            BrokerWatch watch,
            Sender sender,
            Receiving receiving) {
        this.clients = clients;
        this.settings = settings;
        this.brokers = brokers;
        this.watch = watch;
        this.sender = sender;
        this.receiving = receiving;
    }

    /**
     * Connects, checks, and creates what is missing.
     *
     * @throws FeedKitException if the brokers do not answer, or cannot be used
     */
    public static KafkaQueue open(ClientSettings clients, QueueSettings settings) {
        Brokers brokers = Brokers.at(clients, settings.connectTimeout());
        List<AutoCloseable> opened = new ArrayList<>(List.of(brokers));
        try {
            Topics topics = new Topics(brokers, settings);
            Receiving receiving = StartCheck.run(brokers, settings, topics);
            BrokerWatch watch =
                    BrokerWatch.start(topics, settings, () -> StartCheck.prepare(brokers, settings, topics, receiving));
            opened.add(watch);
            Sender sender = new Sender(clients, settings, watch);
            LOG.info("{}: subscriptions are members of {}s", settings.topicPrefix(), words(receiving));
            opened.clear();
            return new KafkaQueue(clients, settings, brokers, watch, sender, receiving);
        } finally {
            opened.forEach(KafkaQueue::closeQuietly);
        }
    }

    private static String words(Receiving receiving) {
        return receiving.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static void closeQuietly(AutoCloseable part) {
        try {
            part.close();
        } catch (Exception e) {
            LOG.debug("{} cannot be closed", part, e);
        }
    }

    /** As {@link io.feedkit.queue.FanoutQueue#send}. */
    public List<Sent> send(List<Message> messages) {
        return sender.send(messages);
    }

    /** As {@link io.feedkit.queue.FanoutQueue#receive}. */
    public synchronized Subscription receive(Lane lane, int most, Runnable arrived) {
        LaneSubscription subscription = new LaneSubscription(most, arrived, this::ended);
        if (closed) {
            throw new IllegalStateException("the queue is closed");
        }
        subscriptions.add(subscription);
        LaneParts parts = new LaneParts(clients, settings, lane, subscription, sender, watch);
        if (receiving == Receiving.SHARE_GROUP) {
            joinShareGroup(parts);
        } else {
            boolean newProtocol = receiving == Receiving.CONSUMER_GROUP;
            subscription.start(new Receiver(
                    parts.topic(), receiver -> new GroupSession(parts, receiver, newProtocol), subscription::ended));
        }
        return subscription;
    }

    private static void joinShareGroup(LaneParts parts) {
        LaneSubscription subscription = parts.subscription();
        ShareMembers members = new ShareMembers(parts);
        for (int size : ShareMembers.sizes(subscription.most())) {
            subscription.start(new Receiver(
                    parts.topic(),
                    receiver -> ShareSession.lasting(parts, receiver, members, size),
                    subscription::ended));
        }
    }

    private synchronized void ended(LaneSubscription subscription) {
        subscriptions.remove(subscription);
    }

    /** As {@link io.feedkit.queue.FanoutQueue#status}. */
    public Status status() {
        return watch.status();
    }

    private synchronized List<LaneSubscription> markClosed() {
        closed = true;
        return List.copyOf(subscriptions);
    }

    /** As {@link io.feedkit.queue.FanoutQueue#close}. All subscriptions end at the same time. */
    @Override
    public void close() {
        List<LaneSubscription> open = markClosed();
        open.forEach(LaneSubscription::stop);
        open.forEach(LaneSubscription::close);
        List.of(sender, watch, brokers).forEach(KafkaQueue::closeQuietly);
    }

    @Override
    public String toString() {
        return settings.topicPrefix();
    }
}

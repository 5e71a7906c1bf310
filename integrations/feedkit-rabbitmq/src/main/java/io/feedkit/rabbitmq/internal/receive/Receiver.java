package io.feedkit.rabbitmq.internal.receive;

import io.feedkit.queue.FanoutQueue.Lane;
import io.feedkit.queue.FanoutQueue.Subscription;
import io.feedkit.rabbitmq.internal.connection.Connector;
import io.feedkit.rabbitmq.internal.connection.Line;
import io.feedkit.rabbitmq.internal.connection.Link;
import io.feedkit.rabbitmq.internal.connection.Queues;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

/** The connection that messages are delivered on. Thread-safe. */
public final class Receiver {

    private final Queues queues;
    private final Predicate<String> deadLetters;
    private final Link link;
    private final Set<LaneSubscription> subscriptions = ConcurrentHashMap.newKeySet();
    private volatile Optional<Line> current = Optional.empty();

    /**
     * Makes a receiver that is not connected.
     *
     * @param deadLetters publishes the text of a dead letter, and returns false if it cannot now
     */
    public Receiver(Connector connector, Predicate<String> deadLetters) {
        this.queues = connector.queues();
        this.deadLetters = deadLetters;
        link = new Link(connector, "receive", new Link.Role() {
            @Override
            public void begin(Line line) throws IOException, TimeoutException {
                current = Optional.of(line);
                for (LaneSubscription subscription : subscriptions) {
                    subscription.begin(line);
                }
            }

            @Override
            public void lost() {
                current = Optional.empty();
            }
        });
    }

    /** The connection to start and to close. */
    public Link link() {
        return link;
    }

    /** Begins to receive, now or when there is a connection. */
    public Subscription receive(Lane lane, int most, Runnable arrived) {
        LaneSubscription subscription =
                new LaneSubscription(queues.name(lane), most, arrived, link, deadLetters, subscriptions::remove);
        subscriptions.add(subscription);
        link.submitAnyway(() -> begin(subscription));
        return subscription;
    }

    private void begin(LaneSubscription subscription) throws IOException, TimeoutException {
        Optional<Line> line = current;
        if (line.isPresent() && subscriptions.contains(subscription)) {
            subscription.begin(line.get());
        }
    }

    /** Ends all subscriptions, and closes the connection. */
    public void close() {
        subscriptions.forEach(LaneSubscription::close);
        link.close();
    }
}

package io.feedkit.rabbitmq.internal.receive;

import io.feedkit.queue.FanoutQueue.Lane;
import io.feedkit.queue.FanoutQueue.Subscription;
import io.feedkit.rabbitmq.internal.connection.Connector;
import io.feedkit.rabbitmq.internal.connection.OpenConnection;
import io.feedkit.rabbitmq.internal.connection.Queues;
import io.feedkit.rabbitmq.internal.connection.RecoveringConnection;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

/** Receives messages, on a connection of its own. Thread-safe. */
public final class Receiver {

    private final Queues queues;
    private final Predicate<String> deadLetters;
    private final RecoveringConnection connection;
    private final Set<LaneSubscription> subscriptions = ConcurrentHashMap.newKeySet();
    private volatile Optional<OpenConnection> current = Optional.empty();

    /**
     * Creates a receiver that is not connected yet.
     *
     * @param deadLetters publishes the text of a dead letter; returns false if that is not possible now
     */
    public Receiver(Connector connector, Predicate<String> deadLetters) {
        this.queues = connector.queues();
        this.deadLetters = deadLetters;
        connection = new RecoveringConnection(connector, "receive", new RecoveringConnection.Role() {
            @Override
            public void begin(OpenConnection opened) throws IOException, TimeoutException {
                current = Optional.of(opened);
                for (LaneSubscription subscription : subscriptions) {
                    subscription.begin(opened);
                }
            }

            @Override
            public void lost() {
                current = Optional.empty();
            }
        });
    }

    /** The connection to start and to close. */
    public RecoveringConnection connection() {
        return connection;
    }

    /** Begins to receive, now or once there is a connection. */
    public Subscription receive(Lane lane, int most, Runnable arrived) {
        LaneSubscription subscription =
                new LaneSubscription(queues.name(lane), most, arrived, connection, deadLetters, subscriptions::remove);
        subscriptions.add(subscription);
        connection.submitAnyway(() -> begin(subscription));
        return subscription;
    }

    private void begin(LaneSubscription subscription) throws IOException, TimeoutException {
        Optional<OpenConnection> opened = current;
        if (opened.isPresent() && subscriptions.contains(subscription)) {
            subscription.begin(opened.get());
        }
    }

    /** Ends all subscriptions, and closes the connection. */
    public void close() {
        subscriptions.forEach(LaneSubscription::close);
        connection.close();
    }
}

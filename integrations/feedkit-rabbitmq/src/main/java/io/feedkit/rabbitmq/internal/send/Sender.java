package io.feedkit.rabbitmq.internal.send;

import io.feedkit.queue.FanoutQueue.Message;
import io.feedkit.queue.FanoutQueue.Sent;
import io.feedkit.rabbitmq.internal.connection.Connector;
import io.feedkit.rabbitmq.internal.connection.OpenConnection;
import io.feedkit.rabbitmq.internal.connection.Queues;
import io.feedkit.rabbitmq.internal.connection.RecoveringConnection;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Publishes messages, on a connection of its own. The connection has no other use, because a broker whose memory is
 * full stops reading from connections that publish. Thread-safe.
 */
public final class Sender {

    private final Queues queues;
    private final long timeoutNanos;
    private final RecoveringConnection connection;
    private final Set<Batch> open = ConcurrentHashMap.newKeySet();
    private volatile Optional<Publisher> current = Optional.empty();

    /** Creates a sender that is not connected yet. */
    public Sender(Connector connector, Duration timeout) {
        this.queues = connector.queues();
        this.timeoutNanos = timeout.toNanos();
        connection = new RecoveringConnection(connector, "send", new RecoveringConnection.Role() {
            @Override
            public void begin(OpenConnection opened) throws IOException {
                current = Optional.of(Publisher.on(opened, queues, () -> open.forEach(Batch::giveUp)));
            }

            @Override
            public void lost() {
                current.ifPresent(Publisher::lost);
                current = Optional.empty();
            }
        });
    }

    /** The connection to start and to close. */
    public RecoveringConnection connection() {
        return connection;
    }

    /** Whether the broker accepts no messages at the moment. */
    public boolean isBlocked() {
        return current.map(Publisher::isBlocked).orElse(false);
    }

    /** Publishes messages, and waits for their confirms, unless the broker stops accepting messages meanwhile. */
    public List<Sent> send(List<Message> messages) {
        Batch batch = new Batch(messages);
        open.add(batch);
        try {
            // The broker may block the connection at this moment: then this check notices it, or the batch is given up.
            Optional<Publisher> publisher = current.filter(found -> !found.isBlocked());
            if (publisher.isPresent() && connection.submit(new Publish(batch))) {
                if (!batch.await(timeoutNanos)) {
                    publisher.get().giveUpAfter(timeoutNanos);
                }
            }
        } finally {
            open.remove(batch);
        }
        return batch.answers();
    }

    /**
     * Publishes a dead letter, without waiting for an answer.
     *
     * @return false if the broker accepts no messages at the moment
     */
    public boolean sendDeadLetter(String text) {
        Optional<Publisher> publisher = current.filter(found -> !found.isBlocked());
        return publisher.isPresent() && connection.submit(() -> publisher.get().publishDeadLetter(text));
    }

    /** A job that publishes a batch. */
    private final class Publish implements RecoveringConnection.Job {
        private final Batch batch;

        Publish(Batch batch) {
            this.batch = batch;
        }

        @Override
        public void run() throws IOException {
            try {
                Optional<Publisher> publisher = current;
                if (publisher.isPresent()) {
                    publisher.get().publish(batch);
                }
            } finally {
                drop();
            }
        }

        @Override
        public void drop() {
            batch.drop();
        }
    }

    @Override
    public String toString() {
        return queues.prefix();
    }
}

package io.feedkit.rabbitmq.internal.send;

import io.feedkit.queue.FanoutQueue.Message;
import io.feedkit.queue.FanoutQueue.Sent;
import io.feedkit.rabbitmq.internal.connection.Connector;
import io.feedkit.rabbitmq.internal.connection.Line;
import io.feedkit.rabbitmq.internal.connection.Link;
import io.feedkit.rabbitmq.internal.connection.Queues;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The connection that messages are published on. It only publishes: a broker whose memory is full reads nothing any
 * more from such a connection. Thread-safe.
 */
public final class Sender {

    private final Queues queues;
    private final long timeoutNanos;
    private final Link link;
    private final Set<Batch> open = ConcurrentHashMap.newKeySet();
    private volatile Optional<Publisher> current = Optional.empty();

    /** Makes a sender that is not connected. */
    public Sender(Connector connector, Duration timeout) {
        this.queues = connector.queues();
        this.timeoutNanos = timeout.toNanos();
        link = new Link(connector, "send", new Link.Role() {
            @Override
            public void begin(Line line) throws IOException {
                current = Optional.of(Publisher.on(line, queues, () -> open.forEach(Batch::giveUp)));
            }

            @Override
            public void lost() {
                current.ifPresent(Publisher::lost);
                current = Optional.empty();
            }
        });
    }

    /** The connection to start and to close. */
    public Link link() {
        return link;
    }

    /** Whether the broker takes no messages for now. */
    public boolean isBlocked() {
        return current.map(Publisher::isBlocked).orElse(false);
    }

    /** Publishes messages, and waits for their confirms, unless the broker takes no messages meanwhile. */
    public List<Sent> send(List<Message> messages) {
        Batch batch = new Batch(messages);
        open.add(batch);
        try {
            // The broker may block the connection now: either it is seen here, or the batch is given up.
            Optional<Publisher> publisher = current.filter(found -> !found.isBlocked());
            if (publisher.isPresent() && link.submit(new Publish(batch))) {
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
     * @return false if the broker takes no messages for now
     */
    public boolean sendDeadLetter(String text) {
        Optional<Publisher> publisher = current.filter(found -> !found.isBlocked());
        return publisher.isPresent() && link.submit(() -> publisher.get().publishDeadLetter(text));
    }

    /** A job of the link. */
    private final class Publish implements Link.Job {
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

package io.feedkit.rabbitmq.internal.send;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import io.feedkit.queue.FanoutQueue.Message;
import io.feedkit.rabbitmq.internal.connection.OpenConnection;
import io.feedkit.rabbitmq.internal.connection.Queues;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * A channel with publisher confirms. A broker that has no queue for a message returns it, and then confirms it: so a
 * message is only stored if it was confirmed and not returned. The broker does both in order, and the client calls back
 * in that order. One thread publishes; everything else is thread-safe.
 */
final class Publisher {

    private static final int PERSISTENT = 2;
    private static final String DEFAULT_EXCHANGE = "";

    private final OpenConnection opened;
    private final Channel channel;
    private final Queues queues;
    private final ConcurrentNavigableMap<Long, Pending> unconfirmed = new ConcurrentSkipListMap<>();
    private volatile long progress = System.nanoTime();
    private volatile boolean blocked;
    private volatile boolean ended;

    /**
     * A published message.
     *
     * @param index its place in the batch
     */
    private record Pending(Batch batch, int index) {}

    private Publisher(OpenConnection opened, Channel channel, Queues queues) {
        this.opened = opened;
        this.channel = channel;
        this.queues = queues;
    }

    static Publisher on(OpenConnection opened, Queues queues, Runnable onBlocked) throws IOException {
        Channel channel = opened.connection()
                .openChannel()
                .orElseThrow(() -> new IOException("the broker allows no more channels on a connection"));
        Publisher publisher = new Publisher(opened, channel, queues);
        opened.connection()
                .addBlockedListener(
                        reason -> {
                            publisher.blocked = true;
                            onBlocked.run();
                        },
                        () -> publisher.unblocked());
        channel.addShutdownListener(signal -> {
            opened.ended(signal);
            publisher.lost();
        });
        channel.addReturnListener(returned -> publisher.returned(returned.getProperties()));
        channel.addConfirmListener(
                (tag, multiple) -> publisher.confirmed(tag, multiple),
                (tag, multiple) -> publisher.refused(tag, multiple));
        channel.confirmSelect();
        return publisher;
    }

    /** Whether the broker accepts no messages at the moment. */
    boolean isBlocked() {
        return blocked;
    }

    private void unblocked() {
        progress = System.nanoTime();
        blocked = false;
    }

    void publish(Batch batch) throws IOException {
        for (int index = 0; index < batch.messages().size(); index++) {
            if (batch.publish(index)) {
                publish(batch.messages().get(index), new Pending(batch, index));
            }
        }
    }

    private void publish(Message message, Pending pending) throws IOException {
        long number = channel.getNextPublishSeqNo();
        unconfirmed.put(number, pending);
        if (ended) {
            lost();
        }
        BasicProperties properties = new BasicProperties.Builder()
                .deliveryMode(PERSISTENT)
                .contentType("text/plain")
                .messageId(Long.toString(number))
                .build();
        channel.basicPublish(
                DEFAULT_EXCHANGE,
                queues.name(message.lane()),
                true,
                properties,
                message.text().getBytes(StandardCharsets.UTF_8));
    }

    /** Publishes a dead letter, whose outcome is not tracked. */
    void publishDeadLetter(String text) throws IOException {
        BasicProperties properties = new BasicProperties.Builder()
                .deliveryMode(PERSISTENT)
                .contentType("text/plain")
                .build();
        channel.basicPublish(
                DEFAULT_EXCHANGE, queues.deadLetters(), false, properties, text.getBytes(StandardCharsets.UTF_8));
    }

    private void returned(BasicProperties properties) {
        Pending pending = unconfirmed.get(Long.parseLong(properties.getMessageId()));
        if (pending != null) {
            pending.batch.returned(pending.index);
        }
    }

    private void confirmed(long number, boolean multiple) {
        settle(number, multiple, pending -> pending.batch.confirmed(pending.index));
    }

    private void refused(long number, boolean multiple) {
        settle(number, multiple, pending -> pending.batch.refused(pending.index));
    }

    private interface Answer {
        void to(Pending pending);
    }

    private void settle(long number, boolean multiple, Answer answer) {
        progress = System.nanoTime();
        if (multiple) {
            Map<Long, Pending> upTo = unconfirmed.headMap(number, true);
            upTo.values().forEach(answer::to);
            upTo.clear();
            return;
        }
        Pending pending = unconfirmed.remove(number);
        if (pending != null) {
            answer.to(pending);
        }
    }

    /** Records that the channel has ended: no further message will be confirmed. */
    void lost() {
        ended = true;
        unconfirmed.values().forEach(pending -> pending.batch.lost(pending.index));
        unconfirmed.clear();
    }

    /**
     * Cuts the connection if no message was confirmed on it for this time: it is half open, or the broker does not
     * work. Otherwise every batch would wait until heartbeats detect that.
     */
    void giveUpAfter(long nanos) {
        if (!blocked && System.nanoTime() - progress >= nanos) {
            opened.cut("no message was confirmed in time");
        }
    }
}

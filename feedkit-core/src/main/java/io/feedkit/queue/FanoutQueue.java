package io.feedkit.queue;

import io.feedkit.internal.check.Arguments;
import java.util.Collection;
import java.util.List;

/**
 * A queue between the engines that lend fan-out tasks and the workers that take them, such as a message broker. The
 * {@link io.feedkit.spi.FanoutLog} stays the source of truth for work: a message only names a loan. So a message that
 * is lost, repeated, late or out of order costs time, but never loses a post. A queue should therefore be fast rather
 * than perfect. It must never confirm a message that it has not stored.
 *
 * <p>All methods return in bounded time, even if the queue hangs or cannot be reached, and never throw because of that.
 * If a method throws or returns null, an engine logs it, and treats the queue as unreachable. Thread-safe.
 *
 * @since 0.1.0
 */
public interface FanoutQueue extends AutoCloseable {

    /** The longest text of a message, in characters. */
    int LONGEST_TEXT = 256;

    /** A separate stream of messages. Messages of different lanes do not wait for each other. */
    enum Lane {
        /** Whole tasks. Most of them are small. */
        SMALL,
        /** Parts of huge tasks. */
        BULK
    }

    /** The state of a queue, as far as it is known without a call to the queue. */
    enum Status {
        /** The queue is connected, and takes messages. */
        OPEN,
        /** The queue is connected, and takes no messages for now, for example because its memory is full. */
        BLOCKED,
        /** The queue is not connected. It connects again by itself. */
        UNREACHABLE
    }

    /** The outcome of sending a message. */
    enum Sent {
        /** The queue has stored the message, and will deliver it at least once. */
        CONFIRMED,
        /** The queue has not stored the message. */
        REFUSED,
        /** The queue may have stored the message: no answer came in time. */
        UNKNOWN
    }

    /**
     * A message to send.
     *
     * @param lane the message's lane
     * @param text 1 to {@value #LONGEST_TEXT} visible ASCII characters
     */
    record Message(Lane lane, String text) {
        /** Refuses null. */
        public Message {
            Arguments.nonNull("lane", lane);
            Arguments.nonNull("text", text);
        }
    }

    /** A message that was received and not yet acknowledged or refused. */
    interface Received {

        /**
         * The message's text. A message that another program put into the queue may have any text.
         *
         * @return the text
         */
        String text();
    }

    /** Receives the messages of a lane, until it is closed. Thread-safe. */
    interface Subscription extends AutoCloseable {

        /**
         * Returns messages that have arrived, without waiting. Each message is returned to one caller. Returns none
         * when the subscription is closed, and none if the queue cannot be reached.
         *
         * @param max the most messages to return, at least 1
         * @return the messages, in any order
         */
        List<Received> poll(int max);

        /**
         * Acknowledges messages, so that the queue does not deliver them again. If the acknowledgement does not reach
         * the queue, the queue delivers the messages again. Does not wait for an answer. Messages that were
         * acknowledged or refused before, or received before the connection was lost, are ignored.
         *
         * @param messages messages that this subscription returned
         */
        void acknowledge(Collection<? extends Received> messages);

        /**
         * Moves unusable messages to the queue's dead letters. Does not wait for an answer.
         *
         * @param messages messages that this subscription returned
         * @param reason why the messages cannot be used
         */
        void refuse(Collection<? extends Received> messages, String reason);

        /**
         * Ends the subscription. Messages that were neither acknowledged nor refused go back into the queue.
         * Idempotent. Does not throw.
         */
        @Override
        void close();
    }

    /**
     * Sends messages, and waits in bounded time for the outcome of each. Does not throw if the queue cannot be reached.
     *
     * @param messages any number of messages
     * @return the outcome for each message
     */
    List<Sent> send(List<Message> messages);

    /**
     * Starts to receive the messages of a lane. Each message goes to one of the subscriptions to the lane, in all
     * processes. A message that was not acknowledged when its subscription ended goes to another one, or to the same
     * one after the connection was lost. If the queue cannot be reached, the subscription starts when it can be
     * reached.
     *
     * @param lane the lane
     * @param most the most messages that this subscription may have received, and not yet acknowledged or refused, at
     *     least 1
     * @param arrived is called on any thread after messages have arrived; it neither blocks nor throws. It is not
     *     called after {@link Subscription#close} has returned
     * @return the subscription
     */
    Subscription receive(Lane lane, int most, Runnable arrived);

    /**
     * Returns the state of the queue, without a call to it.
     *
     * @return the status
     */
    Status status();

    /** Ends all subscriptions, and closes what the queue has opened. Idempotent. Does not throw. */
    @Override
    void close();
}

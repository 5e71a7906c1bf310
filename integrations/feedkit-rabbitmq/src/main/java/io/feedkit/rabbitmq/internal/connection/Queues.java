package io.feedkit.rabbitmq.internal.connection;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.feedkit.queue.FanoutQueue.Lane;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/**
 * The queues of the lanes, and the dead-letter queue.
 *
 * @param prefix the prefix of the queue names
 * @param declare whether to declare them; otherwise they must exist
 * @param maxLength how many messages a lane holds before it refuses more
 * @param messageTtl the time after which a message that was not received becomes a dead letter
 */
public record Queues(String prefix, boolean declare, int maxLength, Duration messageTtl) {

    private static final int MOST_DEAD_LETTERS = 10_000;

    /** The name of a lane's queue. */
    public String name(Lane lane) {
        return prefix + "." + lane.name().toLowerCase(Locale.ROOT);
    }

    /** The name of the queue of dead letters. */
    public String deadLetters() {
        return prefix + ".dead";
    }

    /** Declares the queues, or checks that they exist. */
    void prepare(Connection connection) throws IOException, TimeoutException {
        try (Channel channel = connection.createChannel()) {
            if (declare) {
                declare(channel, deadLetters(), deadLetterArguments());
            } else {
                channel.queueDeclarePassive(deadLetters());
            }
            for (Lane lane : Lane.values()) {
                if (declare) {
                    declare(channel, name(lane), laneArguments());
                } else {
                    channel.queueDeclarePassive(name(lane));
                }
            }
        }
    }

    private static void declare(Channel channel, String name, Map<String, Object> arguments) throws IOException {
        channel.queueDeclare(name, true, false, false, arguments);
    }

    private Map<String, Object> laneArguments() {
        return Map.of(
                "x-queue-type",
                "quorum",
                "x-overflow",
                "reject-publish",
                "x-max-length",
                maxLength,
                "x-message-ttl",
                messageTtl.toMillis(),
                "x-dead-letter-exchange",
                "",
                "x-dead-letter-routing-key",
                deadLetters());
    }

    /** The broker drops the oldest dead letters beyond the length, so they need no consumer. */
    private static Map<String, Object> deadLetterArguments() {
        return Map.of("x-queue-type", "quorum", "x-max-length", MOST_DEAD_LETTERS);
    }
}

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
 * The queues of the lanes, and the one of the dead letters.
 *
 * @param prefix what the names of the queues begin with
 * @param declare whether to declare them; otherwise they have to be there
 * @param maxLength how many messages a lane holds before it refuses more
 * @param messageTtl after what time a message that nobody received is a dead letter
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

    /** Makes sure that the queues are there, as they should be. */
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

    /** Drops the oldest ones beyond the length: nobody has to consume them. */
    private static Map<String, Object> deadLetterArguments() {
        return Map.of("x-queue-type", "quorum", "x-max-length", MOST_DEAD_LETTERS);
    }
}

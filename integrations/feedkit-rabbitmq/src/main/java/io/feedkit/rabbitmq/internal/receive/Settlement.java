package io.feedkit.rabbitmq.internal.receive;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import io.feedkit.rabbitmq.internal.connection.RecoveringConnection;
import java.io.IOException;
import java.util.List;

/**
 * Acknowledgements or refusals, which are sent to the broker in this order.
 *
 * @param channel the channel of the deliveries
 * @param upTo acknowledges all deliveries up to this tag; 0 for none
 * @param tags further deliveries
 * @param dead whether they are refused
 */
record Settlement(Channel channel, long upTo, List<Long> tags, boolean dead) implements RecoveringConnection.Job {

    @Override
    public void run() throws IOException {
        try {
            if (upTo > 0) {
                channel.basicAck(upTo, true);
            }
            for (long tag : tags) {
                if (dead) {
                    channel.basicReject(tag, false);
                } else {
                    channel.basicAck(tag, false);
                }
            }
        } catch (AlreadyClosedException e) {
            // The broker delivers them again.
        }
    }
}

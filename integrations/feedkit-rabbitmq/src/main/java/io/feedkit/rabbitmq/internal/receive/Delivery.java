package io.feedkit.rabbitmq.internal.receive;

import com.rabbitmq.client.Channel;
import io.feedkit.queue.FanoutQueue.Received;

/**
 * A message that was delivered on a channel. Its tag is valid only on that channel. FeedKit's messages have no headers.
 */
final class Delivery implements Received {

    private final Channel channel;
    private final long tag;
    private final String text;
    private final boolean hasHeaders;

    Delivery(Channel channel, long tag, String text, boolean hasHeaders) {
        this.channel = channel;
        this.tag = tag;
        this.text = text;
        this.hasHeaders = hasHeaders;
    }

    Channel channel() {
        return channel;
    }

    long tag() {
        return tag;
    }

    boolean hasHeaders() {
        return hasHeaders;
    }

    @Override
    public String text() {
        return text;
    }

    @Override
    public String toString() {
        return text;
    }
}

package io.feedkit.kafka.internal;

import io.feedkit.queue.FanoutQueue.Lane;
import io.feedkit.queue.FanoutQueue.Status;
import java.time.Duration;

/** What the receivers of a subscription need. */
record LaneParts(
        ClientSettings clients,
        QueueSettings settings,
        Lane lane,
        LaneSubscription subscription,
        Sender sender,
        BrokerWatch watch) {

    String topic() {
        return settings.topic(lane);
    }

    /**
     * How long a consumer may take to end. It is shorter while the brokers are unreachable, because they cannot be
     * notified of the end.
     */
    Duration closeLimit() {
        return watch.status() == Status.UNREACHABLE ? Duration.ofMillis(100) : Duration.ofSeconds(2);
    }
}

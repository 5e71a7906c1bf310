package io.feedkit.kafka.internal;

import io.feedkit.spi.FanoutQueue.Lane;

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
}

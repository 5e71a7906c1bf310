package io.feedkit.kafka;

import io.feedkit.kafka.KafkaFanoutQueue.Mode;
import org.junit.jupiter.api.DisplayName;

@DisplayName("A queue in Kafka whose subscriptions are members of share groups")
class ShareGroupCompatibilityTest extends KafkaQueueKit {

    ShareGroupCompatibilityTest() {
        super(Mode.SHARE_GROUP);
    }
}

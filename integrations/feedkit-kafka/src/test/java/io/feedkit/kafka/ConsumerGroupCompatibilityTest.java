package io.feedkit.kafka;

import io.feedkit.kafka.KafkaFanoutQueue.Mode;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;

@Tag("matrix")
@DisplayName("A queue in Kafka whose subscriptions are members of consumer groups")
class ConsumerGroupCompatibilityTest extends KafkaQueueKit {

    ConsumerGroupCompatibilityTest() {
        super(Mode.CONSUMER_GROUP);
    }
}

package io.feedkit.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FeedEngine;
import io.feedkit.testkit.internal.NullArguments;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class NullArgumentsTest {

    @Test
    @DisplayName("null is refused by the argument's name, in every public method of what talks to Kafka")
    void kafka() {
        try (FeedEngine engine = FeedEngine.inMemory().workers(0).build()) {
            NullArguments kafka =
                    NullArguments.ofModuleOf(KafkaFanoutQueue.class).with(FeedEngine.class, () -> engine);
            assertThat(kafka.violations()).isEmpty();
            assertThat(kafka.checked()).isGreaterThan(5);
        }
    }
}

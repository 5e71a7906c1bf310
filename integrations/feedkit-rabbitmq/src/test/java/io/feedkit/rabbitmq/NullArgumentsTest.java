package io.feedkit.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.testkit.internal.NullArguments;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class NullArgumentsTest {

    @Test
    @DisplayName("null is refused by the argument's name, in every public method of the queue in RabbitMQ")
    void rabbitMq() {
        NullArguments rabbitMq = NullArguments.ofModuleOf(RabbitMqFanoutQueue.class);
        assertThat(rabbitMq.violations()).isEmpty();
        assertThat(rabbitMq.checked()).isGreaterThan(5);
    }
}

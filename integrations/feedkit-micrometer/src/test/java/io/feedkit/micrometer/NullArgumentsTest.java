package io.feedkit.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.testkit.internal.NullArguments;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class NullArgumentsTest {

    @Test
    @DisplayName("null is refused by the argument's name, in every public method of metrics and observations")
    void micrometer() {
        NullArguments micrometer = NullArguments.ofModuleOf(FeedMetrics.class)
                .with(MeterRegistry.class, SimpleMeterRegistry::new)
                .with(ObservationRegistry.class, ObservationRegistry::create);
        assertThat(micrometer.violations()).isEmpty();
        assertThat(micrometer.checked()).isGreaterThan(5);
    }
}

package io.feedkit.examples.guides;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.micrometer.FeedMetrics;
import io.feedkit.micrometer.FeedObservations;
import io.feedkit.spi.FeedStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.io.IOException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What the guide to metrics shows. The part between "guide" and "end" is its code. */
@DisplayName("The guide to metrics")
class MetricsGuideTest {

    @Test
    @DisplayName("measures and observes an engine")
    void metrics() {
        MeterRegistry registry = new SimpleMeterRegistry();
        ObservationRegistry observations = ObservationRegistry.create();
        observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(registry));
        FeedStore store = InMemoryFeedStore.create();
        // guide
        FeedMetrics metrics = FeedMetrics.create(registry); // such as a PrometheusMeterRegistry
        FeedEngine feed = FeedEngine.builder(store)
                .listener(metrics)
                .listener(FeedObservations.create(observations)) // for traces
                .build();
        metrics.watch(feed); // gauges
        // end
        try (metrics;
                feed) {
            feed.read("ann", PageRequest.first(20));
            assertThat(registry.get("feedkit.reads")
                            .tag("source", "empty")
                            .timer()
                            .count())
                    .isEqualTo(1);
            assertThat(registry.get("feedkit.read").timer().count()).isEqualTo(1);
            assertThat(registry.get("feedkit.store.up")
                            .tag("part", "outbox")
                            .gauge()
                            .value())
                    .isEqualTo(1);
        }
    }

    @Test
    @DisplayName("has the code of this test")
    void shown() throws IOException {
        GuideTexts.assertShown("metrics.md", "MetricsGuideTest");
    }
}

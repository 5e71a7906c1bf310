package io.feedkit.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FeedEngine;
import io.feedkit.testservers.HostModule;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A module that requires io.feedkit.micrometer")
class ModuleTest {

    /** What a host needs beside FeedKit's modules. */
    private static final List<String> JARS =
            List.of("jspecify", "slf4j-api", "micrometer-(core|commons|observation)", "HdrHistogram", "LatencyUtils");

    @TempDir
    private Path directory;

    private HostModule host() {
        return new HostModule(
                directory, List.of("io.feedkit.micrometer"), List.of(FeedEngine.class, FeedMetrics.class), JARS);
    }

    @Test
    @Timeout(300)
    @DisplayName("compiles against the API, and measures in a JVM that has it on the module path")
    void runs() {
        assertThat(host().run("""
                package host.app;

                import io.feedkit.FeedEngine;
                import io.feedkit.micrometer.FeedMetrics;
                import io.feedkit.micrometer.FeedObservations;
                import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
                import io.micrometer.observation.ObservationRegistry;

                public class Main {
                    public static void main(String[] arguments) {
                        SimpleMeterRegistry registry = new SimpleMeterRegistry();
                        FeedMetrics metrics = FeedMetrics.create(registry);
                        try (FeedEngine feed = FeedEngine.inMemory()
                                .listener(metrics)
                                .listener(FeedObservations.create(ObservationRegistry.create()))
                                .build()) {
                            metrics.watch(feed);
                            feed.publish("bob", "p1");
                            System.out.println(registry.get("feedkit.publishes").timer().count() + " publish in "
                                    + Main.class.getModule() + " by " + FeedMetrics.class.getModule());
                        }
                    }
                }
                """, "publish in"))
                .isEqualTo("1 publish in module host.app by module io.feedkit.micrometer");
    }

    @Test
    @DisplayName("finds the dashboard and the alerts in the jar")
    void resources() {
        assertThat(FeedMetrics.class.getResource("grafana-dashboard.json")).isNotNull();
        assertThat(FeedMetrics.class.getResource("prometheus-alerts.yml")).isNotNull();
    }
}

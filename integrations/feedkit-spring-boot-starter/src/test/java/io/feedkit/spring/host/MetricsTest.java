package io.feedkit.spring.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;

@DisplayName("Metrics of an application with the actuator")
class MetricsTest {

    @Test
    @DisplayName("count publishes and show the backlog, and each publish is observed")
    void meters() {
        try (WebHost host = WebHost.start(
                WebApplicationType.SERVLET, "management.endpoints.web.exposure.include=*", "feedkit.workers=0")) {
            host.feed().follow("ann", "bob");
            host.feed().read("ann", io.feedkit.PageRequest.first(1));
            host.feed().publish("bob", "one");
            assertThat(host.get("/actuator/metrics/feedkit.publishes").body())
                    .contains("\"statistic\":\"COUNT\",\"value\":1.0");
            await().untilAsserted(() -> assertThat(
                            host.get("/actuator/metrics/feedkit.backlog.tasks").body())
                    .contains("\"value\":1.0"));
            assertThat(host.get("/actuator/metrics/feedkit.publish").body())
                    .as("the timer that Spring Boot makes of the observation")
                    .contains("\"statistic\":\"COUNT\",\"value\":1.0");
        }
    }

    @Test
    @DisplayName("can be left out with the class path")
    void without() {
        HostApplication.runner(HostApplication.NOTHING)
                .withClassLoader(new org.springframework.boot.test.context.FilteredClassLoader("io.feedkit.micrometer"))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("feedKitMetrics"));
    }
}

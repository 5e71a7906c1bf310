package io.feedkit.spring.host;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;

@DisplayName("The actuator")
class ActuatorTest {

    private static final String EXPOSED = "management.endpoints.web.exposure.include=*";

    @Test
    @DisplayName("shows backlog, dead letters and policies, and changes nothing unless it may")
    void readOnly() {
        try (WebHost host = WebHost.start(WebApplicationType.SERVLET, EXPOSED, "feedkit.policies.relief=pull")) {
            assertThat(host.get("/actuator/feedkit").body())
                    .contains("\"age\":\"PT0S\"", "\"deadLetters\":0", "\"policies\":[\"relief\"]");
            assertThat(host.get("/actuator/feedkit/dead-letters").body()).isEqualTo("{\"deadLetters\":[]}");
            assertThat(host.get("/actuator/feedkit/nonsense").statusCode()).isEqualTo(404);
            assertThat(host.ask("POST", "/actuator/feedkit/policy/relief").statusCode())
                    .isEqualTo(405);
            assertThat(host.ask("DELETE", "/actuator/feedkit/policy").statusCode())
                    .isEqualTo(405);
        }
    }

    @Test
    @DisplayName("switches the policy and replays dead letters if it may")
    void unrestricted() {
        try (WebHost host = WebHost.start(
                WebApplicationType.SERVLET,
                EXPOSED,
                "management.endpoint.feedkit.access=unrestricted",
                "feedkit.policies.relief=pull")) {
            assertThat(host.ask("POST", "/actuator/feedkit/policy/relief").body())
                    .isEqualTo("{\"policy\":\"relief\"}");
            assertThat(host.ask("POST", "/actuator/feedkit/policy/unknown").statusCode())
                    .isEqualTo(400);
            assertThat(host.ask("DELETE", "/actuator/feedkit/policy").statusCode())
                    .isEqualTo(200);
            assertThat(host.ask("POST", "/actuator/feedkit/dead-letters").body())
                    .isEqualTo("{\"replayed\":0}");
            assertThat(host.ask("POST", "/actuator/feedkit/dead-letters/17").body())
                    .isEqualTo("{\"replayed\":0}");
            assertThat(host.ask("DELETE", "/actuator/feedkit/dead-letters/17").body())
                    .isEqualTo("{\"discarded\":0}");
        }
    }

    @Test
    @DisplayName("has health with the parts of the store and the backlog, and info")
    void health() {
        try (WebHost host = WebHost.start(
                WebApplicationType.SERVLET,
                EXPOSED,
                "management.endpoint.health.show-details=always",
                "management.info.feedkit.enabled=true",
                "feedkit.name=web-1")) {
            assertThat(host.get("/actuator/health/feedkit").body())
                    .contains("\"status\":\"UP\"", "\"outbox\":\"up", "\"backlogAge\":\"PT0S\"", "\"deadLetters\":0");
            assertThat(host.get("/actuator/info").body()).contains("\"name\":\"web-1\"");
        }
    }
}

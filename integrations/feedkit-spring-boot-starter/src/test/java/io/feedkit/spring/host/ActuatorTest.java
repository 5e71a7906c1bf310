package io.feedkit.spring.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.feedkit.spring.actuate.FeedHealth;
import io.feedkit.testservers.PostgresServer;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.List;
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
            assertThat(host.get("/actuator/feedkit").body()).contains("\"policy\":\"relief\"");
            HttpResponse<String> unknown = host.ask("POST", "/actuator/feedkit/policy/unknown");
            assertThat(unknown.statusCode()).isEqualTo(400);
            assertThat(unknown.body()).contains("[relief]", "unknown");
            for (String method : List.of("POST", "DELETE")) {
                assertThat(host.ask(method, "/actuator/feedkit/polices").statusCode())
                        .isEqualTo(404);
                assertThat(host.ask(method, "/actuator/feedkit/polices/relief").body())
                        .contains("dead-letters and policy");
            }
            assertThat(host.ask("DELETE", "/actuator/feedkit/policy").statusCode())
                    .isEqualTo(200);
            assertThat(host.get("/actuator/feedkit").body()).contains("\"policy\":\"each engine's own\"");
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
                "feedkit.name=web-1")) {
            assertThat(host.get("/actuator/health/feedkit").body())
                    .contains("\"status\":\"UP\"", "\"outbox\":\"up", "\"backlogAge\":\"PT0S\"", "\"deadLetters\":0");
            assertThat(host.get("/actuator/info").body()).contains("\"name\":\"web-1\"");
        }
    }

    @Test
    @DisplayName("answers health within the time-out, also if the backlog cannot be counted")
    void lockedTasks() {
        String database = PostgresServer.shared().createDatabase();
        HostApplication.runner(HostApplication.SQL_WITHOUT_JPA)
                .withPropertyValues(
                        "spring.datasource.url=" + database, "feedkit.health.timeout=300ms", "feedkit.workers=0")
                .run(context -> {
                    FeedHealth health = context.getBean(FeedHealth.class);
                    await().untilAsserted(
                                    () -> assertThat(health.check().details()).containsEntry("deadLetters", 0L));
                    try (Connection other = DriverManager.getConnection(database)) {
                        other.setAutoCommit(false);
                        other.createStatement().execute("lock table feedkit_task in access exclusive mode");
                        await().untilAsserted(() -> assertThat(health.check().details())
                                .containsEntry("backlog", "no answer within PT0.3S"));
                        for (int i = 0; i < 5; i++) {
                            health.check();
                        }
                        assertThat(Thread.getAllStackTraces().keySet())
                                .filteredOn(thread -> thread.getName().equals("feedkit-health-backlog"))
                                .hasSizeLessThanOrEqualTo(1);
                    }
                });
    }

    @Test
    @DisplayName("can leave health out")
    void withoutHealth() {
        try (WebHost host =
                WebHost.start(WebApplicationType.SERVLET, EXPOSED, "management.health.feedkit.enabled=false")) {
            assertThat(host.get("/actuator/health/feedkit").statusCode()).isEqualTo(404);
        }
    }
}

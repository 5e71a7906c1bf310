package io.feedkit.jdbc.survival;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.feedkit.testservers.Durability;
import io.feedkit.testservers.PostgresServer;
import io.feedkit.testservers.survival.Rounds;
import io.feedkit.testservers.survival.Scenario;
import io.feedkit.testservers.survival.Scenario.Engines;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class KilledDatabaseTest {

    private static final int KILLS = Rounds.of(4);

    private static PostgresServer server;

    @BeforeAll
    static void startServer() {
        server = PostgresServer.start(Durability.DURABLE);
    }

    @AfterAll
    static void closeServer() {
        server.close();
    }

    @ParameterizedTest
    @EnumSource
    @Timeout(120)
    @DisplayName("the database is killed in mid-fan-out and started again: nothing is lost, repeated or resurrected")
    void killed(Engines engines) throws Exception {
        String url = server.createDatabase();
        Nodes.createTables(url);
        Probe probe = new Probe(url);
        try (Scenario scenario = Scenario.start(engines, () -> Nodes.at(url))) {
            Random random = new Random(3);
            int amidFanout = 0;
            for (int kill = 0; kill < KILLS; kill++) {
                Rounds.moment(random, 1000);
                await().atMost(Duration.ofSeconds(20))
                        .pollInterval(Duration.ofMillis(5))
                        .until(() -> probe.halfDoneTasks() > 0);
                Rounds.moment(random, 30);
                server.kill();
                assertThat(server.isRunning()).isFalse();
                Rounds.moment(random, 300);
                server.restart();
                amidFanout += probe.halfDoneTasks() > 0 ? 1 : 0;
            }
            scenario.finish("database killed=" + KILLS + " half-done tasks after restart=" + amidFanout);
            assertThat(amidFanout).isPositive();
            assertThat(scenario.triedAgain()).isPositive();
        }
    }
}

package io.feedkit.jdbc.survival;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.spi.PulledRegister;
import io.feedkit.spi.PulledRegister.Moment;
import io.feedkit.spi.PulledRegister.Scope;
import io.feedkit.testservers.Durability;
import io.feedkit.testservers.PostgresServer;
import io.feedkit.testservers.survival.Rounds;
import io.feedkit.testservers.survival.Scenario;
import io.feedkit.testservers.survival.Scenario.Engines;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class KilledDatabaseTest {

    /** The maximum number of further kills. A fan-out may finish just before a kill. */
    private static final int MOST_IN_VAIN = 10;

    private static PostgresServer server;

    @BeforeAll
    static void startServer() {
        server = PostgresServer.start(Durability.DURABLE);
    }

    @AfterAll
    static void closeServer() {
        server.close();
    }

    @Test
    @Timeout(300)
    @DisplayName("the database is killed during fan-out and restarted; no post is lost, repeated or resurrected")
    void killed() throws Exception {
        kill(Engines.TWO, 1);
    }

    @Test
    @Timeout(300)
    @DisplayName("what an engine knows of the register goes with the server; another may not know as much")
    void registerBeginsAgain() {
        String url = server.createDatabase();
        Nodes.createTables(url);
        try (JdbcFeedStore store = JdbcFeedStore.builder(url).build()) {
            PulledRegister register = store.outbox().pulled();
            Moment known = register.update(Optional.empty(), List.of("ann"), 10).moment();
            assertThat(register.update(Optional.of(known), List.of(), 10).scope())
                    .isEqualTo(Scope.CHANGES);
            server.kill();
            server.restart();
            await().ignoreExceptions()
                    .untilAsserted(() -> assertThat(register.update(Optional.of(known), List.of(), 10)
                                    .scope())
                            .isEqualTo(Scope.WHOLE));
        }
    }

    @Tag("survival")
    @ParameterizedTest
    @EnumSource
    @Timeout(300)
    @DisplayName("the same several times, with one engine and with two")
    void killedAgain(Engines engines) throws Exception {
        kill(engines, Rounds.of(4));
    }

    private static void kill(Engines engines, int atLeast) throws Exception {
        String url = server.createDatabase();
        Nodes.createTables(url);
        Probe probe = new Probe(url);
        try (Scenario scenario = Scenario.start(engines, () -> Nodes.at(url))) {
            Random random = new Random(3);
            int kills = 0;
            int amidFanout = 0;
            while (kills < atLeast || (inVain(amidFanout, scenario) && kills < atLeast + MOST_IN_VAIN)) {
                kills++;
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
            scenario.finish("database killed=" + kills + " half-done tasks after restart=" + amidFanout);
            assertThat(amidFanout).isPositive();
            assertThat(scenario.triedAgain()).isPositive();
        }
    }

    /** Whether the kills have not yet hit both a fan-out and a call of the host's. */
    private static boolean inVain(int amidFanout, Scenario scenario) {
        return amidFanout == 0 || scenario.triedAgain() == 0;
    }
}

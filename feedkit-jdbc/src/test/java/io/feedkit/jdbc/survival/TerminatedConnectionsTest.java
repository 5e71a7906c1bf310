package io.feedkit.jdbc.survival;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.testservers.PostgresServer;
import io.feedkit.testservers.survival.Rounds;
import io.feedkit.testservers.survival.Scenario;
import io.feedkit.testservers.survival.Scenario.Engines;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("survival")
class TerminatedConnectionsTest {

    private static final int TERMINATIONS = Rounds.of(20);

    @ParameterizedTest
    @EnumSource
    @Timeout(300)
    @DisplayName(
            "all connections are terminated again and again during fan-out; no post is lost, repeated or resurrected")
    void terminated(Engines engines) throws Exception {
        String url = PostgresServer.shared().createDatabase();
        Nodes.createTables(url);
        Probe probe = new Probe(url);
        try (Scenario scenario = Scenario.start(engines, () -> Nodes.at(url))) {
            Random random = new Random(4);
            long cut = 0;
            int amidFanout = 0;
            for (int round = 0; round < TERMINATIONS; round++) {
                Rounds.moment(random, 250);
                amidFanout += probe.halfDoneTasks() > 0 ? 1 : 0;
                cut += probe.terminateOthers();
            }
            scenario.finish("terminations=" + TERMINATIONS + " connections=" + cut + " amid fan-out=" + amidFanout);
            assertThat(cut).isGreaterThanOrEqualTo(TERMINATIONS);
            assertThat(amidFanout).isPositive();
            assertThat(scenario.triedAgain()).isPositive();
        }
    }
}

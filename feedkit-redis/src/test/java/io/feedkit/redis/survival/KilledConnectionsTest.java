package io.feedkit.redis.survival;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.testservers.Durability;
import io.feedkit.testservers.RedisServer;
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
class KilledConnectionsTest {

    private static final int PAUSE_MILLIS = 10;
    private static final int KILLS = Rounds.of(40);

    @ParameterizedTest
    @EnumSource
    @Timeout(300)
    @DisplayName("all connections are killed again and again while posts are replayed: nothing is lost,"
            + " repeated or resurrected")
    void killed(Engines engines) throws Exception {
        HalfDone halfDone = new HalfDone();
        try (RedisServer server = RedisServer.start(Durability.FAST);
                Admin admin = new Admin(server.port());
                Scenario scenario =
                        Scenario.start(engines, () -> Nodes.at(server.port()).through(halfDone::watch), PAUSE_MILLIS)) {
            Random random = new Random(4);
            long cut = 0;
            int amidFanout = 0;
            for (int round = 0; round < KILLS; round++) {
                Rounds.moment(random, 100);
                amidFanout += halfDone.tasks() > 0 ? 1 : 0;
                cut += admin.killOthers();
            }
            scenario.finish("connections killed=" + KILLS + " times, all told=" + cut + ", amid fan-out=" + amidFanout);
            assertThat(cut).isGreaterThanOrEqualTo(KILLS);
            assertThat(amidFanout).isPositive();
            assertThat(scenario.triedAgain()).isPositive();
        }
    }
}

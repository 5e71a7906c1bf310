package io.feedkit.redis.survival;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.feedkit.testservers.Durability;
import io.feedkit.testservers.RedisServer;
import io.feedkit.testservers.survival.Rounds;
import io.feedkit.testservers.survival.Scenario;
import io.feedkit.testservers.survival.Scenario.Engines;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class KilledServerTest {

    /** A fan-out may end just before the kill. */
    private static final int MOST_IN_VAIN = 10;

    private static final int PAUSE_MILLIS = 20;

    @Test
    @Timeout(300)
    @DisplayName("Redis is killed in mid-fan-out and started again, and writes each command to its file"
            + " before it answers: nothing is lost, repeated or resurrected")
    void killed() throws Exception {
        kill(Engines.TWO, 1);
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
        HalfDone halfDone = new HalfDone();
        try (RedisServer server = RedisServer.start(Durability.DURABLE);
                Scenario scenario =
                        Scenario.start(engines, () -> Nodes.at(server.port()).through(halfDone::watch), PAUSE_MILLIS)) {
            Random random = new Random(3);
            int kills = 0;
            int amidFanout = 0;
            while (kills < atLeast || (inVain(amidFanout, scenario) && kills < atLeast + MOST_IN_VAIN)) {
                kills++;
                Rounds.moment(random, 700);
                await().atMost(Duration.ofSeconds(20))
                        .pollInterval(Duration.ofMillis(1))
                        .until(() -> halfDone.tasks() > 0);
                server.kill();
                assertThat(server.isRunning()).isFalse();
                amidFanout += halfDone.tasks() > 0 ? 1 : 0;
                Rounds.moment(random, 300);
                server.restart();
            }
            scenario.finish("Redis killed=" + kills + " times, amid fan-out=" + amidFanout);
            assertThat(amidFanout).isPositive();
            assertThat(scenario.triedAgain()).isPositive();
        }
    }

    /** Whether no kill has yet met both a fan-out and a call of the host's. */
    private static boolean inVain(int amidFanout, Scenario scenario) {
        return amidFanout == 0 || scenario.triedAgain() == 0;
    }
}

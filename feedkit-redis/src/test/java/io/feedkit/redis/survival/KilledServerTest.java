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
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class KilledServerTest {

    private static final int PAUSE_MILLIS = 20;
    private static final int KILLS = Rounds.of(4);

    @ParameterizedTest
    @EnumSource
    @Timeout(300)
    @DisplayName(
            "Redis is killed in mid-fan-out and started again, and writes each command to its file before it answers: nothing is lost, repeated or resurrected")
    void killed(Engines engines) throws Exception {
        HalfDone halfDone = new HalfDone();
        try (RedisServer server = RedisServer.start(Durability.DURABLE);
                Scenario scenario =
                        Scenario.start(engines, () -> Nodes.at(server.port()).through(halfDone::watch), PAUSE_MILLIS)) {
            Random random = new Random(3);
            int amidFanout = 0;
            for (int kill = 0; kill < KILLS; kill++) {
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
            scenario.finish("Redis killed=" + KILLS + " times, amid fan-out=" + amidFanout);
            assertThat(amidFanout).isPositive();
            assertThat(scenario.triedAgain()).isPositive();
        }
    }
}

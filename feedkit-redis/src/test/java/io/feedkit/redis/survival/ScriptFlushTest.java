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
class ScriptFlushTest {

    private static final int FLUSHES = Rounds.of(200);

    @ParameterizedTest
    @EnumSource
    @Timeout(300)
    @DisplayName("the server is made to forget all scripts again and again: nobody notices")
    void forgotten(Engines engines) throws Exception {
        HalfDone halfDone = new HalfDone();
        try (RedisServer server = RedisServer.start(Durability.FAST);
                Admin admin = new Admin(server.port());
                Scenario scenario =
                        Scenario.start(engines, () -> Nodes.at(server.port()).through(halfDone::watch))) {
            Random random = new Random(5);
            int amidFanout = 0;
            for (int round = 0; round < FLUSHES; round++) {
                Rounds.moment(random, 20);
                amidFanout += halfDone.tasks() > 0 ? 1 : 0;
                admin.commands().scriptFlush();
            }
            scenario.finish("scripts forgotten=" + FLUSHES + " times, amid fan-out=" + amidFanout);
            assertThat(amidFanout).isPositive();
            assertThat(scenario.triedAgain()).isZero();
        }
    }
}

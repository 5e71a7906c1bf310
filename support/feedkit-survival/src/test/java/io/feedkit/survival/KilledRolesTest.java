package io.feedkit.survival;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.survival.Kills.Outcome;
import io.feedkit.testservers.Durability;
import io.feedkit.testservers.PostgresServer;
import io.feedkit.testservers.RabbitMqProgram;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("survival")
@DisplayName("A fan-out through a broker: RabbitMQ, or Kafka where that cannot be had")
class KilledRolesTest {

    private static PostgresServer database;
    private static Broker broker;

    @BeforeAll
    static void startServers() {
        database = PostgresServer.start(Durability.FAST);
        broker = Broker.start(RabbitMqProgram.find().isPresent() ? "rabbitmq" : "kafka");
    }

    @AfterAll
    static void closeServers() {
        if (broker != null) {
            broker.close();
        }
        if (database != null) {
            database.close();
        }
    }

    /** One point for each role; the command {@code kill} has all. */
    @ParameterizedTest
    @EnumSource(names = {"RELAY_AFTER_LEND", "WORKER_AFTER_DELIVER", "BROKER_AFTER_SEND", "PUBLISHER_AFTER_APPEND"})
    @Timeout(120)
    @DisplayName("survives a kill: nothing acknowledged is lost, nothing deleted comes back")
    void killed(KillPoint point) throws Exception {
        Outcome outcome = new KillRun(
                        database.createDatabase(),
                        broker,
                        point,
                        1,
                        "test-" + point.name().toLowerCase(Locale.ROOT))
                .run();
        assertThat(outcome.reached()).as("%s was reached", point).isTrue();
    }
}

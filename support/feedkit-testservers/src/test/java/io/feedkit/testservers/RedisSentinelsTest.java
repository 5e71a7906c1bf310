package io.feedkit.testservers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("survival")
@DisplayName("Redis behind sentinels")
class RedisSentinelsTest {

    /** A sentinel that was held up for two seconds does nothing for thirty. */
    private static final Duration FAILOVER = Duration.ofMinutes(2);

    @Test
    @DisplayName("gets another master when the master is killed")
    void failover() throws IOException {
        try (RedisSentinels servers = RedisSentinels.start()) {
            RedisServer master = servers.master();
            RedisServer replica = servers.replica();
            Replication.set(master, "note", "kept");
            master.kill();
            await().atMost(FAILOVER).ignoreExceptions().until(() -> servers.master() == replica);
            assertThat(replica.ask("GET", "note")).isEqualTo("kept");
            // Else a new master that is held up for a second gives way to the old one.
            servers.bePatient();
            master.restart();
            servers.awaitHealthy();
            assertThat(servers.replica()).isSameAs(master);
        }
    }
}

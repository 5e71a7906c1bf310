package io.feedkit.testservers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("Redis behind sentinels")
class RedisSentinelsTest {

    /** A sentinel that was held up for two seconds does nothing for thirty. */
    private static final Duration FAILOVER = Duration.ofMinutes(2);

    static List<RedisProgram> programs() {
        return RedisProgram.all();
    }

    @ParameterizedTest
    @MethodSource("programs")
    @DisplayName("gets another master when the master is killed")
    void failover(RedisProgram program) throws IOException {
        try (RedisSentinels servers = RedisSentinels.start(program)) {
            RedisServer master = servers.master();
            RedisServer replica = servers.replica();
            Replication.set(master, "note", "kept");
            master.kill();
            await().atMost(FAILOVER).ignoreExceptions().until(() -> servers.master() == replica);
            assertThat(replica.ask("GET", "note")).isEqualTo("kept");
            master.restart();
            servers.awaitHealthy();
            assertThat(servers.replica()).isSameAs(master);
        }
    }
}

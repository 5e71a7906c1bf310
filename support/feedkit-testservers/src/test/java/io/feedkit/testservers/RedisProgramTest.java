package io.feedkit.testservers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("A Redis program")
class RedisProgramTest {

    static List<RedisProgram> all() {
        return RedisProgram.all();
    }

    @ParameterizedTest
    @MethodSource("all")
    @DisplayName("runs as a server that is what it said, with options of its own")
    void runs(RedisProgram program) {
        try (RedisServer server = RedisServer.start(program, Durability.FAST, "--maxmemory", "10mb")) {
            String[] name = program.name().split(" ", -1);
            assertThat(server.ask("INFO", "server").toLowerCase(Locale.ROOT))
                    .contains(name[0].toLowerCase(Locale.ROOT) + "_version:" + name[1]);
            assertThat(server.ask("CONFIG", "GET", "maxmemory")).isEqualTo("maxmemory\n10485760");
        }
    }
}

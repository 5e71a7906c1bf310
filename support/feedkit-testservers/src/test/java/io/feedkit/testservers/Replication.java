package io.feedkit.testservers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;

final class Replication {

    private Replication() {}

    /** Sets a key, and waits until a replica has it. WAIT is about what its own connection has written. */
    static void set(RedisServer master, String key, String value) throws IOException {
        try (RedisSocket socket = new RedisSocket(master.port())) {
            assertThat(socket.ask(List.of("SET", key, value))).isEqualTo("OK");
            assertThat(socket.ask(List.of("WAIT", "1", "5000"))).isEqualTo("1");
        }
    }
}

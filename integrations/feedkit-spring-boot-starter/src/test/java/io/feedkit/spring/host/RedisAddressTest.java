package io.feedkit.spring.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.redis.RedisServers;
import io.feedkit.spring.internal.store.RedisAddress;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Settings of Redis as addresses")
class RedisAddressTest {

    private static final List<String> NODES = List.of("127.0.0.1:7001", "127.0.0.1:7002");
    private static final RedisAddress OPEN = new RedisAddress("app", null);
    private static final RedisAddress LOCKED = new RedisAddress("app", "p@ss word");

    @Test
    @DisplayName("name one server, a cluster, or sentinels with their master")
    void kinds() {
        assertThat(OPEN.server(false, "127.0.0.1", 7001, 2)).isEqualTo("redis://127.0.0.1:7001/2");
        assertThat(OPEN.cluster(false, NODES)).isEqualTo("redis-cluster://127.0.0.1:7001,127.0.0.1:7002");
        assertThat(OPEN.sentinel(false, NODES, 2, "main"))
                .isEqualTo("redis-sentinel://127.0.0.1:7001,127.0.0.1:7002/2#main");
    }

    @Test
    @DisplayName("keep passwords that hold other characters, and can be read")
    void credentials() {
        String address = LOCKED.server(true, "127.0.0.1", 7001, 0);
        assertThat(address).isEqualTo("rediss://app:p%40ss%20word@127.0.0.1:7001/0");
        for (String each : List.of(
                address,
                LOCKED.cluster(true, NODES),
                LOCKED.sentinel(true, NODES, 0, "main"),
                OPEN.cluster(false, NODES),
                OPEN.sentinel(false, NODES, 2, "main"))) {
            assertThat(RedisServers.at(each).toString()).as(each).doesNotContain("word");
        }
    }
}

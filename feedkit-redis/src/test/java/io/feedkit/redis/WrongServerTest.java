package io.feedkit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.StoreUnavailableException;
import io.feedkit.redis.UnusableServerException.Reason;
import io.feedkit.testservers.Durability;
import io.feedkit.testservers.RedisCluster;
import io.feedkit.testservers.RedisProgram;
import io.feedkit.testservers.RedisSentinels;
import io.feedkit.testservers.RedisServer;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("What is not the right server")
@Timeout(60)
class WrongServerTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    private static void open(String uri) {
        RedisInboxes.builder(uri).timeout(TIMEOUT).build().close();
    }

    private static void assertUnusable(String uri, Reason reason, String... message) {
        assertThatThrownBy(() -> open(uri))
                .isInstanceOfSatisfying(UnusableServerException.class, e -> {
                    assertThat(e.reason()).isEqualTo(reason);
                    assertThat(e.isRetryable()).isFalse();
                    assertThat(e).hasMessageContainingAll(message);
                });
    }

    private static void assertUnavailable(String uri, String... message) {
        assertThatThrownBy(() -> open(uri))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContainingAll(message);
    }

    private static String asCluster(String uri) {
        return uri.replace("redis://", "redis-cluster://");
    }

    @Test
    @DisplayName("is told apart if it does not listen, or says nothing")
    void silent() throws IOException {
        assertUnavailable("redis://127.0.0.1:1", "redis.connect", "127.0.0.1", "refused");
        assertUnavailable("redis-cluster://127.0.0.1:1", "redis.connect", "127.0.0.1", "refused");
        assertUnavailable("redis-sentinel://127.0.0.1:1#feedkit", "redis.connect", "127.0.0.1", "refused");
        try (ServerSocket silent = new ServerSocket(0)) {
            String uri = "redis://127.0.0.1:" + silent.getLocalPort();
            assertUnavailable(uri, "redis.connect", "127.0.0.1", "timed out");
            assertUnavailable(asCluster(uri), "redis.connect", "127.0.0.1", "timed out");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.1 400 Bad Request\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n", "220 mail.internal ESMTP\r\n"})
    @DisplayName("is told apart if it speaks, but not as Redis")
    void notRedis(String answer) throws IOException {
        UnaryOperator<String> always = command -> answer;
        try (FakeServer server = FakeServer.answering(always)) {
            assertUnusable(server.uri(), Reason.NOT_REDIS, "127.0.0.1");
            assertUnusable(asCluster(server.uri()), Reason.NOT_REDIS, "127.0.0.1");
        }
    }

    @Test
    @DisplayName("is told apart if it is too old, or only looks like Redis")
    void tooOld() throws IOException {
        try (FakeServer server = FakeServer.redis("# Server\r\nredis_version:6.0.16\r\nredis_mode:standalone\r\n")) {
            assertUnusable(server.uri(), Reason.TOO_OLD, "6.0.16", "6.2");
        }
        try (FakeServer server = FakeServer.redis("# Server\r\nother_version:1\r\n")) {
            assertUnusable(server.uri(), Reason.NOT_REDIS);
        }
    }

    @Test
    @DisplayName("is told apart if it wants another password, which is not shown")
    void password() {
        try (RedisServer server = RedisServer.start(Durability.FAST, "--requirepass", "right")) {
            assertUnusable(server.uri(), Reason.ACCESS_DENIED, "NOAUTH");
            String uri = server.uri().replace("redis://", "redis://:wr0ng@");
            assertThatThrownBy(() -> open(uri)).hasMessageContaining("WRONGPASS").hasMessageNotContaining("wr0ng");
            assertUnusable(uri, Reason.ACCESS_DENIED, "WRONGPASS");
            assertUnusable(asCluster(server.uri()), Reason.ACCESS_DENIED, "NOAUTH");
            open(server.uri().replace("redis://", "redis://:right@"));
        }
    }

    @Test
    @DisplayName("is told apart if it is of another kind than the address says")
    void otherKind() {
        RedisServer server = RedisServer.shared();
        assertUnusable(asCluster(server.uri()), Reason.OTHER_KIND, "cluster support disabled");
        assertUnusable(server.uri() + "/99", Reason.OTHER_KIND, "DB index");
        assertUnusable(server.uri().replace("redis://", "redis-sentinel://") + "#feedkit", Reason.OTHER_KIND);
        String member = RedisCluster.shared(RedisProgram.embedded()).masters().get(0).uri();
        assertUnusable(member, Reason.OTHER_KIND, "redis-cluster://");
        RedisSentinels sentinels = RedisSentinels.shared(RedisProgram.embedded());
        assertUnusable(sentinels.sentinels().get(0).uri(), Reason.OTHER_KIND, "redis-sentinel://");
        assertUnavailable(sentinels.replica().uri(), "is a replica");
        assertUnavailable(sentinels.uri().replace("#feedkit", "#nobody"), "nobody");
    }

    @Test
    @DisplayName("is told apart if it is a cluster that is not ready")
    void notReady() {
        try (RedisCluster cluster = RedisCluster.unformed()) {
            assertUnavailable(cluster.uri(), "not ready", "0 of 16384");
            cluster.form();
            open(cluster.uri());
            cluster.masters().forEach(master -> master.ask("CLUSTER", "DELSLOTS", "7"));
            assertUnavailable(cluster.uri(), "not ready", "16383 of 16384");
        }
    }
}

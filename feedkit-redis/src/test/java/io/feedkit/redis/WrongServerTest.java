package io.feedkit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.feedkit.StoreUnavailableException;
import io.feedkit.redis.UnusableServerException.Reason;
import io.feedkit.testservers.Durability;
import io.feedkit.testservers.RedisCluster;
import io.feedkit.testservers.RedisProgram;
import io.feedkit.testservers.RedisSentinels;
import io.feedkit.testservers.RedisServer;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisClient;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("What is not the right server")
@Timeout(300)
class WrongServerTest {

    private static final Duration SHORT = Duration.ofSeconds(1);

    private final List<Consumer<String>> doors = List.of(this::openInboxes, this::openStore);
    private Duration timeout = Duration.ofSeconds(5);

    private void openInboxes(String uri) {
        RedisInboxes.builder(RedisServers.at(uri)).timeout(timeout).build().close();
    }

    private void openStore(String uri) {
        RedisFeedStore.builder(RedisServers.at(uri)).timeout(timeout).build().close();
    }

    private void open(String uri) {
        doors.forEach(door -> door.accept(uri));
    }

    private void assertUnusable(String uri, Reason reason, String... message) {
        for (Consumer<String> door : doors) {
            assertThatThrownBy(() -> door.accept(uri)).isInstanceOfSatisfying(UnusableServerException.class, e -> {
                assertThat(e.reason()).isEqualTo(reason);
                assertThat(e.isRetryable()).isFalse();
                assertThat(e).hasMessageContainingAll(message);
            });
        }
    }

    private void assertUnavailable(String uri, String... message) {
        for (Consumer<String> door : doors) {
            assertThatThrownBy(() -> door.accept(uri))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContainingAll(message);
        }
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
        timeout = SHORT;
        try (ServerSocket silent = new ServerSocket(0)) {
            String uri = "redis://127.0.0.1:" + silent.getLocalPort();
            assertUnavailable(uri, "redis.connect", "127.0.0.1", "timed out");
            assertUnavailable(asCluster(uri), "redis.connect", "127.0.0.1", "timed out");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"HTTP/1.1 400 Bad Request\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n", "220 mail.internal ESMTP\r\n"})
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
            assertUnusable(server.uri(), Reason.TOO_OLD, "6.0.16", "6.2", "update it");
            assertThat(server.asked()).contains("INFO").doesNotContain("EVAL", "EVALSHA", "HSET");
        }
        try (FakeServer server = FakeServer.redis("# Server\r\nother_version:1\r\n")) {
            assertUnusable(server.uri(), Reason.NOT_REDIS, "check host and port");
        }
    }

    @Test
    @DisplayName("is told apart if it only closes the connection at first, and says why when asked again")
    void closedAtFirst() throws IOException {
        AtomicInteger greetings = new AtomicInteger();
        try (FakeServer server =
                FakeServer.answering(command -> command.equals("HELLO") && greetings.incrementAndGet() % 2 == 1
                        ? FakeServer.CLOSE
                        : "-NOAUTH Authentication required.\r\n")) {
            assertUnusable(server.uri(), Reason.ACCESS_DENIED, "NOAUTH");
        }
    }

    @Test
    @DisplayName("is told apart if it wants another password, which is not shown")
    void password() {
        try (RedisServer server = RedisServer.start(Durability.FAST, "--requirepass", "right")) {
            assertUnusable(server.uri(), Reason.ACCESS_DENIED, "NOAUTH", "user and password");
            String uri = server.uri().replace("redis://", "redis://:wr0ng@");
            assertThatThrownBy(() -> open(uri))
                    .hasMessageContaining("WRONGPASS")
                    .hasMessageNotContaining("wr0ng");
            assertUnusable(uri, Reason.ACCESS_DENIED, "WRONGPASS");
            assertUnusable(asCluster(server.uri()), Reason.ACCESS_DENIED, "NOAUTH");
            String right = server.uri().replace("redis://", "redis://:right@");
            open(right);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-evalsha -eval", "-hget", "resetkeys ~other:*"})
    @DisplayName("is told apart if the user may not do what is needed")
    void rights(String rules) {
        try (RedisServer server = RedisServer.start(Durability.FAST)) {
            List<String> command = new ArrayList<>(List.of("ACL", "SETUSER", "feeds", "on", ">secret", "~*", "+@all"));
            command.addAll(List.of(rules.split(" ", -1)));
            server.ask(command.toArray(String[]::new));
            String uri = server.uri().replace("redis://", "redis://feeds:secret@");
            assertUnusable(uri, Reason.ACCESS_DENIED, "feedkit:{t0}:format", "allow the commands");
            assertThat(server.ask("DBSIZE")).isEqualTo("0");
        }
    }

    @Test
    @DisplayName("is told apart if it has another format under the prefix, and is left as it is")
    void otherFormat() {
        try (RedisServer server = RedisServer.start(Durability.FAST)) {
            server.ask("HSET", "feedkit:{t0}:format", "inbox", "2");
            for (Consumer<String> door : doors) {
                assertThatThrownBy(() -> door.accept(server.uri()))
                        .isInstanceOf(FormatVersionException.class)
                        .hasMessageContainingAll("feedkit:{t0}:format", "inbox 2", "inbox 1", "another prefix");
            }
            server.ask("HSET", "feedkit:{t0}:format", "inbox", "1", "truth", "9");
            openInboxes(server.uri());
            assertThatThrownBy(() -> openStore(server.uri()))
                    .isInstanceOf(FormatVersionException.class)
                    .hasMessageContaining("truth 9");
            assertThat(server.ask("HGETALL", "feedkit:{t0}:format")).isEqualTo("inbox\n1\ntruth\n9");
            assertThat(server.ask("DBSIZE")).isEqualTo("1");
        }
    }

    @Test
    @DisplayName("is left without connections when it is refused, also those of a client of the host's")
    void closed() {
        try (RedisServer server = RedisServer.start(Durability.FAST)) {
            server.ask("SET", "feedkit:{t0}:format", "mine");
            RedisClient client = RedisClient.create(server.uri());
            try {
                client.setOptions(ClientOptions.builder()
                        .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                        .replayFilter(command -> true)
                        .build());
                assertThatThrownBy(() -> RedisFeedStore.create(RedisServers.of(client)))
                        .isInstanceOf(FormatVersionException.class);
                assertThatThrownBy(() -> RedisInboxes.create(RedisServers.of(client)))
                        .isInstanceOf(FormatVersionException.class);
                doors.forEach(door -> assertThatThrownBy(() -> door.accept(server.uri()))
                        .isInstanceOf(FormatVersionException.class)
                        .hasMessageContaining("a string"));
                // Only the client that asks.
                await().untilAsserted(() ->
                        assertThat(server.ask("CLIENT", "LIST").lines()).hasSize(1));
            } finally {
                client.shutdown();
            }
        }
    }

    @Tag("matrix")
    @Test
    @DisplayName("is told apart if it is of another kind than the address says")
    void otherKind() {
        RedisServer server = RedisServer.shared();
        assertUnusable(asCluster(server.uri()), Reason.OTHER_KIND, "cluster support disabled");
        assertUnusable(server.uri() + "/99", Reason.OTHER_KIND, "DB index");
        assertUnusable(
                server.uri().replace("redis://", "redis-sentinel://") + "#feedkit",
                Reason.OTHER_KIND,
                "redis-sentinel");
        String member =
                RedisCluster.shared(RedisProgram.embedded()).masters().get(0).uri();
        assertUnusable(member, Reason.OTHER_KIND, "redis-cluster://");
        RedisSentinels sentinels = RedisSentinels.shared(RedisProgram.embedded());
        assertUnusable(sentinels.sentinels().get(0).uri(), Reason.OTHER_KIND, "redis-sentinel://");
        assertUnavailable(sentinels.replica().uri(), "is a replica");
        assertUnavailable(sentinels.uri().replace("#feedkit", "#nobody"), "nobody");
    }

    @Tag("matrix")
    @Test
    @DisplayName("is told apart if it is a cluster that is not ready")
    void notReady() {
        try (RedisCluster cluster = RedisCluster.unformed()) {
            assertUnavailable(cluster.uri(), "not ready", "0 of 16384", "CLUSTER NODES");
            cluster.form();
            open(cluster.uri());
            cluster.masters().forEach(master -> master.ask("CLUSTER", "DELSLOTS", "7"));
            assertUnavailable(cluster.uri(), "not ready", "16383 of 16384");
            cluster.nodes().forEach(node -> node.ask("CONFIG", "SET", "cluster-require-full-coverage", "no"));
            await().until(() -> cluster.nodes().stream()
                    .allMatch(node -> node.ask("CLUSTER", "INFO").contains("cluster_state:ok")));
            assertUnavailable(cluster.uri(), "not ready", "its state is ok", "16383 of 16384");
        }
    }
}

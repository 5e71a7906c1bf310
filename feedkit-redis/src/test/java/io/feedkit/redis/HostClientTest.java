package io.feedkit.redis;

import static io.feedkit.redis.TestInboxes.deliver;
import static io.feedkit.redis.TestInboxes.live;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Outcome;
import io.feedkit.spi.InboxLimits;
import io.feedkit.testservers.RedisCluster;
import io.feedkit.testservers.RedisProgram;
import io.feedkit.testservers.RedisSentinels;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.RedisClusterURIUtil;
import io.lettuce.core.protocol.ProtocolVersion;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("Stores on a client of the host's")
class HostClientTest {

    private static final InboxLimits LIMITS = new InboxLimits(10, 60_000);

    private static <B extends ClientOptions.Builder> B safe(B options) {
        options.disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS).replayFilter(command -> true);
        return options;
    }

    private static void assertWorks(RedisInboxes.Builder builder) {
        try (RedisInboxes inboxes = builder.prefix(TestInboxes.newPrefix())
                .timeout(Duration.ofSeconds(5))
                .build()) {
            Inbox inbox = inboxes.inbox(LIMITS);
            for (String reader : List.of("ann", "bea", "cid", "dan")) {
                live(inbox, reader);
                assertThat(deliver(inbox, reader, Post.of("bob", "1", 1))).isEqualTo(Outcome.ADDED);
            }
        }
    }

    private static void assertWorks(RedisFeedStore.Builder builder) {
        try (RedisFeedStore store = builder.prefix(TestInboxes.newPrefix())
                        .timeout(Duration.ofSeconds(5))
                        .build();
                FeedEngine engine = FeedEngine.builder(store)
                        .workers(0)
                        .policy(FanoutPolicy.hybrid(3))
                        .build()) {
            for (String reader : List.of("ann", "bea", "cid", "dan")) {
                engine.follow(reader, "pulled");
                engine.follow(reader, reader + "s-friend");
                engine.read(reader, PageRequest.first(10));
            }
            Post pulled = engine.publish("pulled", "1").post();
            Post pushed = engine.publish("anns-friend", "2").post();
            engine.fanout().drain();
            assertThat(engine.read("ann", PageRequest.first(10)).items()).containsExactlyInAnyOrder(pulled, pushed);
            assertThat(engine.read("dan", PageRequest.first(10)).items()).containsExactly(pulled);
        }
    }

    @Test
    @DisplayName("work, with either protocol, and leave it open")
    void single() {
        assertWorks(TestInboxes.uri());
    }

    @Tag("matrix")
    @Test
    @DisplayName("work behind sentinels, with either protocol, and leave it open")
    void sentinels() {
        assertWorks(
                RedisURI.create(RedisSentinels.shared(RedisProgram.embedded()).uri()));
    }

    private static void assertWorks(RedisURI uri) {
        RedisClient client = RedisClient.create(uri);
        try {
            for (ProtocolVersion protocol : ProtocolVersion.values()) {
                client.setOptions(
                        safe(ClientOptions.builder()).protocolVersion(protocol).build());
                assertWorks(RedisInboxes.builder(RedisServers.of(client)));
                assertWorks(RedisFeedStore.builder(RedisServers.of(client)));
            }
            assertThat(client.connect().sync().ping()).isEqualTo("PONG");
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(5));
        }
    }

    @Tag("matrix")
    @Test
    @DisplayName("work in a cluster, and leave it open")
    void cluster() {
        RedisClusterClient client = RedisClusterClient.create(RedisClusterURIUtil.toRedisURIs(
                URI.create(RedisCluster.shared(RedisProgram.embedded()).uri().replace("redis-cluster", "redis"))));
        try {
            client.setOptions(safe(ClusterClientOptions.builder()).build());
            assertWorks(RedisInboxes.builder(RedisServers.of(client)));
            assertWorks(RedisFeedStore.builder(RedisServers.of(client)));
            assertThat(client.connect().sync().ping()).isEqualTo("PONG");
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(5));
        }
    }

    static Stream<Consumer<ClientOptions.Builder>> unsafe() {
        return Stream.of(
                options -> options.disconnectedBehavior(DisconnectedBehavior.DEFAULT),
                options -> options.disconnectedBehavior(DisconnectedBehavior.ACCEPT_COMMANDS),
                options -> options.replayFilter(command -> false),
                options -> options.autoReconnect(false));
    }

    @ParameterizedTest
    @MethodSource("unsafe")
    @DisplayName("are refused if it would send commands twice, or not connect again")
    void unsafe(Consumer<ClientOptions.Builder> change) {
        RedisClient client = RedisClient.create(TestInboxes.uri());
        RedisClusterClient cluster = RedisClusterClient.create(TestInboxes.uri());
        try {
            ClientOptions.Builder options = safe(ClientOptions.builder());
            ClusterClientOptions.Builder clusterOptions = safe(ClusterClientOptions.builder());
            change.accept(options);
            change.accept(clusterOptions);
            client.setOptions(options.build());
            cluster.setOptions(clusterOptions.build());
            for (Runnable builder : List.<Runnable>of(
                    () -> RedisInboxes.builder(RedisServers.of(client)),
                    () -> RedisInboxes.builder(RedisServers.of(cluster)))) {
                assertThatThrownBy(builder::run)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("client must not")
                        .hasMessageContaining("set in its ClientOptions");
            }
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(5));
            cluster.shutdown(Duration.ZERO, Duration.ofSeconds(5));
        }
    }

    @Test
    @DisplayName("are refused if it would not notice a failover, has Lettuce's default options, or no"
            + " address; and take no other threads")
    void refused() {
        RedisClusterClient cluster = RedisClusterClient.create(TestInboxes.uri());
        RedisClient client = RedisClient.create();
        try {
            assertThatThrownBy(() -> RedisInboxes.builder(RedisServers.of(client)))
                    .hasMessageContaining("REJECT_COMMANDS");
            cluster.setOptions(safe(ClusterClientOptions.builder())
                    .topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
                            .disableAllAdaptiveRefreshTriggers()
                            .build())
                    .build());
            assertThatThrownBy(() -> RedisInboxes.builder(RedisServers.of(cluster)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("topologyRefreshOptions");
            client.setOptions(safe(ClientOptions.builder()).build());
            RedisInboxes.Builder builder = RedisInboxes.builder(RedisServers.of(client));
            assertThatThrownBy(() -> builder.resources(TestInboxes.resources()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("resources");
            assertThatThrownBy(builder::build)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("RedisURI");
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(5));
            cluster.shutdown(Duration.ZERO, Duration.ofSeconds(5));
        }
    }
}

package io.feedkit.redis;

import static io.feedkit.redis.StartWithoutServerSupport.LIMITS;
import static io.feedkit.redis.StartWithoutServerSupport.assertUnavailable;
import static io.feedkit.redis.StartWithoutServerSupport.awaitUnavailable;
import static io.feedkit.redis.StartWithoutServerSupport.awaitWorks;
import static io.feedkit.redis.StartWithoutServerSupport.callAll;
import static io.feedkit.redis.StartWithoutServerSupport.without;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.spi.Inbox;
import io.feedkit.testservers.RedisCluster;
import io.feedkit.testservers.RedisSentinels;
import io.feedkit.testservers.RedisServer;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("matrix")
@DisplayName("Inboxes that start without all of their servers")
@Timeout(600)
class StartWithoutServersTest {

    private final StartWithoutServerSupport late = new StartWithoutServerSupport();

    @Test
    @DisplayName(
            "of a cluster connect when it has all its masters, and leave nothing behind of attempts that reached some")
    void cluster() {
        try (RedisCluster cluster = RedisCluster.start()) {
            List<RedisServer> nodes = cluster.nodes();
            nodes.forEach(RedisServer::kill);
            try (RedisInboxes inboxes = without(cluster.uri())) {
                Inbox inbox = inboxes.inbox(LIMITS);
                assertUnavailable(inbox, "127.0.0.1:" + nodes.get(0).port(), "refused");
                nodes.get(0).restart();
                awaitUnavailable(inbox, "the cluster is not ready");
                nodes.subList(1, nodes.size()).forEach(RedisServer::restart);
                cluster.awaitHealthy();
                awaitWorks(inbox);
                assertThat(inbox.deliveriesSafeSince()).isPositive();
                callAll(inbox);
                late.awaitOneClient();
            }
        }
        late.assertNoThreadsLeft();
    }

    @Test
    @DisplayName("of a cluster are closed while it is not ready, and leave no thread")
    void closed() {
        try (RedisCluster cluster = RedisCluster.unformed()) {
            RedisInboxes inboxes = without(cluster.uri());
            assertUnavailable(inboxes.inbox(LIMITS), "the cluster is not ready");
            StartWithoutServerSupport.closePromptly(inboxes);
            late.assertNoThreadsLeft();
        }
    }

    @Test
    @DisplayName("of a cluster connect on a client of the host's, and leave it open")
    void hostsClient() {
        try (RedisCluster cluster = RedisCluster.unformed()) {
            RedisClusterClient client =
                    RedisClusterClient.create(cluster.nodes().get(0).uri());
            try {
                ClusterClientOptions.Builder options =
                        ClusterClientOptions.builder().disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS);
                options.replayFilter(command -> true);
                client.setOptions(options.build());
                try (RedisInboxes inboxes = RedisInboxes.builder(RedisServers.of(client))
                        .startWithoutServer(true)
                        .build()) {
                    Inbox inbox = inboxes.inbox(LIMITS);
                    assertUnavailable(inbox, "host's client");
                    cluster.form();
                    awaitWorks(inbox);
                }
                assertThat(client.connect().sync().ping()).isEqualTo("PONG");
            } finally {
                client.shutdown(Duration.ZERO, Duration.ofSeconds(5));
            }
        }
        late.assertNoThreadsLeft();
    }

    @Test
    @DisplayName("behind sentinels connect when these are there and know a master that runs")
    void sentinels() {
        try (RedisSentinels servers = RedisSentinels.start()) {
            servers.bePatient();
            RedisServer master = servers.master();
            RedisServer replica = servers.replica();
            List.of(master, replica).forEach(RedisServer::kill);
            servers.sentinels().forEach(RedisServer::kill);
            try (RedisInboxes inboxes = without(servers.uri())) {
                Inbox inbox = inboxes.inbox(LIMITS);
                assertUnavailable(
                        inbox, "127.0.0.1:" + servers.sentinels().get(0).port(), "refused");
                servers.sentinels().forEach(RedisServer::restart);
                awaitUnavailable(inbox, ":" + master.port(), "refused");
                master.restart();
                awaitWorks(inbox);
                assertThat(inbox.deliveriesSafeSince()).isPositive();
            }
        }
        late.assertNoThreadsLeft();
    }
}

package io.feedkit.redis;

import static io.feedkit.redis.TestInboxes.live;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.feedkit.StoreUnavailableException;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.InboxLimits;
import io.feedkit.testservers.Durability;
import io.feedkit.testservers.RedisCluster;
import io.feedkit.testservers.RedisServer;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("The time since which inboxes in Redis can be trusted")
@Timeout(300)
class TrustedSinceTest {

    private static final InboxLimits LIMITS = new InboxLimits(1000, 3_600_000);
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private static long awaitHigherThan(long before, Inbox inbox) {
        return await().atMost(LIMIT).ignoreExceptions().until(inbox::trustedSince, now -> now > before);
    }

    @Test
    @DisplayName("is not known while the server is gone, and that of its return afterwards")
    void restarted() {
        try (RedisServer server = RedisServer.start(Durability.DURABLE);
                RedisInboxes inboxes = RedisInboxes.create(RedisServers.at(server.uri()))) {
            Inbox inbox = inboxes.inbox(LIMITS);
            assertThat(inbox.trustedSince()).isZero();
            live(inbox, "ann");
            assertThat(inbox.trustedSince()).isZero();

            server.kill();
            assertThatThrownBy(inbox::trustedSince).isInstanceOf(StoreUnavailableException.class);
            long gone = System.currentTimeMillis();
            server.restart();
            long first = awaitHigherThan(0, inbox);
            assertThat(first).isBetween(gone, System.currentTimeMillis());
            assertThat(inbox.trustedSince()).isEqualTo(first);

            server.kill();
            server.restart();
            assertThat(awaitHigherThan(first, inbox)).isLessThanOrEqualTo(System.currentTimeMillis());
        }
    }

    @Test
    @DisplayName("is that of the clock that a test sets")
    void setClock() {
        try (RedisServer server = RedisServer.start(Durability.FAST);
                TestInboxes inboxes = new TestInboxes(server.uri())) {
            Inbox inbox = inboxes.inbox(LIMITS);
            assertThat(inbox.trustedSince()).isZero();
            server.kill();
            server.restart();
            assertThat(awaitHigherThan(0, inbox)).isEqualTo(inboxes.clock().millis());
        }
    }

    @Tag("survival")
    @Test
    @DisplayName("stays when slots of a cluster move, and rises when a replica takes its master's place")
    void cluster() {
        try (RedisCluster cluster = RedisCluster.start();
                RedisInboxes inboxes = RedisInboxes.create(RedisServers.at(cluster.uri()))) {
            Inbox inbox = inboxes.inbox(LIMITS);
            assertThat(inbox.trustedSince()).isZero();
            RedisServer victim = cluster.masters().get(0);
            int slot = cluster.slotOf("feedkit:{00}:");
            RedisServer other = cluster.masters().stream()
                    .filter(master -> master.port() != cluster.owner(slot).port())
                    .findFirst()
                    .orElseThrow();
            cluster.move(slot, other);
            assertThat(inbox.trustedSince()).isZero();

            victim.kill();
            long first = awaitHigherThan(0, inbox);
            victim.restart();
            cluster.awaitHealthy();
            assertThat(inbox.trustedSince()).isEqualTo(first);
        }
    }
}

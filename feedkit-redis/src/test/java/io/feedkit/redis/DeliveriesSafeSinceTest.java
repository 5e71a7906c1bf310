package io.feedkit.redis;

import static io.feedkit.redis.TestInboxes.live;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.feedkit.Post;
import io.feedkit.StoreUnavailableException;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Delivery;
import io.feedkit.spi.InboxLimits;
import io.feedkit.testservers.Durability;
import io.feedkit.testservers.RedisCluster;
import io.feedkit.testservers.RedisServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("The time since which inboxes in Redis can be trusted")
@Timeout(300)
class DeliveriesSafeSinceTest {

    private static final InboxLimits LIMITS = new InboxLimits(1000, 3_600_000);
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private static final Duration NOTICED = Duration.ofMillis(Inbox.LOSS_NOTICED_WITHIN_MILLIS);
    private static final Delivery TO_ANN = new Delivery(Post.of("bob", "p1", 1), List.of("ann"), 0);

    private static long awaitHigherThan(long before, Inbox inbox) {
        return await().atMost(LIMIT).ignoreExceptions().until(inbox::deliveriesSafeSince, now -> now > before);
    }

    @Test
    @DisplayName("is not known while the server is gone, and that of its return afterwards")
    void restarted() {
        try (RedisServer server = RedisServer.start(Durability.DURABLE);
                RedisInboxes inboxes = RedisInboxes.create(RedisServers.at(server.uri()))) {
            Inbox inbox = inboxes.inbox(LIMITS);
            assertThat(inbox.deliveriesSafeSince()).isZero();
            live(inbox, "ann");
            assertThat(inbox.deliveriesSafeSince()).isZero();

            server.kill();
            assertThatThrownBy(inbox::deliveriesSafeSince).isInstanceOf(StoreUnavailableException.class);
            long gone = System.currentTimeMillis();
            server.restart();
            long first = awaitHigherThan(0, inbox);
            assertThat(first).isBetween(gone, System.currentTimeMillis());
            assertThat(inbox.deliveriesSafeSince()).isEqualTo(first);

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
            assertThat(inbox.deliveriesSafeSince()).isZero();
            server.kill();
            server.restart();
            assertThat(awaitHigherThan(0, inbox)).isEqualTo(inboxes.clock().millis());
        }
    }

    @Test
    @DisplayName("is the same for all processes, whenever they notice and whenever they start")
    void shared() {
        try (RedisServer server = RedisServer.start(Durability.DURABLE);
                RedisInboxes first = RedisInboxes.create(RedisServers.at(server.uri()));
                RedisInboxes second = RedisInboxes.create(RedisServers.at(server.uri()))) {
            Inbox early = first.inbox(LIMITS);
            Inbox late = second.inbox(LIMITS);
            assertThat(early.deliveriesSafeSince()).isZero();
            assertThat(late.deliveriesSafeSince()).isZero();
            live(late, "ann");
            late.deliver(List.of(TO_ANN));
            server.kill();
            server.restart();
            long lost = awaitHigherThan(0, early);
            assertThat(awaitHigherThan(0, late)).isEqualTo(lost);
            try (RedisInboxes third = RedisInboxes.create(RedisServers.at(server.uri()))) {
                assertThat(third.inbox(LIMITS).deliveriesSafeSince()).isEqualTo(lost);
            }
        }
    }

    @Test
    @DisplayName(
            "is a later one if a process noticed late, and went on delivering: to a server that was replaced, maybe")
    void late() {
        try (RedisServer server = RedisServer.start(Durability.FAST);
                TestInboxes inboxes = new TestInboxes(server.uri())) {
            Inbox early = inboxes.inbox(LIMITS);
            Inbox late = inboxes.inbox(LIMITS);
            assertThat(early.deliveriesSafeSince()).isZero();
            assertThat(late.deliveriesSafeSince()).isZero();
            late.deliver(List.of(TO_ANN));
            server.kill();
            server.restart();
            long lost = awaitHigherThan(0, early);
            inboxes.clock().advance(NOTICED.plus(Duration.ofMinutes(1)));
            late.deliver(List.of(TO_ANN));
            assertThat(late.deliveriesSafeSince())
                    .isEqualTo(inboxes.clock().millis())
                    .isGreaterThan(lost);
            assertThat(early.deliveriesSafeSince()).isEqualTo(inboxes.clock().millis());
        }
    }

    @Test
    @DisplayName("is the first one if a process noticed late, but has delivered nothing since")
    void lateAndIdle() {
        try (RedisServer server = RedisServer.start(Durability.FAST);
                TestInboxes inboxes = new TestInboxes(server.uri())) {
            Inbox early = inboxes.inbox(LIMITS);
            Inbox late = inboxes.inbox(LIMITS);
            assertThat(early.deliveriesSafeSince()).isZero();
            assertThat(late.deliveriesSafeSince()).isZero();
            server.kill();
            server.restart();
            long lost = awaitHigherThan(0, early);
            inboxes.clock().advance(NOTICED);
            late.deliver(List.of(TO_ANN));
            assertThat(late.deliveriesSafeSince()).isEqualTo(lost);
        }
    }

    @Test
    @DisplayName("rises with each loss, though the clock stands still")
    void sameMillisecond() {
        try (RedisServer server = RedisServer.start(Durability.FAST);
                TestInboxes inboxes = new TestInboxes(server.uri())) {
            Inbox inbox = inboxes.inbox(LIMITS);
            assertThat(inbox.deliveriesSafeSince()).isZero();
            server.kill();
            server.restart();
            long first = awaitHigherThan(0, inbox);
            server.kill();
            server.restart();
            assertThat(awaitHigherThan(first, inbox)).isEqualTo(first + 1);
        }
    }

    @Tag("survival")
    @Test
    @DisplayName("stays when slots of a cluster move, and rises when a replica takes its master's place")
    void cluster() {
        try (RedisCluster cluster = RedisCluster.start();
                RedisInboxes inboxes = RedisInboxes.create(RedisServers.at(cluster.uri()))) {
            Inbox inbox = inboxes.inbox(LIMITS);
            assertThat(inbox.deliveriesSafeSince()).isZero();
            RedisServer victim = cluster.masters().get(0);
            int slot = cluster.slotOf("feedkit:{00}:");
            RedisServer other = cluster.masters().stream()
                    .filter(master -> master.port() != cluster.owner(slot).port())
                    .findFirst()
                    .orElseThrow();
            cluster.move(slot, other);
            assertThat(inbox.deliveriesSafeSince()).isZero();

            victim.kill();
            long first = awaitHigherThan(0, inbox);
            victim.restart();
            cluster.awaitHealthy();
            assertThat(inbox.deliveriesSafeSince()).isEqualTo(first);
        }
    }
}

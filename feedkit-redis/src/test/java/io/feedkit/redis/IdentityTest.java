package io.feedkit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.feedkit.FeedEngine;
import io.feedkit.ForeignStoreException;
import io.feedkit.PageRequest;
import io.feedkit.StoreUnavailableException;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.InboxLimits;
import io.feedkit.testservers.Durability;
import io.feedkit.testservers.FaultyProxy;
import io.feedkit.testservers.RedisServer;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Identities in Redis")
class IdentityTest {

    private static final String FORMAT = "feedkit:{t0}:format";
    private static final InboxLimits LIMITS = new InboxLimits(10, 3_600_000);

    private final RedisServer server = RedisServer.start(Durability.FAST);

    @AfterEach
    void close() {
        server.close();
    }

    private RedisServers servers() {
        return RedisServers.at(server.uri());
    }

    private RedisFeedStore store() {
        return RedisFeedStore.create(servers());
    }

    @Test
    @DisplayName("are made once for a source of truth, and are others under another prefix")
    void ofSourceOfTruth() {
        String identity;
        try (RedisFeedStore store = store()) {
            identity = store.outbox().identity();
            assertThat(store.outboxForFollowers().identity()).isEqualTo(identity);
        }
        try (RedisFeedStore store = store();
                RedisFeedStore other =
                        RedisFeedStore.builder(servers()).prefix("other").build()) {
            assertThat(store.outbox().identity()).isEqualTo(identity);
            assertThat(other.outbox().identity()).isNotEqualTo(identity);
        }
        assertThat(server.ask("HGET", FORMAT, "truth.identity")).isEqualTo(identity);
    }

    @Test
    @DisplayName("of inboxes are kept for later processes, until the server is emptied or the inboxes are adopted")
    void ofInboxes() {
        InMemoryFeedStore truth = InMemoryFeedStore.create();
        try (RedisInboxes inboxes = RedisInboxes.create(servers())) {
            inboxes.inbox(LIMITS).claim("one");
        }
        try (RedisInboxes inboxes = RedisInboxes.create(servers())) {
            Inbox inbox = inboxes.inbox(LIMITS);
            assertThatThrownBy(() -> inbox.claim("two"))
                    .isInstanceOf(ForeignStoreException.class)
                    .hasMessageContaining(FORMAT);
            assertThat(RedisInboxes.builder(servers()).adopt(truth.outbox())).hasValue("one");
            inbox.claim(truth.outbox().identity());
            assertThatThrownBy(() -> inbox.claim("one")).isInstanceOf(ForeignStoreException.class);
            server.ask("FLUSHALL");
            inbox.claim("two");
            assertThat(server.ask("HGET", FORMAT, "inbox.identity")).isEqualTo("two");
            server.ask("FLUSHALL");
            assertThat(RedisInboxes.builder(servers()).adopt(truth.outbox())).isEmpty();
        }
    }

    @Test
    @DisplayName("of inboxes are not taken from the source of truth under the same prefix")
    void inboxesOfStore() {
        try (RedisFeedStore store = store();
                RedisInboxes inboxes = RedisInboxes.create(servers());
                FeedEngine feed = FeedEngine.builder(store).workers(0).build()) {
            feed.follow("ann", "bob");
            assertThatThrownBy(() -> inboxes.inbox(LIMITS).claim("sql")).isInstanceOf(ForeignStoreException.class);
        }
    }

    @Test
    @DisplayName("are new for a copied source of truth, and its inboxes go with it")
    void newIdentity() {
        String before;
        try (RedisFeedStore store = store();
                FeedEngine feed = FeedEngine.builder(store).workers(0).build()) {
            feed.follow("ann", "bob");
            before = store.outbox().identity();
        }
        String identity = RedisFeedStore.builder(servers()).newIdentity();
        assertThat(identity).isNotEqualTo(before);
        try (RedisFeedStore store = store();
                FeedEngine feed = FeedEngine.builder(store).workers(0).build()) {
            assertThat(store.outbox().identity()).isEqualTo(identity);
            assertThat(feed.isFollowing("ann", "bob")).isTrue();
            assertThat(feed.read("ann", PageRequest.first(1)).items()).isEmpty();
        }
    }

    @Test
    @DisplayName("are agreed upon again by engines whose source of truth was emptied, whichever comes first")
    void emptiedSourceOfTruth() {
        for (boolean runningFirst : new boolean[] {true, false}) {
            try (RedisFeedStore store = store();
                    FeedEngine running = FeedEngine.builder(store).workers(0).build()) {
                running.follow("ann", "bob");
                server.ask("FLUSHALL");
                if (runningFirst) {
                    store.inbox(LIMITS).claim(store.outbox().identity());
                }
                try (RedisFeedStore later = store();
                        FeedEngine started =
                                FeedEngine.builder(later).workers(0).build()) {
                    store.inbox(LIMITS).claim(store.outbox().identity());
                    started.follow("ann", "cat");
                    running.follow("ann", "bob");
                    assertThat(started.isFollowing("ann", "bob")).isTrue();
                }
            }
        }
    }

    @Test
    @DisplayName("are checked while the server takes no writes, but for the first claim")
    void readOnly() {
        try (RedisInboxes inboxes = RedisInboxes.create(servers())) {
            Inbox inbox = inboxes.inbox(LIMITS);
            server.ask("CONFIG", "SET", "min-replicas-to-write", "1");
            assertThatThrownBy(() -> inbox.claim("one"))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("NOREPLICAS");
            server.ask("CONFIG", "SET", "min-replicas-to-write", "0");
            inbox.claim("one");
            server.ask("CONFIG", "SET", "min-replicas-to-write", "1");
            inbox.claim("one");
            assertThatThrownBy(() -> inbox.claim("two")).isInstanceOf(ForeignStoreException.class);
        }
    }

    @Test
    @DisplayName("are asked for in bounded time: an engine starts beside a server that hangs, and checks later")
    void hanging() {
        InMemoryFeedStore truth = InMemoryFeedStore.create();
        try (FaultyProxy proxy = FaultyProxy.before(server.port());
                RedisInboxes inboxes = RedisInboxes.builder(RedisServers.at("redis://127.0.0.1:" + proxy.port()))
                        .timeout(Duration.ofMillis(300))
                        .build()) {
            proxy.blackHole(FaultyProxy.Direction.REQUESTS);
            try (FeedEngine feed = FeedEngine.builder(
                            FeedStore.of(truth.outbox(), inboxes::inbox, truth.graph(), truth.seenMarks()))
                    .workers(0)
                    .build()) {
                assertThatThrownBy(() -> feed.follow("ann", "bob")).isInstanceOf(StoreUnavailableException.class);
                proxy.pass();
                server.ask("HSET", FORMAT, "inbox.identity", "other");
                // Calls fail at once until the server has answered something.
                await().untilAsserted(() -> assertThatThrownBy(() -> feed.follow("ann", "bob"))
                        .isInstanceOf(StoreUnavailableException.class)
                        .hasMessageContaining("belong to the source of truth \"other\""));
            }
        }
    }
}

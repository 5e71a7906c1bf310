package io.feedkit.examples.guides;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.FeedEngine;
import io.feedkit.FeedKitException;
import io.feedkit.OutcomeUnknownException;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.Published;
import io.feedkit.StoreUnavailableException;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.redis.RedisFeedStore;
import io.feedkit.redis.RedisInboxes;
import io.feedkit.redis.RedisServers;
import io.feedkit.spi.FeedStore;
import io.feedkit.testservers.Durability;
import io.feedkit.testservers.RedisServer;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the guide to Redis shows. Each part between "guide" and "end" is a block of its code. */
@DisplayName("The guide to Redis")
@Timeout(120)
class RedisGuideTest {

    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final PageRequest FIRST = PageRequest.first(20);
    private static final Post POST = new Post("bob", "post-1", Instant.parse("2026-01-01T00:00:00Z"));

    private static boolean isFollowing(RedisServers servers, String prefix) {
        try (RedisFeedStore store =
                        RedisFeedStore.builder(servers).prefix(prefix).build();
                FeedEngine feed = FeedEngine.builder(store).workers(0).build()) {
            return feed.isFollowing("alice", "bob");
        }
    }

    @Test
    @DisplayName("keeps everything in Redis, under a prefix")
    void everything() {
        String redis = RedisServer.shared().uri();
        // guide
        RedisServers servers = RedisServers.at(redis); // such as "redis://feeds.internal:6379"
        try (RedisFeedStore store =
                        RedisFeedStore.builder(servers).prefix("shop-prod").build();
                FeedEngine feed = FeedEngine.builder(store).build()) {
            feed.follow("alice", "bob");
        }
        // end
        assertThat(isFollowing(servers, "shop-prod")).isTrue();
        assertThat(isFollowing(servers, "shop-staging")).isFalse();
    }

    private static void awaitReplica(RedisServer master) {
        await().atMost(LONGEST).until(() -> master.ask("INFO", "replication").contains("state=online"));
    }

    @Test
    @Tag("matrix")
    @DisplayName("acknowledges a post when a replica has it; without a replica, the post is written all the same")
    void replicas() {
        try (RedisServer master = RedisServer.start(Durability.FAST);
                RedisServer replica = RedisServer.start(
                        Durability.FAST, "--replicaof", "127.0.0.1", Integer.toString(master.port()))) {
            awaitReplica(master);
            RedisServers servers = RedisServers.at(master.uri());
            // guide
            RedisFeedStore store = RedisFeedStore.builder(servers).replicas(1).build();
            // end
            try (store;
                    FeedEngine feed = FeedEngine.builder(store).workers(0).build()) {
                assertThat(feed.publish("bob", "post-0").status()).isEqualTo(Published.Status.NEW);
                replica.kill();
                assertThatThrownBy(() -> feed.publish(POST)).isInstanceOf(OutcomeUnknownException.class);
                assertThat(feed.readAuthor("bob", FIRST).items()).contains(POST);
                replica.restart();
                awaitReplica(master);
                assertThat(feed.publish(POST).status()).isEqualTo(Published.Status.SAME);
            }
        }
    }

    @Test
    @DisplayName("starts a node while Redis is down, and uses Redis when it is back")
    void withoutServer() {
        try (HikariDataSource dataSource = GuideDatabase.withFeedKit();
                JdbcFeedStore sql = JdbcFeedStore.create(dataSource);
                RedisServer server = RedisServer.start(Durability.FAST)) {
            server.kill();
            RedisServers servers = RedisServers.at(server.uri());
            // guide
            RedisInboxes inboxes =
                    RedisInboxes.builder(servers).startWithoutServer(true).build();
            // end
            FeedStore store = FeedStore.of(sql.outbox(), inboxes::inbox, sql.graph(), sql.seenMarks());
            try (inboxes;
                    FeedEngine feed = FeedEngine.builder(store).workers(0).build()) {
                assertThat(feed.publish(POST).status()).isEqualTo(Published.Status.NEW);
                assertThat(feed.readAuthor("bob", FIRST).items()).containsExactly(POST);
                assertThat(feed.read("alice", FIRST).items()).isEmpty();
                assertThatThrownBy(() -> feed.follow("alice", "bob")).isInstanceOf(StoreUnavailableException.class);
                server.restart();
                await().atMost(LONGEST)
                        .ignoreExceptionsInstanceOf(FeedKitException.class)
                        .untilAsserted(() -> feed.follow("alice", "bob"));
                assertThat(feed.read("alice", FIRST).items()).containsExactly(POST);
            }
        }
    }

    @Test
    @DisplayName("shows what is tested here, and all of it")
    void isThisOne() throws IOException {
        GuideTexts.assertShown("redis.md", "RedisGuideTest");
    }
}

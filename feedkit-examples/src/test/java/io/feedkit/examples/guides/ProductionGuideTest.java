package io.feedkit.examples.guides;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.health.Health;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.jdbc.JdbcSchema;
import io.feedkit.micrometer.FeedMetrics;
import io.feedkit.redis.RedisInboxes;
import io.feedkit.redis.RedisServers;
import io.feedkit.spi.ComposedStore;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FeedStore;
import io.feedkit.testservers.Durability;
import io.feedkit.testservers.RedisServer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the guide to a production set-up shows. Each part between "guide" and "end" is a block of its code. */
@DisplayName("The guide to a production set-up")
@Timeout(120)
class ProductionGuideTest {

    private static final Duration LONGEST = Duration.ofSeconds(60);

    private static List<String> idsForAnn(FeedEngine feed) {
        return feed.read("ann", PageRequest.first(20)).items().stream()
                .map(Post::id)
                .toList();
    }

    @Test
    @DisplayName("serves feeds from SQL and Redis, switches the policy of all engines, and is ready without Redis")
    void works() throws SQLException {
        String url = GuideDatabase.ofUser("shop");
        try (RedisServer server = RedisServer.start(Durability.FAST)) {
            String redis = server.uri();
            MeterRegistry registry = new SimpleMeterRegistry();
            // guide
            HikariConfig config = new HikariConfig();
            config.setJdbcUrl(url); // such as "jdbc:postgresql://db.internal/shop"
            config.setUsername("shop");
            config.setPassword(System.getenv("DB_PASSWORD"));
            config.setMaximumPoolSize(40); // 2 workers + 32 reads without Redis + 5 publishes + 1 maintenance
            config.setConnectionTimeout(10_000); // milliseconds
            config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
            config.addDataSourceProperty("socketTimeout", "15"); // seconds; above the store's timeout (10 s)
            HikariDataSource dataSource = new HikariDataSource(config);
            JdbcSchema.of(dataSource).upgrade(); // or Flyway; stop old FeedKit versions first

            RedisServers servers = RedisServers.at(redis); // such as "redis://cache.internal:6379"
            FeedMetrics metrics = FeedMetrics.create(registry); // Micrometer's

            ComposedStore store = ComposedStore.of(parts -> {
                JdbcFeedStore sql = parts.add(JdbcFeedStore.create(dataSource));
                RedisInboxes inboxes = parts.add(RedisInboxes.builder(servers)
                        .prefix("shop-prod")
                        .startWithoutServer(true)
                        .build());
                return FeedStore.of(
                        sql.outbox(), inboxes::inbox, sql.graph(), sql.seenMarks(), inboxes.rankSnapshots());
            });
            FeedEngine feed = FeedEngine.builder(store)
                    .name("web-1")
                    .policy(FanoutPolicy.hybrid(100_000))
                    .namedPolicy("relief", FanoutPolicy.hybrid(10_000))
                    .listener(metrics)
                    .build();
            metrics.watch(feed);
            // end
            try (dataSource;
                    store;
                    feed) {
                feed.follow("ann", "bob");
                assertThat(idsForAnn(feed)).isEmpty();
                feed.publish("bob", "post-1");
                await().atMost(LONGEST)
                        .untilAsserted(() -> assertThat(idsForAnn(feed)).containsExactly("post-1"));
                assertThat(server.ask("KEYS", "shop-prod:*")).isNotEmpty();
                assertThat(registry.get("feedkit.dead.letters").gauge().value()).isZero();
                assertThat(registry.get("feedkit.published.posts")
                                .tag("mode", "push")
                                .counter()
                                .count())
                        .isOne();

                FanoutLog log = store.outbox().fanout();
                feed.usePolicyOnAllEngines("relief");
                assertThat(log.policyInUse()).isEqualTo("relief");
                // guide
                feed.usePolicyOnAllEngines("relief");
                feed.useOwnPolicyOnAllEngines(); // back
                // end
                assertThat(log.policyInUse()).isEmpty();

                assertThat(isReady(feed)).isTrue();
                server.kill();
                assertThat(feed.check(Duration.ofSeconds(2))
                                .part(Health.Part.INBOX)
                                .isUp())
                        .isFalse();
                assertThat(isReady(feed)).isTrue();
                assertThat(idsForAnn(feed)).containsExactly("post-1");
            }
        }
    }

    private static boolean isReady(FeedEngine feed) {
        // guide
        Health health = feed.check(Duration.ofSeconds(2));
        boolean ready = health.part(Health.Part.OUTBOX).isUp()
                && health.part(Health.Part.FOLLOW_GRAPH).isUp();
        // end
        return ready;
    }

    @Test
    @DisplayName("shows what is tested here, and all of it")
    void isThisOne() throws IOException {
        GuideTexts.assertShown("production.md", "ProductionGuideTest");
    }
}

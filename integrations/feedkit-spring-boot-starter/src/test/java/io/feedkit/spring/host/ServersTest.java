package io.feedkit.spring.host;

import static io.feedkit.spring.host.HostApplication.runner;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.counter.Reactions;
import io.feedkit.redis.WriteBehindCounterStore;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.spring.InvalidSettingException;
import io.feedkit.spring.actuate.FeedHealth;
import io.feedkit.spring.actuate.FeedHealth.Level;
import io.feedkit.testservers.PostgresServer;
import io.feedkit.testservers.RedisServer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

@DisplayName("Posts in PostgreSQL and inboxes in Redis")
@Timeout(180)
class ServersTest {

    private static final PageRequest FIRST = PageRequest.first(10);

    private static ApplicationContextRunner on(String database, String redis) {
        URI address = URI.create(redis);
        return runner(
                "spring.datasource.url=" + database,
                "spring.data.redis.host=" + address.getHost(),
                "spring.data.redis.port=" + address.getPort(),
                "spring.flyway.enabled=false",
                "spring.liquibase.enabled=false",
                "spring.main.web-application-type=none");
    }

    @Test
    @DisplayName("serve two instances from the settings of Spring alone, and pages go on without Redis")
    void twoInstances() {
        String database = PostgresServer.shared().createDatabase();
        try (RedisServer redis = RedisServer.start()) {
            on(database, redis.uri())
                    .run(first -> on(database, redis.uri()).run(second -> {
                        FeedEngine here = first.getBean(FeedEngine.class);
                        FeedEngine there = second.getBean(FeedEngine.class);
                        here.follow("ann", "bob");
                        assertThat(there.read("ann", FIRST).items()).isEmpty();
                        here.publish("bob", "one");
                        await().atMost(Duration.ofSeconds(30))
                                .untilAsserted(() -> assertThat(
                                                there.read("ann", FIRST).items())
                                        .extracting(Post::id)
                                        .containsExactly("one"));
                        assertThat(redis.ask("DBSIZE")).isNotEqualTo("0");
                        FeedHealth health = first.getBean(FeedHealth.class);
                        assertThat(health.check().level()).isEqualTo(Level.UP);
                        redis.kill();
                        assertThat(health.check().level()).isEqualTo(Level.DEGRADED);
                        assertThat(here.read("ann", FIRST).items()).hasSize(1);
                    }));
        }
    }

    @Test
    @DisplayName("do not start without Redis, unless a property allows it")
    void missingRedis() {
        String database = PostgresServer.shared().createDatabase();
        on(database, "redis://127.0.0.1:1")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasRootCauseInstanceOf(Exception.class)
                        .hasStackTraceContaining("127.0.0.1:1")
                        .hasStackTraceContaining(InvalidSettingException.class.getName())
                        .hasStackTraceContaining("spring.data.redis"));
        on(database, "redis://127.0.0.1:1")
                .withPropertyValues("feedkit.redis.start-without-server=true")
                .run(context -> {
                    FeedEngine feed = context.getBean(FeedEngine.class);
                    feed.publish("bob", "one");
                    assertThat(feed.read("ann", FIRST).items()).isEmpty();
                });
    }

    @Test
    @DisplayName("keep counters in Redis that are written behind, and measure them")
    void writeBehind() {
        String database = PostgresServer.shared().createDatabase();
        on(database, RedisServer.shared().uri())
                .withPropertyValues("feedkit.counters.store=write-behind", "feedkit.redis.prefix=behind")
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .run(context -> {
                    context.getBean(Reactions.class).add("ann", "one");
                    assertThat(context.getBean(CounterStore.class)).isInstanceOf(WriteBehindCounterStore.class);
                    assertThat(context.getBean(MeterRegistry.class).getMeters())
                            .anyMatch(meter -> meter.getId().getName().equals("feedkit.counter.writes"));
                });
    }

    @Test
    @DisplayName("all may be in Redis, by its address alone")
    void everythingInRedis() {
        runner(HostApplication.NOTHING)
                .withPropertyValues(
                        "feedkit.redis.uri=" + RedisServer.shared().uri(),
                        "feedkit.redis.prefix=all",
                        "feedkit.live.bus=redis")
                .run(context -> {
                    FeedEngine feed = context.getBean(FeedEngine.class);
                    feed.follow("ann", "bob");
                    feed.publish("bob", "one");
                    feed.fanout().drain();
                    assertThat(feed.read("ann", FIRST).items()).hasSize(1);
                });
    }
}

package io.feedkit.tools.survival;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.FeedKitException;
import io.feedkit.counter.Counters;
import io.feedkit.jdbc.JdbcCounterStore;
import io.feedkit.jdbc.JdbcSchema;
import io.feedkit.redis.RedisServers;
import io.feedkit.redis.WriteBehindCounterStore;
import io.feedkit.testservers.ChildProcess;
import io.feedkit.testservers.Durability;
import io.feedkit.testservers.PostgresServer;
import io.feedkit.testservers.RedisServer;
import io.feedkit.testservers.survival.Rounds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("Counters in PostgreSQL behind Redis")
@Tag("survival")
class KilledCountersTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int NODES = 2;
    private static final List<String> QUICK_START =
            List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-Xmx128m");

    private final Random random = new Random();
    private final Map<String, Long> added = new HashMap<>();
    private final Map<String, Long> unknown = new HashMap<>();
    private int started;
    private int kills;

    @Test
    @Timeout(600)
    @DisplayName("have every add that was answered, once, while nodes that flush, Redis and the database are killed")
    void killed() {
        try (PostgresServer postgres = PostgresServer.start(Durability.DURABLE);
                RedisServer redis = RedisServer.start(Durability.DURABLE);
                HikariDataSource pool = pool(postgres)) {
            JdbcSchema.of(pool).create();
            List<ChildProcess> nodes = new ArrayList<>();
            try {
                for (int round = Rounds.of(2); round > 0; round--) {
                    while (nodes.size() < NODES) {
                        nodes.add(start(pool.getJdbcUrl(), redis.uri()));
                    }
                    for (ChildProcess node : nodes) {
                        node.awaitLine("added all", LIMIT);
                    }
                    pause();
                    redis.kill();
                    redis.restart();
                    pause();
                    postgres.kill();
                    postgres.restart();
                    pause();
                    ChildProcess victim = nodes.remove(0);
                    victim.kill9();
                    hear(victim);
                    kills += 3;
                }
                nodes.forEach(node -> {
                    node.kill9();
                    hear(node);
                });
            } finally {
                nodes.forEach(ChildProcess::close);
            }
            check(pool, redis);
        }
    }

    private static HikariDataSource pool(PostgresServer postgres) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(postgres.createDatabase());
        config.setMaximumPoolSize(2);
        return new HikariDataSource(config);
    }

    private ChildProcess start(String url, String redis) {
        String name = "node" + started++;
        return ChildProcess.start(CountingNode.class, List.of(url, redis, name), QUICK_START);
    }

    private void pause() {
        long until = System.nanoTime() + random.nextInt(300_000_000);
        await().atMost(LIMIT).pollInterval(Duration.ofMillis(1)).until(() -> System.nanoTime() > until);
    }

    private void hear(ChildProcess node) {
        for (String line : node.output()) {
            String[] words = line.split(" ", -1);
            if (words.length == 2) {
                Map<String, Long> counts = words[0].equals("added") ? added : unknown;
                counts.merge(words[1], 1L, Long::sum);
            }
        }
        // What it did last it may not have said.
        unknown.merge("all", 1L, Long::sum);
        added.keySet().forEach(id -> unknown.putIfAbsent(id, 1L));
    }

    private void check(HikariDataSource pool, RedisServer redis) {
        try (JdbcCounterStore sql = JdbcCounterStore.create(pool);
                WriteBehindCounterStore last = WriteBehindCounterStore.create(RedisServers.at(redis.uri()), sql)) {
            await().atMost(LIMIT)
                    .ignoreExceptionsInstanceOf(FeedKitException.class)
                    .until(() -> last.flush() == 0);
            Counters counters = Counters.of(sql);
            added.forEach((id, count) ->
                    assertThat(counters.get("plays", id)).as(id).isBetween(count, count + unknown.get(id) + 1));
            System.out.printf(
                    "counters behind Redis: kills=%d (a third each of nodes, Redis, PostgreSQL), added=%d, "
                            + "unknown=%d, counted=%d%n",
                    kills, added.get("all"), unknown.get("all"), counters.get("plays", "all"));
        }
        assertThat(added.get("all")).isGreaterThan(100);
    }
}

package io.feedkit.jdbc.survival;

import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.jdbc.PostgresLiveBus;
import io.feedkit.testkit.internal.bus.LiveTraffic;
import io.feedkit.testservers.Durability;
import io.feedkit.testservers.PostgresServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("survival")
@Timeout(120)
@DisplayName("Live feeds whose bus on PostgreSQL")
class LiveBusTest {

    /** Longer than engines wait before they think that the bus is silent. */
    private static final Duration OUTAGE = Duration.ofSeconds(5);

    private static final Duration CALM = Duration.ofSeconds(1);

    /** How long after the last post all posts must have arrived. */
    private static final Duration CATCH_UP = Duration.ofSeconds(8);

    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final PostgresServer server = PostgresServer.start(Durability.FAST);

    private static HikariDataSource pool(String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(4);
        config.setMinimumIdle(1);
        config.setConnectionTimeout(1000);
        config.setValidationTimeout(500);
        return new HikariDataSource(config);
    }

    private static void pause(Duration duration) {
        long end = System.nanoTime() + duration.toNanos();
        while (System.nanoTime() < end) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }

    /** Returns when messages of one bus arrive at the other one. */
    private static void awaitConnected(PostgresLiveBus from, PostgresLiveBus to) {
        List<String> received = new CopyOnWriteArrayList<>();
        to.listen(received::add);
        await().atMost(LIMIT).ignoreExceptions().until(() -> {
            from.send("are you there");
            return received.contains("are you there");
        });
    }

    private void survives(Runnable outage) {
        String url = server.createDatabase();
        try (server;
                HikariDataSource one = pool(url);
                HikariDataSource other = pool(url);
                PostgresLiveBus here = PostgresLiveBus.create(one);
                PostgresLiveBus there = PostgresLiveBus.create(other);
                LiveTraffic traffic = LiveTraffic.start(here, there)) {
            pause(CALM);
            outage.run();
            awaitConnected(here, there);
            awaitConnected(there, here);
            pause(CALM);
            traffic.finish(CATCH_UP);
        }
    }

    @Test
    @DisplayName("is killed and restarted get every post once, and use the bus again")
    void killed() {
        survives(() -> {
            server.kill();
            pause(OUTAGE);
            server.restart();
        });
    }

    @Test
    @DisplayName("is paused get every post once, and use the bus again")
    void paused() {
        survives(() -> {
            server.freeze();
            pause(OUTAGE);
            server.thaw();
        });
    }
}

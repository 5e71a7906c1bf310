package io.feedkit.spring.host.versions;

import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.jdbc.JdbcSchema;
import io.feedkit.spi.FeedStore;
import io.feedkit.testkit.FeedStoreCompatibilityKit;
import io.feedkit.testkit.SettableClock;
import io.feedkit.testservers.PostgresServer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.springframework.jdbc.core.simple.JdbcClient;

@Tag("matrix")
@DisplayName("A store on PostgreSQL, with the versions that Spring Boot manages")
class JdbcWithManagedVersionsTest extends FeedStoreCompatibilityKit {

    private static HikariDataSource pool;
    private static List<String> tables;

    private final SettableClock clock = SettableClock.startingAt(Instant.parse("2026-01-01T00:00:00Z"));
    private final JdbcFeedStore store;

    JdbcWithManagedVersionsTest() {
        store = JdbcFeedStore.builder(pool)
                .clock(clock)
                .maintenanceInterval(Duration.ZERO)
                .build();
    }

    @BeforeAll
    static void connect() {
        pool = new HikariDataSource();
        pool.setJdbcUrl(PostgresServer.shared().createDatabase());
        JdbcSchema.of(pool).upgrade();
        tables = JdbcClient.create(pool)
                .sql("select tablename from pg_tables where tablename like 'feedkit\\_%' and tablename not in (?, ?)")
                .params("feedkit_schema_version", "feedkit_source")
                .query(String.class)
                .list();
    }

    @AfterAll
    static void disconnect() {
        pool.close();
    }

    /** Leaves the version and the identity, which stores remember. */
    @AfterEach
    void empty() {
        store.close();
        JdbcClient jdbc = JdbcClient.create(pool);
        tables.forEach(table -> jdbc.sql("delete from " + table).update());
        jdbc.sql("delete from feedkit_source where part = 'inbox'").update();
    }

    @Override
    protected FeedStore store() {
        return store;
    }

    @Override
    protected void pass(Duration duration) {
        clock.advance(duration);
    }

    @Override
    protected long now() {
        return clock.millis();
    }

    /** The stores' own modules repeat races more often. */
    @Override
    protected int rounds() {
        return 5;
    }
}

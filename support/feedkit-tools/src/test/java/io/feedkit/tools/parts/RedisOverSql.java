package io.feedkit.tools.parts;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.jdbc.JdbcSchema;
import io.feedkit.redis.RedisInboxes;
import io.feedkit.redis.RedisServers;
import io.feedkit.spi.FeedStore;
import io.feedkit.testservers.PostgresServer;
import io.feedkit.testservers.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A store that is composed as the documentation says: inboxes in Redis, everything else in PostgreSQL. The tests of a
 * class use it one after the other. Each empties it and sets another clock: a new store would open connections and
 * parse every statement again, which takes longer than most tests.
 */
final class RedisOverSql implements AutoCloseable {

    /** Far longer than the default, so that a busy machine fails no call; a hang still does. */
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    /** A database of the shared Redis server that other tests do not use. */
    private static final String DATABASE = "/1";

    private final CurrentClock clock = new CurrentClock();
    private final HikariDataSource pool = pool();
    private final RedisClient client = RedisClient.create(RedisServer.shared().uri() + DATABASE);
    private final RedisCommands<String, String> redis = client.connect().sync();
    private final JdbcFeedStore sql;
    private final RedisInboxes inboxes;
    private final String deletes;
    private final FeedStore store;

    RedisOverSql() {
        JdbcSchema.of(pool).create();
        sql = JdbcFeedStore.builder(pool)
                .clock(clock)
                .timeout(TIMEOUT)
                .maintenanceInterval(Duration.ZERO)
                .build();
        inboxes = RedisInboxes.builder(RedisServers.at(RedisServer.shared().uri() + DATABASE))
                .clock(clock)
                .timeout(TIMEOUT)
                .build();
        store = FeedStore.of(sql.outbox(), inboxes::inbox, sql.graph(), sql.seenMarks(), inboxes.rankSnapshots());
        deletes = tables().stream().map(table -> "DELETE FROM " + table).collect(Collectors.joining(";"));
    }

    private static HikariDataSource pool() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(PostgresServer.shared().createDatabase());
        config.setMaximumPoolSize(16);
        config.setMinimumIdle(1);
        return new HikariDataSource(config);
    }

    /** An empty store with this clock; the one before may not be used any more. */
    FeedStore empty(Clock ofTest) {
        clock.current = ofTest;
        redis.flushdb();
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(deletes);
        } catch (SQLException e) {
            throw new IllegalStateException("the tables cannot be emptied", e);
        }
        return store;
    }

    private List<String> tables() {
        List<String> names = new ArrayList<>();
        try (Connection connection = pool.getConnection();
                ResultSet tables = connection
                        .getMetaData()
                        .getTables(null, null, JdbcSchema.DEFAULT_PREFIX + "%", new String[] {"TABLE"})) {
            while (tables.next()) {
                names.add(tables.getString("TABLE_NAME"));
            }
        } catch (SQLException e) {
            throw new IllegalStateException("the tables cannot be listed", e);
        }
        names.remove(JdbcSchema.DEFAULT_PREFIX + "schema_version");
        return names;
    }

    @Override
    public void close() {
        inboxes.close();
        sql.close();
        client.shutdown();
        pool.close();
    }

    /** The clock of the current test. */
    private static final class CurrentClock extends Clock {

        private volatile Clock current = Clock.systemUTC();

        @Override
        public ZoneId getZone() {
            return current.getZone();
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return current.withZone(zone);
        }

        @Override
        public Instant instant() {
            return current.instant();
        }
    }
}

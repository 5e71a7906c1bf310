package io.feedkit.survival.chaos;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.jdbc.JdbcPostArchive;
import io.feedkit.jdbc.JdbcSchema;
import io.feedkit.testservers.Durability;
import io.feedkit.testservers.PostgresServer;
import io.feedkit.testservers.RedisServer;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The servers of a run: posts, inboxes and old posts each have their own.
 *
 * @param postgres the server of the posts
 * @param redis the server of the inboxes
 * @param archive the server of old posts
 * @param database the URL of the posts
 * @param old the URL of old posts
 */
record ChaosServers(PostgresServer postgres, RedisServer redis, PostgresServer archive, String database, String old)
        implements AutoCloseable {

    static ChaosServers start() {
        PostgresServer postgres = PostgresServer.start(Durability.DURABLE);
        PostgresServer archive = PostgresServer.start(Durability.DURABLE);
        ChaosServers servers = new ChaosServers(
                postgres,
                RedisServer.start(Durability.DURABLE),
                archive,
                postgres.createDatabase(),
                archive.createDatabase());
        with(servers.database, pool -> JdbcSchema.of(pool).create());
        with(servers.old, JdbcPostArchive::createTables);
        return servers;
    }

    private static void with(String url, Consumer<HikariDataSource> work) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(1);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            work.accept(pool);
        }
    }

    /** Asks the archive, without a proxy. */
    <T> T onArchive(Function<JdbcPostArchive, T> question) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(old);
        config.setMaximumPoolSize(1);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            return question.apply(JdbcPostArchive.of(pool));
        }
    }

    @Override
    public void close() {
        redis.close();
        archive.close();
        postgres.close();
    }
}

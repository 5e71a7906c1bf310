package io.feedkit.survival.live;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.jdbc.JdbcSchema;
import io.feedkit.testservers.Durability;
import io.feedkit.testservers.PostgresServer;
import io.feedkit.testservers.RedisServer;
import io.feedkit.testservers.TestServer;
import java.util.Optional;
import java.util.Random;

/**
 * The servers of a run. The bus has a server of its own if that is the one that fails; otherwise the seed decides
 * whether there is a bus, and on which of the other servers.
 */
final class Servers implements AutoCloseable {

    private final PostgresServer postgres;
    private final RedisServer redis;
    private final Optional<TestServer> busServer;
    private final String database;
    private final String bus;

    Servers(Scenario scenario, Random random) {
        Durability durability = scenario.isOfStore() ? Durability.DURABLE : Durability.FAST;
        redis = RedisServer.start(durability);
        postgres = PostgresServer.start(durability);
        database = postgres.createDatabase();
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database);
        config.setMaximumPoolSize(1);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            JdbcSchema.of(pool).create();
        }
        if (scenario.isOfRedisBus()) {
            RedisServer own = RedisServer.start(Durability.FAST);
            busServer = Optional.of(own);
            bus = own.uri();
        } else if (scenario.isOfPostgresBus()) {
            PostgresServer own = PostgresServer.start(Durability.FAST);
            busServer = Optional.of(own);
            // A database that the replaced server has, too.
            bus = own.url("postgres");
        } else {
            busServer = Optional.empty();
            bus = switch (random.nextInt(3)) {
                case 0 -> redis.uri();
                case 1 -> database;
                default -> EngineSettings.NO_BUS;
            };
        }
    }

    PostgresServer postgres() {
        return postgres;
    }

    RedisServer redis() {
        return redis;
    }

    /** The server of the bus, if the bus has one of its own. */
    TestServer busServer() {
        return busServer.orElseThrow();
    }

    String database() {
        return database;
    }

    /** The address of the bus, or {@link EngineSettings#NO_BUS}. */
    String bus() {
        return bus;
    }

    /** Which bus there is. */
    String busKind() {
        return bus.equals(EngineSettings.NO_BUS) ? "no bus" : bus.startsWith("redis") ? "Redis bus" : "PostgreSQL bus";
    }

    @Override
    public void close() {
        busServer.ifPresent(TestServer::close);
        redis.close();
        postgres.close();
    }
}

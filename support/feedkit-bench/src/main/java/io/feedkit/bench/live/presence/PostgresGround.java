package io.feedkit.bench.live.presence;

import io.feedkit.bench.jdbc.BenchDatabase;
import io.feedkit.bench.jdbc.Sql;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.spi.PresenceStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.List;
import java.util.Optional;

/** Presence in PostgreSQL, and a table by hand. */
final class PostgresGround implements PresenceGround {

    private final BenchDatabase database = BenchDatabase.open(Optional.empty());
    private final JdbcFeedStore feeds = database.store();
    private final Connection connection = database.connect();

    PostgresGround() {
        database.createTable("hand_online", "(reader varchar(64) PRIMARY KEY, online_until bigint NOT NULL)");
    }

    @Override
    public PresenceStore store() {
        return feeds.presence();
    }

    /** With indexes, dead rows and free space. */
    @Override
    public long bytes() {
        return number("SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relkind = 'r' AND relname LIKE "
                + "'feedkit_bench_%'");
    }

    private long number(String query, Object... parameters) {
        return Sql.call(() -> {
            try (PreparedStatement statement = connection.prepareStatement(database.sql(query))) {
                for (int i = 0; i < parameters.length; i++) {
                    statement.setObject(i + 1, parameters[i]);
                }
                try (ResultSet row = statement.executeQuery()) {
                    row.next();
                    return row.getLong(1);
                }
            }
        });
    }

    @Override
    public HandPresence byHand() {
        return new HandPresence() {
            @Override
            public void report(List<String> readers, long until) {
                Sql.run(() -> {
                    try (PreparedStatement statement = connection.prepareStatement(database.sql("""
                            INSERT INTO ${hand_online} SELECT unnest(?::varchar[]), ? ON CONFLICT (reader)
                                DO UPDATE SET online_until = excluded.online_until"""))) {
                        statement.setArray(1, connection.createArrayOf("varchar", readers.toArray()));
                        statement.setLong(2, until);
                        statement.executeUpdate();
                    }
                });
            }

            @Override
            public int online(List<String> readers) {
                return Sql.call(() -> (int) number(
                        "SELECT count(*) FROM ${hand_online} WHERE reader = ANY(?) AND online_until > ?",
                        connection.createArrayOf("varchar", readers.toArray()),
                        System.currentTimeMillis()));
            }
        };
    }

    @Override
    public void close() {
        Sql.run(connection::close);
        feeds.close();
        database.close();
    }
}

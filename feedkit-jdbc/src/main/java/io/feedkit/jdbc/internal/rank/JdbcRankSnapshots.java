package io.feedkit.jdbc.internal.rank;

import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Dialect;
import io.feedkit.jdbc.internal.sql.Durations;
import io.feedkit.jdbc.internal.sql.ParameterTable;
import io.feedkit.spi.RankSnapshots;
import java.util.Collection;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Update;

/**
 * The orders of ranked feeds: a row for each snapshot in the table {@code rank_snapshot}. A save removes the rows of
 * the reader beyond the newest ones. The maintenance removes expired rows; until then, no query finds them. In
 * PostgreSQL the table is unlogged: a save then waits for no flush, and a crash of the server empties the table.
 */
public final class JdbcRankSnapshots implements RankSnapshots {

    private final Database database;
    private final boolean postgres;
    private final ParameterTable readers = ParameterTable.named("r").text("reader");
    private final String removeOlder;
    private final String insert;
    private final String load;
    private final String forget;
    private final String purge;

    /** Creates the snapshots in a database. */
    public JdbcRankSnapshots(Database database) {
        this.database = database;
        Dialect dialect = database.dialect();
        this.postgres = dialect == Dialect.POSTGRESQL;
        String older = "SELECT name FROM ${rank_snapshot} WHERE reader = :reader AND name <> :name"
                + " ORDER BY saved_at DESC, name DESC";
        String remove = "DELETE FROM ${rank_snapshot} WHERE reader = :reader AND name IN ("
                // MySQL and MariaDB accept the table of the DELETE only in a derived table.
                + (postgres ? older + " OFFSET :kept" : "SELECT o.name FROM (" + older + " LIMIT 1000 OFFSET :kept) o")
                + ")";
        String values = "(:reader, :name, ${now}, ${now} + :lifetime, :posts)";
        String columns = "${rank_snapshot} (reader, name, saved_at, ends_at, posts)";
        removeOlder = database.sql(remove);
        insert = database.sql(
                switch (dialect) {
                    case POSTGRESQL ->
                        "WITH older AS (" + remove + ") INSERT INTO " + columns + " VALUES " + values
                                + " ON CONFLICT (reader, name) DO UPDATE SET saved_at = excluded.saved_at,"
                                + " ends_at = excluded.ends_at, posts = excluded.posts";
                    case H2 -> "MERGE INTO " + columns + " KEY (reader, name) VALUES " + values;
                    case MYSQL, MARIADB -> "REPLACE INTO " + columns + " VALUES " + values;
                });
        load = database.sql(
                "SELECT posts FROM ${rank_snapshot} WHERE reader = :reader AND name = :name AND ends_at > ${now}");
        String forgetReaders = switch (dialect) {
            case POSTGRESQL -> "DELETE FROM ${rank_snapshot} AS s USING %s WHERE s.reader = r.reader";
            case H2 -> "DELETE FROM ${rank_snapshot} WHERE reader IN (SELECT r.reader FROM %s)";
            case MYSQL, MARIADB -> "DELETE s FROM %s STRAIGHT_JOIN ${rank_snapshot} AS s ON s.reader = r.reader";
        };
        forget = database.sql(forgetReaders.formatted(readers.source(dialect)));
        String expired = "${rank_snapshot} WHERE ends_at <= ${now}";
        purge = database.sql(
                postgres
                        ? "DELETE FROM ${rank_snapshot} WHERE (reader, name) IN (SELECT reader, name FROM " + expired
                                + " ORDER BY ends_at LIMIT :limit FOR UPDATE SKIP LOCKED)"
                        : "DELETE FROM " + expired + " LIMIT :limit");
    }

    @Override
    public void save(String reader, String name, byte[] order, long lifetimeMillis) {
        if (postgres) {
            database.statement(
                    "rankSnapshots.save",
                    handle -> insert(handle, reader, name, order, lifetimeMillis)
                            .bind("kept", KEPT - 1)
                            .execute());
            return;
        }
        database.transaction("rankSnapshots.save", handle -> {
            database.update(handle, removeOlder)
                    .bind("reader", reader)
                    .bind("name", name)
                    .bind("kept", KEPT - 1)
                    .execute();
            return database.upsert(
                    () -> insert(handle, reader, name, order, lifetimeMillis).execute());
        });
    }

    private Update insert(Handle handle, String reader, String name, byte[] order, long lifetimeMillis) {
        return database.update(handle, insert)
                .bind("reader", reader)
                .bind("name", name)
                .bind("lifetime", Durations.bounded(lifetimeMillis))
                .bind("posts", order);
    }

    @Override
    public Optional<byte[]> load(String reader, String name) {
        return database.read(
                "rankSnapshots.load",
                handle -> database.query(handle, load)
                        .bind("reader", reader)
                        .bind("name", name)
                        .map((row, context) -> row.getBytes(1))
                        .findOne());
    }

    @Override
    public void forget(Collection<String> unwanted) {
        if (!unwanted.isEmpty()) {
            database.statement(
                    "rankSnapshots.forget", handle -> database.execute(handle, forget, readers.ofIds(unwanted)));
        }
    }

    /** Removes expired rows, at most {@code limit}, and returns their number. */
    public int purge(int limit) {
        return database.statement(
                "rankSnapshots.purge",
                handle -> database.update(handle, purge).bind("limit", limit).execute());
    }
}

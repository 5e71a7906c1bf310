package io.feedkit.jdbc.internal.outbox;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.jdbc.internal.posts.PostRows;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Dialect;
import io.feedkit.jdbc.internal.sql.ParameterTable;
import io.feedkit.jdbc.internal.sql.Tokens;
import io.feedkit.spi.Position;
import io.feedkit.spi.PulledRegister;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jdbi.v3.core.Handle;

/**
 * The register: a row for each pulled author, and one for each post being retracted.
 *
 * <p>Every row carries a random version, new with each change, and the register's version is what they all make together (exclusive or). So it needs no counter, on which
 * all transactions that delete posts would wait for each other, and two equal versions mean the same rows.
 */
public final class JdbcPulledRegister implements PulledRegister {

    private static final ParameterTable ENTRIES = ParameterTable.named("k")
            .text("author")
            .number("oldest_at")
            .text("oldest_id")
            .number("newest_at")
            .text("newest_id")
            .number("version");

    private final Database database;
    private final Tokens tokens = new Tokens();
    private final String version;
    private final String snapshot;
    private final String put;
    private final String remove;
    private final String retracted;

    /** The register in a database. */
    public JdbcPulledRegister(Database database) {
        this.database = database;
        Dialect dialect = database.dialect();
        version = database.sql(
                "SELECT coalesce((SELECT %1$s(version) FROM ${pulled}), 0) AS p, coalesce((SELECT %1$s(version) FROM ${retracting}), 0) AS r"
                        .formatted(dialect == Dialect.H2 ? "bit_xor_agg" : "bit_xor"));
        snapshot = database.sql("""
                SELECT author, NULL AS id, version, oldest_at, oldest_id, newest_at, newest_id FROM ${pulled}
                UNION ALL SELECT author, id, version, NULL, NULL, NULL, NULL FROM ${retracting}""");
        put = database.sql(RegisterUpsert.of(dialect).formatted(ENTRIES.source(dialect)));
        remove = database.sql("DELETE FROM ${pulled} WHERE author = :author AND version = :version");
        retracted = database.sql((switch (dialect) {
                    case POSTGRESQL -> "DELETE FROM ${retracting} r USING %s WHERE r.author = k.author AND r.id = k.id";
                    case H2 -> "DELETE FROM ${retracting} WHERE (author, id) IN (SELECT k.author, k.id FROM %s)";
                    case MYSQL, MARIADB ->
                        "DELETE r FROM %s STRAIGHT_JOIN ${retracting} r ON r.author = k.author AND r.id = k.id";
                })
                .formatted(PostRows.KEYS.source(dialect)));
    }

    private JdbcPulledRegister(JdbcPulledRegister other, Database database) {
        this.database = database;
        this.version = other.version;
        this.snapshot = other.snapshot;
        this.put = other.put;
        this.remove = other.remove;
        this.retracted = other.retracted;
    }

    /** The same register, whose version and snapshot are asked in a transaction of the host's. */
    JdbcPulledRegister readingIn(Connection transaction) {
        return new JdbcPulledRegister(this, database.readingIn(transaction));
    }

    @Override
    public long version() {
        return database.read(
                "pulled.version",
                handle -> database.query(handle, version)
                        .map((row, context) -> row.getLong("p") ^ row.getLong("r"))
                        .one());
    }

    @Override
    public Snapshot snapshot() {
        return database.read("pulled.snapshot", this::snapshot);
    }

    private Snapshot snapshot(Handle handle) {
        Map<String, Entry> pulled = new HashMap<>();
        Set<PostKey> retracting = new HashSet<>();
        List<Long> versions = new ArrayList<>();
        database.query(handle, snapshot)
                .map((row, context) -> {
                    String author = row.getString("author");
                    String id = row.getString("id");
                    if (id == null) {
                        Position oldest = new Position(row.getLong("oldest_at"), row.getString("oldest_id"), author);
                        Position newest = new Position(row.getLong("newest_at"), row.getString("newest_id"), author);
                        pulled.put(author, new Entry(oldest, newest, row.getLong("version")));
                    } else {
                        retracting.add(new PostKey(author, id));
                    }
                    return row.getLong("version");
                })
                .forEach(versions::add);
        return new Snapshot(versions.stream().reduce(0L, (a, b) -> a ^ b), pulled, retracting);
    }

    @Override
    public void put(List<Post> unpushed) {
        if (unpushed.isEmpty()) {
            return;
        }
        Map<String, Entry> entries = new TreeMap<>();
        for (Post post : unpushed) {
            Position position = Position.of(post);
            entries.merge(
                    post.author(),
                    new Entry(position, position, tokens.next()),
                    (a, b) -> new Entry(
                            Position.min(a.oldest(), b.oldest()), Position.max(a.newest(), b.newest()), a.version()));
        }
        database.statement("pulled.put", handle -> put(handle, entries));
    }

    private int put(Handle handle, Map<String, Entry> entries) {
        ParameterTable.Rows rows = ENTRIES.fill();
        entries.forEach((author, entry) -> rows.add(
                author,
                entry.oldest().millis(),
                entry.oldest().id(),
                entry.newest().millis(),
                entry.newest().id(),
                entry.version()));
        return database.upsert(() ->
                rows.bindTo(database.update(handle, put), database.dialect()).execute());
    }

    @Override
    public boolean remove(String author, long expected) {
        return database.statement(
                "pulled.remove",
                handle -> database.update(handle, remove)
                                .bind("author", author)
                                .bind("version", expected)
                                .execute()
                        == 1);
    }

    @Override
    public void retracted(List<PostKey> keys) {
        if (!keys.isEmpty()) {
            database.statement(
                    "pulled.retracted",
                    handle -> PostRows.keys(PostTable.sorted(keys))
                            .bindTo(database.update(handle, retracted), database.dialect())
                            .execute());
        }
    }
}

package io.feedkit.jdbc.internal.register;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.stream.Collectors.toUnmodifiableSet;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.jdbc.internal.posts.PostRows;
import io.feedkit.jdbc.internal.register.ChangeLog.Changes;
import io.feedkit.jdbc.internal.sql.Batches;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Dialect;
import io.feedkit.jdbc.internal.sql.ParameterTable;
import io.feedkit.jdbc.internal.sql.Tokens;
import io.feedkit.spi.Position;
import io.feedkit.spi.PulledRegister;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * The pulled register: a row for each pulled author, and a row for each post being retracted. Authors and posts that
 * left the register are kept for a while in a table of their own, so that an update can report them. A
 * {@link ChangeLog} finds the changes since an earlier update.
 */
public final class JdbcPulledRegister implements PulledRegister {

    private static final ParameterTable ENTRIES = ParameterTable.named("k")
            .text("author")
            .number("oldest_at")
            .text("oldest_id")
            .number("newest_at")
            .text("newest_id")
            .number("version");

    private static final ParameterTable AUTHORS = ParameterTable.named("k").text("author");

    /**
     * If a put takes longer, it has waited for another transaction, and the time of its change may be too old for
     * {@link PortableChangeLog}.
     */
    private static final long LONG_PUT_NANOS = MILLISECONDS.toNanos(PortableChangeLog.MARGIN_MILLIS / 2);

    private final Database database;
    private final Tokens tokens = new Tokens();
    private final ChangeLog changes;
    private final String some;
    private final String whole;
    private final String put;
    private final String remove;
    private final String retracted;
    private final String left;
    private final String forget;

    /** Creates the register of a database. */
    public JdbcPulledRegister(Database database) {
        this.database = database;
        this.changes = ChangeLog.of(database);
        Dialect dialect = database.dialect();
        String number = dialect.isMySql() ? "signed" : "bigint";
        String join = AUTHORS.drivingSource(dialect) + (dialect.isMySql() ? " STRAIGHT_JOIN " : " JOIN ")
                + "%1$s r ON r.author = k.author";
        some = database.sql("SELECT 1 AS kind, r.author, NULL AS id, r.version, r.oldest_at, r.oldest_id, r.newest_at, "
                + "r.newest_id FROM "
                + join.formatted("${pulled}")
                + " UNION ALL SELECT 2, r.author, r.id, 0, CAST(NULL AS " + number + "), NULL, CAST(NULL AS "
                + number + "), NULL FROM "
                + join.formatted("${retracting}"));
        whole = database.sql("(" + RegisterRow.PULLED.formatted("", "${pulled} LIMIT :most") + ") UNION ALL ("
                + RegisterRow.RETRACTING.formatted(number, "", "${retracting} LIMIT :most") + ")");
        put = database.sql(RegisterUpsert.of(dialect).formatted(ENTRIES.source(dialect)));
        boolean postgres = dialect == Dialect.POSTGRESQL;
        String gone = "DELETE FROM ${pulled} WHERE author = :author AND version = :version";
        remove = database.sql(
                postgres
                        ? "WITH gone AS (" + gone
                                + " RETURNING author) INSERT INTO ${unregistered} (author, left_at) SELECT "
                                + "author, ${now} FROM gone"
                        : gone);
        retracted = database.sql((switch (dialect) {
                    case POSTGRESQL ->
                        "WITH gone AS (DELETE FROM ${retracting} r USING %s WHERE r.author = k.author AND r.id = "
                                + "k.id RETURNING r.author, r.id)"
                                + " INSERT INTO ${unregistered} (author, id, left_at) SELECT author, id, ${now} "
                                + "FROM gone";
                    case H2 -> "DELETE FROM ${retracting} WHERE (author, id) IN (SELECT k.author, k.id FROM %s)";
                    case MYSQL, MARIADB ->
                        "DELETE r FROM %s STRAIGHT_JOIN ${retracting} r ON r.author = k.author AND r.id = k.id";
                })
                .formatted(PostRows.KEYS.source(dialect)));
        left = database.sql(
                "INSERT INTO ${unregistered} (author, id, changed, left_at) VALUES (:author, :id, ${written}, "
                        + "${written})");
        forget = database.sql(
                switch (dialect) {
                    case POSTGRESQL ->
                        "DELETE FROM ${unregistered} WHERE number IN (SELECT number FROM ${unregistered} WHERE "
                                + "left_at < :before ORDER BY left_at LIMIT :limit)";
                    case H2, MYSQL, MARIADB -> "DELETE FROM ${unregistered} WHERE left_at < :before LIMIT :limit";
                });
    }

    @Override
    public Update update(Optional<Moment> since, Collection<String> authors, int wholeUpTo) {
        return database.read("pulled.update", handle -> update(handle, since, authors, wholeUpTo));
    }

    private Update update(Handle handle, Optional<Moment> since, Collection<String> authors, int wholeUpTo) {
        Moment known = since.orElse(null);
        Changes changed = changes.since(handle, known);
        if (changed.rows().isPresent()) {
            List<RegisterRow> rows = new ArrayList<>(changed.rows().get());
            rows.addAll(some(handle, authors));
            return collected(changed.moment(), Scope.CHANGES, authors, rows);
        }
        List<RegisterRow> all = wholeUpTo == 0 ? List.of() : whole(handle, wholeUpTo);
        if (wholeUpTo > 0 && all.size() <= wholeUpTo) {
            return collected(changed.moment(), Scope.WHOLE, authors, all);
        }
        return collected(changed.moment(), Scope.AUTHORS, authors, some(handle, authors));
    }

    /**
     * Returns the authors that have entries, through a database that {@linkplain Database#readingIn reads in a
     * transaction} of the host's.
     */
    public Set<String> registered(Database reading, Collection<String> authors) {
        return reading.read("pulled.registered", handle -> some(handle, authors)).stream()
                .filter(row -> row.entry() != null)
                .map(RegisterRow::author)
                .collect(toUnmodifiableSet());
    }

    private List<RegisterRow> some(Handle handle, Collection<String> authors) {
        if (authors.isEmpty()) {
            return List.of();
        }
        return database.query(handle, some, AUTHORS.ofIds(authors))
                .map((row, context) -> RegisterRow.of(row, false))
                .list();
    }

    private List<RegisterRow> whole(Handle handle, int wholeUpTo) {
        return database.query(handle, whole)
                .bind("most", Math.min(wholeUpTo, Integer.MAX_VALUE - 1) + 1)
                .map((row, context) -> RegisterRow.of(row, false))
                .list();
    }

    /** Makes an update from rows. An author or a post that left and came back is present. */
    private static Update collected(Moment moment, Scope scope, Collection<String> authors, List<RegisterRow> rows) {
        Map<String, Optional<Entry>> entries = new HashMap<>();
        Set<PostKey> retracting = new HashSet<>();
        Set<PostKey> ended = new HashSet<>();
        authors.forEach(author -> entries.put(author, Optional.empty()));
        for (RegisterRow row : rows) {
            if (row.left() && row.post().isEmpty()) {
                entries.putIfAbsent(row.author(), Optional.empty());
            }
            if (row.entry() != null) {
                entries.put(row.author(), Optional.of(row.entry()));
            }
            row.post().ifPresent(row.left() ? ended::add : retracting::add);
        }
        ended.removeAll(retracting);
        return new Update(moment, scope, entries, retracting, ended);
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
        long begun = System.nanoTime();
        database.statement("pulled.put", handle -> put(handle, entries));
        if (database.dialect() != Dialect.POSTGRESQL && System.nanoTime() - begun > LONG_PUT_NANOS) {
            database.statement("pulled.put", handle -> put(handle, entries));
        }
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
        if (database.dialect() == Dialect.POSTGRESQL) {
            return database.statement("pulled.remove", handle -> remove(handle, author, expected) == 1);
        }
        return database.transaction("pulled.remove", handle -> {
            boolean removed = remove(handle, author, expected) == 1;
            if (removed) {
                left(handle, List.of(new Departure(author, null)));
            }
            return removed;
        });
    }

    private int remove(Handle handle, String author, long expected) {
        return database.update(handle, remove)
                .bind("author", author)
                .bind("version", expected)
                .execute();
    }

    @Override
    public void retracted(List<PostKey> keys) {
        if (keys.isEmpty()) {
            return;
        }
        List<PostKey> sorted = sorted(keys);
        if (database.dialect() == Dialect.POSTGRESQL) {
            database.statement(
                    "pulled.retracted", handle -> database.execute(handle, retracted, PostRows.keys(sorted)));
        } else {
            database.transaction("pulled.retracted", handle -> {
                int removed = database.execute(handle, retracted, PostRows.keys(sorted));
                if (removed > 0) {
                    left(
                            handle,
                            sorted.stream()
                                    .map(key -> new Departure(key.author(), key.id()))
                                    .toList());
                }
                return removed;
            });
        }
    }

    private static List<PostKey> sorted(List<PostKey> keys) {
        return keys.stream()
                .distinct()
                .sorted(Comparator.comparing(PostKey::author).thenComparing(PostKey::id))
                .toList();
    }

    /** An author, or a post, that leaves the register. */
    private record Departure(String author, @Nullable String id) {}

    private void left(Handle handle, List<Departure> departures) {
        Batches.run(
                database,
                handle,
                left,
                departures,
                (batch, each) -> batch.bind("author", each.author()).bind("id", each.id()));
    }

    /**
     * Deletes the oldest rows of authors and posts that left. Returns the number of deleted rows, at most
     * {@code limit}.
     */
    public int forget(int limit) {
        return database.statement(
                "pulled.forget",
                handle -> database.update(handle, forget)
                        .bind("before", database.now(handle) - 2 * ChangeLog.REMEMBERED_MILLIS)
                        .bind("limit", limit)
                        .execute());
    }
}

package io.feedkit.jdbc.internal.presence;

import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Dialect;
import io.feedkit.jdbc.internal.sql.Durations;
import io.feedkit.jdbc.internal.sql.Joins;
import io.feedkit.jdbc.internal.sql.MultiTransaction;
import io.feedkit.jdbc.internal.sql.ParameterTable;
import io.feedkit.spi.PresenceStore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Presence in SQL: a row for each reader in the table {@code presence}, until the reader may be forgotten. A report
 * that changes nothing writes nothing. Rows are written in the order of readers.
 *
 * <p>The column {@code online_until} has no index, because each report of a connected reader changes it: so PostgreSQL
 * updates such a row without touching an index. A count therefore reads all rows.
 */
public final class JdbcPresenceStore implements PresenceStore {

    /** How many readers one statement reports. */
    private static final int AT_ONCE = 1000;

    /** How many rows the further statements of one page look at, where few readers are online. */
    private static final int ROWS_LOOKED_AT = 500;

    private static final int STATEMENTS_FOR_PAGE = 10;

    private static final ParameterTable REPORTS =
            ParameterTable.named("v").text("reader").number("ago").number("online");
    private static final ParameterTable READERS = ParameterTable.named("r").text("wanted");

    private final Database database;
    private final String report;
    private final String status;
    private final String count;
    private final String list;
    private final String forget;
    private final String purge;

    /** Creates the presence in a database. */
    public JdbcPresenceStore(Database database) {
        this.database = database;
        Dialect dialect = database.dialect();
        Joins joins = new Joins(dialect);
        report = database.sql(upsert(dialect).formatted(reported(dialect)));
        String online = "CASE WHEN p.online_until > ${now} THEN 1 ELSE 0 END";
        status = database.sql("SELECT p.reader, p.last_seen, " + online + " FROM "
                + joins.from(READERS, "${presence} p", "p.reader = r.wanted") + " WHERE p.kept_until > ${now}");
        count = database.sql("SELECT count(*) FROM ${presence} p WHERE p.online_until > ${now}");
        list = database.sql("SELECT p.reader, p.last_seen, " + online + " FROM ${presence} p"
                + " WHERE p.last_seen <= :at AND (p.last_seen < :at OR p.reader < :reader)"
                + " ORDER BY p.last_seen DESC, p.reader DESC LIMIT :limit");
        forget = database.sql(joins.delete(READERS, "${presence}", "p", "p.reader = r.wanted"));
        purge = database.sql(
                dialect == Dialect.POSTGRESQL
                        ? "DELETE FROM ${presence} WHERE reader IN (SELECT reader FROM ${presence} WHERE kept_until <="
                                + " ${now} ORDER BY kept_until LIMIT :limit FOR UPDATE SKIP LOCKED)"
                        : "DELETE FROM ${presence} WHERE kept_until <= ${now} LIMIT :limit");
    }

    /** The reported times of each reader, as a table {@code k}. */
    private static String reported(Dialect dialect) {
        String seen = "greatest(1, t.present - v.ago)";
        String online = "CASE WHEN v.online > 0 THEN t.present + v.online ELSE 0 END";
        String kept = "greatest(" + online + ", " + seen + " + " + dialect.number(":kept") + ")";
        return "(SELECT v.reader, " + seen + " AS seen, " + online + " AS online, " + kept + " AS kept FROM "
                + "(SELECT ${now} AS present) t" + dialect.join() + REPORTS.source(dialect) + " ON 1 = 1) k";
    }

    private static String upsert(Dialect dialect) {
        String insert = "INSERT INTO ${presence}%s (reader, last_seen, online_until, kept_until)"
                + " SELECT k.reader, k.seen, k.online, k.kept FROM %%s ORDER BY k.reader";
        return switch (dialect) {
            case POSTGRESQL ->
                insert.formatted(" AS p")
                        + " ON CONFLICT (reader) DO UPDATE SET last_seen = greatest(p.last_seen, excluded.last_seen),"
                        + " online_until = greatest(p.online_until, excluded.online_until),"
                        + " kept_until = greatest(p.kept_until, excluded.kept_until)"
                        + " WHERE excluded.last_seen > p.last_seen OR excluded.online_until > p.online_until"
                        + " OR excluded.kept_until > p.kept_until";
            case MYSQL, MARIADB ->
                insert.formatted("")
                        + " ON DUPLICATE KEY UPDATE last_seen = greatest(${presence}.last_seen, k.seen),"
                        + " online_until = greatest(${presence}.online_until, k.online),"
                        + " kept_until = greatest(${presence}.kept_until, k.kept)";
            case H2 ->
                "MERGE INTO ${presence} AS p USING (SELECT * FROM %s) AS x ON p.reader = x.reader"
                        + " WHEN MATCHED AND (x.seen > p.last_seen OR x.online > p.online_until"
                        + " OR x.kept > p.kept_until) THEN UPDATE SET last_seen = greatest(p.last_seen, x.seen),"
                        + " online_until = greatest(p.online_until, x.online),"
                        + " kept_until = greatest(p.kept_until, x.kept)"
                        + " WHEN NOT MATCHED THEN INSERT (reader, last_seen, online_until, kept_until)"
                        + " VALUES (x.reader, x.seen, x.online, x.kept)";
        };
    }

    @Override
    public void report(List<Sighting> sightings, long keptMillis) {
        Map<String, Sighting> latest = new TreeMap<>();
        sightings.forEach(each -> latest.merge(each.reader(), each, JdbcPresenceStore::latest));
        List<Sighting> ordered = List.copyOf(latest.values());
        Integer unused = MultiTransaction.run("presence.report", transactions -> {
            for (int from = 0; from < ordered.size(); from += AT_ONCE) {
                transactions.committed(
                        write(ordered.subList(from, Math.min(ordered.size(), from + AT_ONCE)), keptMillis));
            }
            return ordered.size();
        });
    }

    private static Sighting latest(Sighting one, Sighting other) {
        return new Sighting(
                one.reader(),
                Math.min(one.seenAgoMillis(), other.seenAgoMillis()),
                Math.max(one.onlineMillis(), other.onlineMillis()));
    }

    private int write(List<Sighting> sightings, long keptMillis) {
        ParameterTable.Rows rows = REPORTS.fill();
        sightings.forEach(each -> rows.add(
                each.reader(), Durations.bounded(each.seenAgoMillis()), Durations.bounded(each.onlineMillis())));
        return database.statement(
                "presence.report",
                handle -> database.upsert(() -> database.update(handle, report, rows)
                        .bind("kept", Durations.bounded(keptMillis))
                        .execute()));
    }

    /** A row, and whether its reader is online. */
    private record Row(Seen seen, boolean online) {}

    @Override
    public List<Status> status(List<String> readers) {
        if (readers.isEmpty()) {
            return List.of();
        }
        Map<String, Status> found = new HashMap<>();
        List<Row> rows = database.read(
                "presence.status",
                handle -> database.query(handle, status, READERS.ofIds(readers))
                        .map((row, context) -> row(row.getString(1), row.getLong(2), row.getInt(3)))
                        .list());
        rows.forEach(row -> found.put(
                row.seen().reader(), new Status(row.online(), row.seen().lastSeen())));
        return readers.stream()
                .map(reader -> found.getOrDefault(reader, Status.UNKNOWN))
                .toList();
    }

    private static Row row(String reader, long lastSeen, int online) {
        return new Row(new Seen(reader, lastSeen), online == 1);
    }

    @Override
    public long countOnline() {
        return database.read(
                "presence.countOnline",
                handle -> database.query(handle, count).mapTo(Long.class).one());
    }

    @Override
    public OnlinePage online(Seen below, int limit) {
        List<Seen> readers = new ArrayList<>();
        Seen place = below;
        for (int statement = 0; statement < STATEMENTS_FOR_PAGE; statement++) {
            int most = statement == 0 ? limit : Math.max(limit, ROWS_LOOKED_AT);
            List<Row> rows = rows(place, most);
            for (Row row : rows) {
                place = row.seen();
                if (row.online()) {
                    readers.add(place);
                }
                if (readers.size() == limit) {
                    return new OnlinePage(readers, Optional.of(place));
                }
            }
            if (rows.size() < most) {
                return new OnlinePage(readers, Optional.empty());
            }
        }
        return new OnlinePage(readers, Optional.of(place));
    }

    private List<Row> rows(Seen below, int most) {
        return database.read(
                "presence.online",
                handle -> database.query(handle, list)
                        .bind("at", below.lastSeen())
                        .bind("reader", below.reader())
                        .bind("limit", most)
                        .map((row, context) -> row(row.getString(1), row.getLong(2), row.getInt(3)))
                        .list());
    }

    @Override
    public void forget(Collection<String> readers) {
        if (!readers.isEmpty()) {
            database.statement("presence.forget", handle -> database.execute(handle, forget, READERS.ofIds(readers)));
        }
    }

    /** Removes readers who may be forgotten, up to a limit, and returns their number. */
    public int purge(int limit) {
        return database.statement(
                "presence.purge",
                handle -> database.update(handle, purge).bind("limit", limit).execute());
    }
}

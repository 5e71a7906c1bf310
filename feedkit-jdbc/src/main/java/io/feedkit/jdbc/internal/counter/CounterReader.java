package io.feedkit.jdbc.internal.counter;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Joins;
import io.feedkit.jdbc.internal.sql.ParameterTable;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.CounterReads.Cell;
import io.feedkit.spi.counter.CounterReads.Found;
import io.feedkit.spi.counter.CounterReads.Lookup;
import io.feedkit.spi.counter.CounterReads.Newest;
import io.feedkit.spi.counter.CounterReads.PageOf;
import io.feedkit.spi.counter.CounterReads.Standing;
import io.feedkit.spi.counter.CounterReads.Wanted;
import io.feedkit.spi.counter.CounterSource.Change;
import io.feedkit.spi.counter.CounterSource.Held;
import io.feedkit.spi.counter.CounterSource.Written;
import io.feedkit.spi.counter.Member;
import io.feedkit.spi.counter.Owner;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/**
 * Reads what a call requests in one statement: a union with a part for each kind of request. Changes that only a cache
 * holds are added to the rows that the statement finds. Each page, and each list of newest names, needs a further
 * statement.
 */
final class CounterReader {

    /**
     * A kind of request. The columns of each part are: kind, index among the requests of the kind, name, label, three
     * numbers, the cache's written changes (life, version, amount), gaps of retracted operations, and the cache's
     * earlier lives.
     */
    private enum Kind {
        CELLS,
        CELLS_OF,
        STANDINGS,
        MEMBERS,
        LOOKUPS
    }

    /** The highest character of ASCII. No name contains it. */
    private static final String AFTER_ALL = "\u007f";

    /** Below every mark. */
    private static final long NO_MARK = -1;

    private record Part(ParameterTable wanted, String sql) {}

    private final Database database;
    private final NewestTable newest;
    private final String pageSql;
    private final Map<Kind, Part> parts = new EnumMap<>(Kind.class);

    CounterReader(Database database, NewestTable newest) {
        this.database = database;
        this.newest = newest;
        pageSql = database.sql("SELECT member, label, number, settled FROM ${counter_member} WHERE space = :space"
                + " AND owner = :owner AND member >= :from AND member < :to AND number < :below"
                + " ORDER BY number DESC LIMIT :most");
        Joins joins = new Joins(database.dialect());
        for (Kind kind : Kind.values()) {
            ParameterTable wanted = ParameterTable.named("k" + code(kind))
                    .number("place")
                    .text("wanted_space")
                    .text("wanted_owner")
                    .text("wanted");
            if (kind == Kind.STANDINGS) {
                wanted.number("held").number("creates");
            }
            String sql = sql(kind, wanted, joins)
                    .replace("{kind}", Integer.toString(code(kind)))
                    .replace("k.", wanted.name() + ".");
            parts.put(kind, new Part(wanted, sql));
        }
    }

    private Part part(Kind kind) {
        return requireNonNull(parts.get(kind));
    }

    private static int code(Kind kind) {
        return switch (kind) {
            case CELLS -> 1;
            case CELLS_OF -> 2;
            case STANDINGS -> 3;
            case MEMBERS -> 4;
            case LOOKUPS -> 5;
        };
    }

    private String sql(Kind kind, ParameterTable wanted, Joins joins) {
        String cell =
                "SELECT {kind} AS kind, k.place AS place, c.name AS name, '' AS label, c.total AS one, c.mark AS two,"
                        + " 0 AS three," + written("c") + ", c.gaps AS gaps, c.cache_earlier AS earlier FROM ";
        String member = "SELECT {kind} AS kind, k.place AS place, m.member AS name, m.label AS label, m.number AS one,"
                + " m.settled AS two, 0 AS three, '' AS life, 0 AS version, 0 AS cached, '' AS gaps, '' AS earlier"
                + " FROM ";
        String mark =
                "(CASE WHEN c.mark >= k.held THEN c.mark WHEN c.mark IS NOT NULL OR k.creates = 1 THEN k.held END)";
        return switch (kind) {
            case CELLS ->
                cell + joins.from(wanted, "${counter_cell} c", ofOwner("c"))
                        + " WHERE c.total <> 0 OR c.mark IS NOT NULL OR c.cache_life IS NOT NULL";
            case CELLS_OF -> cell + joins.from(wanted, "${counter_cell} c", ofOwner("c") + " AND c.name = k.wanted");
            case STANDINGS ->
                "SELECT {kind} AS kind, k.place AS place, '' AS name, '' AS label, s.total AS one, " + mark + " AS two,"
                        + " (SELECT COUNT(*) FROM ${counter_member} m WHERE " + ofOwner("m") + " AND m.number > " + mark
                        + ") AS three," + written("s") + ", '' AS gaps, s.cache_earlier AS earlier FROM "
                        + wanted.drivingSource(database.dialect())
                        + " LEFT JOIN ${counter_cell} c ON " + ofOwner("c") + " AND c.name = k.wanted"
                        + " LEFT JOIN ${counter_cell} s ON " + ofOwner("s") + " AND s.name = ''";
            case MEMBERS -> member + joins.from(wanted, "${counter_member} m", ofOwner("m"));
            case LOOKUPS ->
                member + joins.from(wanted, "${counter_member} m", ofOwner("m") + " AND m.member = k.wanted");
        };
    }

    private static String written(String alias) {
        return " %1$s.cache_life AS life, %1$s.cache_version AS version, %1$s.cache_total AS cached".formatted(alias);
    }

    private static String ofOwner(String alias) {
        return alias + ".space = k.wanted_space AND " + alias + ".owner = k.wanted_owner";
    }

    Found read(Handle handle, Wanted wanted, Held held) {
        Map<Kind, ParameterTable.Rows> filled = filled(wanted, held);
        Answers answers = new Answers(wanted, held);
        if (!filled.isEmpty()) {
            String sql = database.sql(
                    filled.keySet().stream().map(kind -> part(kind).sql()).collect(joining(" UNION ALL ")));
            Query query = database.query(handle, sql);
            for (ParameterTable.Rows rows : filled.values()) {
                query = rows.bindTo(query, database.dialect());
            }
            query.map((row, context) -> answers.take(row)).forEach(done -> {});
        }
        return answers.found(
                wanted.pages().stream().map(page -> page(handle, page)).toList(),
                wanted.newest().stream().map(each -> newest.read(handle, each)).toList());
    }

    /** Reads a page in the order of an index. Changes that only a cache holds are never paged. */
    private List<Member> page(Handle handle, PageOf page) {
        return database.query(handle, pageSql)
                .bind("space", page.owner().space().name())
                .bind("owner", page.owner().id())
                .bind("from", page.prefix())
                .bind("to", page.prefix() + AFTER_ALL)
                .bind("below", page.below())
                .bind("most", page.limit())
                .map((row, context) ->
                        new Member(row.getString(1), row.getString(2), row.getLong(3), row.getInt(4) == 1))
                .list();
    }

    private Map<Kind, ParameterTable.Rows> filled(Wanted wanted, Held held) {
        Map<Kind, ParameterTable.Rows> filled = new EnumMap<>(Kind.class);
        for (int i = 0; i < wanted.cells().size(); i++) {
            add(filled, Kind.CELLS, i, wanted.cells().get(i), "");
        }
        for (int i = 0; i < wanted.cellsOf().size(); i++) {
            CellKey key = wanted.cellsOf().get(i);
            add(filled, Kind.CELLS_OF, i, key.owner(), key.name());
        }
        for (int i = 0; i < wanted.standings().size(); i++) {
            CellKey key = wanted.standings().get(i);
            Optional<Change> change = Optional.ofNullable(held.cells().get(key))
                    .filter(each -> each.mark().isPresent());
            filled.computeIfAbsent(Kind.STANDINGS, same -> part(same).wanted().fill())
                    .add(
                            (long) i,
                            key.owner().space().name(),
                            key.owner().id(),
                            key.name(),
                            change.map(each -> each.mark().orElse(NO_MARK)).orElse(NO_MARK),
                            change.filter(Change::creates).isPresent() ? 1L : 0L);
        }
        for (int i = 0; i < wanted.members().size(); i++) {
            add(filled, Kind.MEMBERS, i, wanted.members().get(i), "");
        }
        for (int i = 0; i < wanted.lookups().size(); i++) {
            Lookup lookup = wanted.lookups().get(i);
            for (String member : lookup.members()) {
                add(filled, Kind.LOOKUPS, i, lookup.owner(), member);
            }
        }
        return filled;
    }

    private void add(Map<Kind, ParameterTable.Rows> filled, Kind kind, int place, Owner owner, String name) {
        filled.computeIfAbsent(kind, same -> part(same).wanted().fill())
                .add((long) place, owner.space().name(), owner.id(), name);
    }

    /** Collects the rows of the statement. */
    private static final class Answers {
        private final Wanted wanted;
        private final Held held;
        private final List<Map<String, Cell>> cells;
        private final List<Cell> cellsOf;
        private final List<Standing> standings;
        private final List<Map<String, Member>> members;
        private final List<Map<String, Member>> lookups;

        private Answers(Wanted wanted, Held held) {
            this.wanted = wanted;
            this.held = held;
            cells = each(wanted.cells().size(), HashMap::new);
            cellsOf = new ArrayList<>();
            wanted.cellsOf()
                    .forEach(key ->
                            cellsOf.add(UnwrittenChanges.onNothing(held.cells().get(key))));
            standings = new ArrayList<>();
            wanted.standings().forEach(key -> standings.add(new Standing(Cell.NONE, 0)));
            members = each(wanted.members().size(), HashMap::new);
            lookups = each(wanted.lookups().size(), HashMap::new);
            addHeld();
        }

        private static <T> List<T> each(int size, Supplier<T> fresh) {
            List<T> list = new ArrayList<>(size);
            for (int i = 0; i < size; i++) {
                list.add(fresh.get());
            }
            return list;
        }

        /** Starts with the cache's changes, because the store may have no rows for them. */
        private void addHeld() {
            Map<Owner, Map<String, Cell>> heldCells = new HashMap<>();
            held.cells().forEach((key, change) -> {
                Cell cell = UnwrittenChanges.onNothing(change);
                if (!cell.equals(Cell.NONE)) {
                    heldCells
                            .computeIfAbsent(key.owner(), none -> new HashMap<>())
                            .put(key.name(), cell);
                }
            });
            for (int i = 0; i < cells.size(); i++) {
                cells.get(i).putAll(heldCells.getOrDefault(wanted.cells().get(i), Map.of()));
            }
            for (int i = 0; i < members.size(); i++) {
                members.get(i)
                        .putAll(held.members().getOrDefault(wanted.members().get(i), Map.of()));
            }
            for (int i = 0; i < lookups.size(); i++) {
                Map<String, Member> there = new HashMap<>(
                        held.members().getOrDefault(wanted.lookups().get(i).owner(), Map.of()));
                there.keySet().retainAll(wanted.lookups().get(i).members());
                lookups.get(i).putAll(there);
            }
        }

        private boolean take(ResultSet row) throws SQLException {
            int place = row.getInt(2);
            String name = row.getString(3);
            switch (row.getInt(1)) {
                case 1 -> {
                    CellKey key = new CellKey(wanted.cells().get(place), name);
                    Cell cell = cell(row, key);
                    cells.get(place).remove(name);
                    if (!cell.equals(Cell.NONE)) {
                        cells.get(place).put(name, cell);
                    }
                }
                case 2 -> cellsOf.set(place, cell(row, wanted.cellsOf().get(place)));
                case 3 -> standings.set(place, standing(row, wanted.standings().get(place)));
                case 4 -> newer(members.get(place), member(name, row));
                default -> newer(lookups.get(place), member(name, row));
            }
            return true;
        }

        private static void newer(Map<String, Member> members, Member found) {
            members.merge(found.name(), found, (held, there) -> held.number() > there.number() ? held : there);
        }

        private Cell cell(ResultSet row, CellKey key) throws SQLException {
            Cell cell = new Cell(row.getLong(5), mark(row), GapsCodec.gaps(row.getString(11)));
            return UnwrittenChanges.on(cell, written(row), held.cells().get(key));
        }

        /** The statement has already raised the mark to the one in the cache. */
        private Standing standing(ResultSet row, CellKey mark) throws SQLException {
            Change change = held.cells().get(new CellKey(mark.owner(), ""));
            Cell sequence = UnwrittenChanges.on(new Cell(row.getLong(5), OptionalLong.empty()), written(row), change);
            return new Standing(new Cell(sequence.count(), mark(row)), row.getLong(7));
        }

        private static OptionalLong mark(ResultSet row) throws SQLException {
            long mark = row.getLong(6);
            return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(mark);
        }

        private static Written written(ResultSet row) throws SQLException {
            return WriteBehindTable.written(row.getString(8), row.getLong(9), row.getLong(10), row.getString(12));
        }

        private static Member member(String name, ResultSet row) throws SQLException {
            return new Member(name, row.getString(4), row.getLong(5), row.getInt(6) == 1);
        }

        private Found found(List<List<Member>> pages, List<Newest> newest) {
            return new Found(
                    cells.stream().map(Map::copyOf).toList(),
                    List.copyOf(cellsOf),
                    List.copyOf(standings),
                    members.stream().map(each -> List.copyOf(each.values())).toList(),
                    lookups.stream().map(Map::copyOf).toList(),
                    pages,
                    newest);
        }
    }
}

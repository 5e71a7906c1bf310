package io.feedkit.jdbc.internal.counter;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Joins;
import io.feedkit.jdbc.internal.sql.Rows;
import io.feedkit.jdbc.internal.sql.Rows.Filled;
import io.feedkit.spi.CounterStore.Cell;
import io.feedkit.spi.CounterStore.CellKey;
import io.feedkit.spi.CounterStore.Found;
import io.feedkit.spi.CounterStore.Lookup;
import io.feedkit.spi.CounterStore.Member;
import io.feedkit.spi.CounterStore.Owner;
import io.feedkit.spi.CounterStore.Standing;
import io.feedkit.spi.CounterStore.Wanted;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/** Everything that is wanted at once is one statement: a union of a part for each kind of thing, as far as it is wanted. */
final class Questions {

    /** A kind of things that are wanted. Its rows are: kind, place among the wanted, name, label, and three numbers. */
    private enum Kind {
        CELLS,
        CELLS_OF,
        STANDINGS,
        MEMBERS,
        LOOKUPS
    }

    private record Part(Rows wanted, String sql) {}

    private final Database database;
    private final Map<Kind, Part> parts = new EnumMap<>(Kind.class);

    Questions(Database database) {
        this.database = database;
        Joins joins = new Joins(database.dialect());
        for (Kind kind : Kind.values()) {
            Rows wanted = Rows.named("k" + code(kind))
                    .number("place")
                    .text("wanted_space")
                    .text("wanted_owner")
                    .text("wanted");
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

    private String sql(Kind kind, Rows wanted, Joins joins) {
        String cell =
                "SELECT {kind} AS kind, k.place AS place, c.name AS name, '' AS label, c.total AS one, c.mark AS two, 0 AS three FROM ";
        String member =
                "SELECT {kind} AS kind, k.place AS place, m.member AS name, m.label AS label, m.number AS one, m.settled AS two, 0 AS three FROM ";
        return switch (kind) {
            case CELLS ->
                cell + joins.from(wanted, "${counter_cell} c", ofOwner("c"))
                        + " WHERE c.total <> 0 OR c.mark IS NOT NULL";
            case CELLS_OF -> cell + joins.from(wanted, "${counter_cell} c", ofOwner("c") + " AND c.name = k.wanted");
            case STANDINGS ->
                "SELECT {kind} AS kind, k.place AS place, '' AS name, '' AS label, s.total AS one, c.mark AS two,"
                        + " (SELECT COUNT(*) FROM ${counter_member} m WHERE " + ofOwner("m")
                        + " AND m.number > c.mark) AS three FROM " + wanted.walked(database.dialect())
                        + " LEFT JOIN ${counter_cell} c ON " + ofOwner("c") + " AND c.name = k.wanted"
                        + " LEFT JOIN ${counter_cell} s ON " + ofOwner("s") + " AND s.name = ''";
            case MEMBERS -> member + joins.from(wanted, "${counter_member} m", ofOwner("m"));
            case LOOKUPS ->
                member + joins.from(wanted, "${counter_member} m", ofOwner("m") + " AND m.member = k.wanted");
        };
    }

    private static String ofOwner(String alias) {
        return alias + ".space = k.wanted_space AND " + alias + ".owner = k.wanted_owner";
    }

    Found ask(Handle handle, Wanted wanted) {
        Map<Kind, Filled> filled = filled(wanted);
        Answers answers = new Answers(wanted);
        if (!filled.isEmpty()) {
            String sql = database.sql(
                    filled.keySet().stream().map(kind -> part(kind).sql()).collect(joining(" UNION ALL ")));
            Query query = database.query(handle, sql);
            for (Filled rows : filled.values()) {
                query = rows.bindTo(query, database.dialect());
            }
            query.map((row, context) -> answers.take(row)).forEach(done -> {});
        }
        return answers.found();
    }

    private Map<Kind, Filled> filled(Wanted wanted) {
        Map<Kind, Filled> filled = new EnumMap<>(Kind.class);
        for (int i = 0; i < wanted.cells().size(); i++) {
            add(filled, Kind.CELLS, i, wanted.cells().get(i), "");
        }
        for (int i = 0; i < wanted.cellsOf().size(); i++) {
            CellKey key = wanted.cellsOf().get(i);
            add(filled, Kind.CELLS_OF, i, key.owner(), key.name());
        }
        for (int i = 0; i < wanted.standings().size(); i++) {
            CellKey key = wanted.standings().get(i);
            add(filled, Kind.STANDINGS, i, key.owner(), key.name());
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

    private void add(Map<Kind, Filled> filled, Kind kind, int place, Owner owner, String name) {
        filled.computeIfAbsent(kind, same -> part(same).wanted().fill())
                .add((long) place, owner.space().name(), owner.id(), name);
    }

    /** Collects the rows that were found. */
    private static final class Answers {
        private final List<Map<String, Cell>> cells;
        private final List<Cell> cellsOf;
        private final List<Standing> standings;
        private final List<List<Member>> members;
        private final List<Map<String, Member>> lookups;

        private Answers(Wanted wanted) {
            cells = each(wanted.cells().size(), HashMap::new);
            cellsOf = new ArrayList<>(Collections.nCopies(wanted.cellsOf().size(), Cell.NONE));
            standings = new ArrayList<>(Collections.nCopies(wanted.standings().size(), new Standing(Cell.NONE, 0)));
            members = each(wanted.members().size(), ArrayList::new);
            lookups = each(wanted.lookups().size(), HashMap::new);
        }

        private static <T> List<T> each(int size, Supplier<T> fresh) {
            List<T> list = new ArrayList<>(size);
            for (int i = 0; i < size; i++) {
                list.add(fresh.get());
            }
            return list;
        }

        private boolean take(ResultSet row) throws SQLException {
            int place = row.getInt(2);
            String name = row.getString(3);
            switch (row.getInt(1)) {
                case 1 -> cells.get(place).put(name, cell(row));
                case 2 -> cellsOf.set(place, cell(row));
                case 3 -> standings.set(place, new Standing(cell(row), row.getLong(7)));
                case 4 -> members.get(place).add(member(name, row));
                default -> lookups.get(place).put(name, member(name, row));
            }
            return true;
        }

        private static Cell cell(ResultSet row) throws SQLException {
            long count = row.getLong(5);
            long mark = row.getLong(6);
            return new Cell(count, row.wasNull() ? OptionalLong.empty() : OptionalLong.of(mark));
        }

        private static Member member(String name, ResultSet row) throws SQLException {
            return new Member(name, row.getString(4), row.getLong(5), row.getInt(6) == 1);
        }

        private Found found() {
            return new Found(
                    cells.stream().map(Map::copyOf).toList(),
                    List.copyOf(cellsOf),
                    List.copyOf(standings),
                    members.stream().map(List::copyOf).toList(),
                    lookups.stream().map(Map::copyOf).toList());
        }
    }
}

package io.feedkit.jdbc.internal.counter;

import static java.util.Objects.requireNonNull;

import io.feedkit.jdbc.internal.sql.Batches;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.Space;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import org.jdbi.v3.core.Handle;

/**
 * Removes rows of zeros page by page, in the order of the primary key. The first page starts at a random row, and each
 * further page where the previous one ended. A row that locks a set stays while the set has members.
 */
final class ZeroCleanup {

    private static final int PAGE = 1000;
    private static final List<Space> SPACES = List.of(Space.values());
    private static final CellKey START = new CellKey(new Owner(SPACES.get(0), ""), "");

    private record Row(CellKey key, boolean isZero) {}

    /** The number of removed rows, and the row after which the next page starts. */
    record Page(int removed, CellKey last) {
        boolean isLast() {
            return last.equals(START);
        }
    }

    private final Database database;
    private final RandomGenerator random;
    private final String pageSql;
    private final String removeSql;
    private final String lowestSql;
    private final String highestSql;
    private final AtomicReference<Optional<CellKey>> place = new AtomicReference<>(Optional.empty());

    ZeroCleanup(Database database, RandomGenerator random) {
        this.database = database;
        this.random = random;
        String owners = "SELECT owner FROM ${counter_cell} WHERE space = :space ORDER BY owner";
        lowestSql = database.sql(owners + " LIMIT 1");
        highestSql = database.sql(owners + " DESC LIMIT 1");
        pageSql = database.sql("SELECT c.owner, c.name, CASE WHEN " + CellTable.IS_ZERO + " THEN 1 ELSE 0 END"
                + " FROM ${counter_cell} c WHERE c.space = :space AND c.owner >= :owner"
                + " AND (c.owner > :owner OR c.name > :name) ORDER BY c.owner, c.name LIMIT " + PAGE);
        removeSql =
                database.sql("DELETE FROM ${counter_cell} WHERE space = :space AND owner = :owner AND name = :name AND "
                        + CellTable.IS_ZERO + " AND (name <> '' OR " + CellTable.NO_MEMBERS + ")");
    }

    /** Reads a page, and removes its rows of zeros, up to a limit. */
    Page purge(Handle handle, int limit) {
        CellKey after = requireNonNull(place.get()).orElseGet(() -> anywhere(handle));
        Space space = after.owner().space();
        List<Row> page = database.query(handle, pageSql)
                .bind("space", space.name())
                .bind("owner", after.owner().id())
                .bind("name", after.name())
                .map((row, context) ->
                        new Row(new CellKey(new Owner(space, row.getString(1)), row.getString(2)), row.getInt(3) == 1))
                .list();
        List<CellKey> zeros = new ArrayList<>();
        CellKey last = after;
        int seen = 0;
        while (seen < page.size() && zeros.size() < limit) {
            Row row = page.get(seen++);
            last = row.key();
            if (row.isZero()) {
                zeros.add(last);
            }
        }
        int removed = 0;
        for (int rows : Batches.run(database, handle, removeSql, zeros, CellTable::bind)) {
            removed += rows == 0 ? 0 : 1;
        }
        return new Page(removed, page.size() < PAGE && seen == page.size() ? next(space) : last);
    }

    private static CellKey next(Space space) {
        int next = SPACES.indexOf(space) + 1;
        return next == SPACES.size() ? START : new CellKey(new Owner(SPACES.get(next), ""), "");
    }

    private CellKey anywhere(Handle handle) {
        Space space = SPACES.get(random.nextInt(SPACES.size()));
        Optional<String> lowest = owner(handle, lowestSql, space);
        Optional<String> highest = owner(handle, highestSql, space);
        String id = lowest.isEmpty() || highest.isEmpty() ? "" : RandomId.between(lowest.get(), highest.get(), random);
        return new CellKey(new Owner(space, id), "");
    }

    private Optional<String> owner(Handle handle, String sql, Space space) {
        return database.query(handle, sql)
                .bind("space", space.name())
                .mapTo(String.class)
                .findOne();
    }

    /** Whether the next page is the first page of the table. */
    boolean isAtStart() {
        return requireNonNull(place.get()).filter(START::equals).isPresent();
    }

    /** Lets the next page start after a committed one. */
    void continueAfter(Page page) {
        place.set(Optional.of(page.last()));
    }
}

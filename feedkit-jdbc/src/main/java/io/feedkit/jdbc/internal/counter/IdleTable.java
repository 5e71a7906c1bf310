package io.feedkit.jdbc.internal.counter;

import io.feedkit.jdbc.internal.sql.Batches;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Dialect;
import io.feedkit.jdbc.internal.sql.Joins;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.Space;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jdbi.v3.core.Handle;

/**
 * The table {@code counter_idle}: the last day on which a user's marks of announcements or dots were written. The table
 * stores days, so that a user causes one write to it a day. Views have times of their own.
 *
 * <p>Every call locks an owner's cells before the owner's row here. A transaction of the host's with several calls for
 * one user may still lock the rows in another order. The database may then end one of two transactions as a deadlock.
 */
final class IdleTable {

    private static final Set<Space> SPACES = EnumSet.of(Space.ANNOUNCEMENTS_SEEN, Space.DOTS);

    private static final long DAY_MILLIS = TimeUnit.DAYS.toMillis(1);

    private static final String MATCH = CellTable.OWNER_MATCH.formatted("i");

    private final Database database;
    private final CellTable cells;
    private final String touchSql;
    private final String idleSql;
    private final String lockSql;
    private final String takeSql;
    private final String removeSql;

    IdleTable(Database database, CellTable cells) {
        this.database = database;
        this.cells = cells;
        String key = " WHERE space = :space AND owner = :owner";
        touchSql = database.sql(touch(database.dialect()));
        idleSql = database.sql(
                "SELECT space, owner FROM ${counter_idle} WHERE used_day < :day ORDER BY used_day LIMIT :limit");
        lockSql = database.sql("SELECT name FROM ${counter_cell}" + key + " ORDER BY name FOR UPDATE");
        takeSql = database.sql("DELETE FROM ${counter_idle}" + key + " AND used_day < :day");
        removeSql = database.sql(new Joins(database.dialect()).delete(CellTable.OWNERS, "${counter_idle}", "i", MATCH));
    }

    /** Inserts or updates the rows of owners that have no row of today. Other rows are only read. */
    private static String touch(Dialect dialect) {
        String today = "${written} " + (dialect.isMySql() ? "DIV " : "/ ") + DAY_MILLIS;
        String rows = "SELECT k.wanted_space, k.wanted_owner, " + today + " AS today FROM "
                + CellTable.OWNERS.source(dialect);
        String insert = "INTO ${counter_idle} ";
        String late = rows + " WHERE NOT EXISTS (SELECT 1 FROM ${counter_idle} i WHERE " + MATCH + " AND i.used_day >= "
                + today + ")";
        return switch (dialect) {
            case POSTGRESQL ->
                "INSERT " + insert + "AS c (space, owner, used_day) " + late
                        + " ORDER BY k.wanted_space, k.wanted_owner ON CONFLICT (space, owner)"
                        + " DO UPDATE SET used_day = excluded.used_day WHERE c.used_day < excluded.used_day";
            case MYSQL, MARIADB ->
                "INSERT " + insert + "(space, owner, used_day) " + late
                        + " ON DUPLICATE KEY UPDATE used_day = GREATEST(${counter_idle}.used_day, VALUES(used_day))";
            case H2 ->
                "MERGE " + insert + "AS c USING (" + rows + ") AS k"
                        + " ON c.space = k.wanted_space AND c.owner = k.wanted_owner"
                        + " WHEN MATCHED AND c.used_day < k.today THEN UPDATE SET used_day = k.today"
                        + " WHEN NOT MATCHED THEN INSERT (space, owner, used_day)"
                        + " VALUES (k.wanted_space, k.wanted_owner, k.today)";
        };
    }

    /** Records that cells of owners were written, or would have been written if they had changed. */
    void touch(Handle handle, Collection<Owner> owners) {
        List<Owner> some = expiring(owners);
        if (!some.isEmpty()) {
            database.upsert(() -> database.execute(handle, touchSql, CellTable.rowsOf(some)));
        }
    }

    private static List<Owner> expiring(Collection<Owner> owners) {
        return owners.stream()
                .filter(owner -> SPACES.contains(owner.space()))
                .distinct()
                .toList();
    }

    /**
     * Removes all cells of owners without a write since a time, up to a limit of owners. Returns the number of owners.
     */
    int purge(Handle handle, long since, int limit) {
        // One day is subtracted, because the clocks of processes differ and their days start at different times.
        long day = Math.floorDiv(since, DAY_MILLIS) - 1;
        List<Owner> idle = database
                .query(handle, idleSql)
                .bind("day", day)
                .bind("limit", limit)
                .map((row, context) -> CellTable.owner(row))
                .list()
                .stream()
                .sorted(CellTable.BY_OWNER)
                .toList();
        int removed = 0;
        for (Owner owner : idle) {
            removed += remove(handle, owner, day) ? 1 : 0;
        }
        return removed;
    }

    /** Removes all cells of an owner, if the owner is still idle once the cells are locked. */
    private boolean remove(Handle handle, Owner owner, long day) {
        List<String> unused = database.query(handle, lockSql)
                .bind("space", owner.space().name())
                .bind("owner", owner.id())
                .mapTo(String.class)
                .list();
        int[] taken = Batches.run(
                database,
                handle,
                takeSql,
                List.of(owner),
                (batch, each) -> CellTable.bind(batch, each).bind("day", day));
        if (taken[0] == 0) {
            return false;
        }
        cells.removeOwners(handle, List.of(owner));
        return true;
    }

    /** Removes the rows of owners. */
    void removeOwners(Handle handle, Collection<Owner> owners) {
        List<Owner> some = expiring(owners);
        if (!some.isEmpty()) {
            database.execute(handle, removeSql, CellTable.rowsOf(some));
        }
    }
}

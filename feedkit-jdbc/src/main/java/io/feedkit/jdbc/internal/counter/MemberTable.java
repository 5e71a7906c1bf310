package io.feedkit.jdbc.internal.counter;

import io.feedkit.jdbc.internal.sql.Batches;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Dialect;
import io.feedkit.jdbc.internal.sql.Joins;
import io.feedkit.jdbc.internal.sql.ParameterTable;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.Member;
import io.feedkit.spi.counter.Owner;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;

/**
 * The table {@code counter_member}: a row for each member of a set. Every writer holds the lock of the owner's cell
 * {@code ""}.
 */
final class MemberTable {

    /** Names a member of an owner's set. */
    record MemberKey(Owner owner, String member) {

        /** The cell that locks the set. */
        CellKey set() {
            return CellTable.set(owner);
        }
    }

    private static final String MATCH = "m.space = k.wanted_space AND m.owner = k.wanted_owner AND m.member = k.wanted";
    private static final String BY_KEY = " WHERE space = :space AND owner = :owner AND member = :member";

    private final Database database;
    private final String readSql;
    private final String insertSql;
    private final String updateSql;
    private final String removeSql;
    private final String removeOwnersSql;

    MemberTable(Database database) {
        this.database = database;
        Joins joins = new Joins(database.dialect());
        Dialect dialect = database.dialect();
        // In MySQL and MariaDB a host's transaction at REPEATABLE READ sees the latest commits only in locking reads.
        readSql = database.sql("SELECT m.space, m.owner, m.member, m.label, m.number, m.settled FROM "
                + joins.from(CellTable.WANTED, "${counter_member} m", MATCH)
                + (dialect.isMySql() ? dialect.forUpdate("m") : ""));
        insertSql = database.sql("INSERT INTO ${counter_member} (label, number, settled, space, owner, member)"
                + " VALUES (:label, :number, :settled, :space, :owner, :member)");
        updateSql = database.sql(
                "UPDATE ${counter_member} SET label = :label, number = :number, settled = :settled" + BY_KEY);
        removeSql = database.sql("DELETE FROM ${counter_member}" + BY_KEY);
        removeOwnersSql = database.sql(
                joins.delete(CellTable.OWNERS, "${counter_member}", "m", CellTable.OWNER_MATCH.formatted("m")));
    }

    /** Reads members of locked sets; missing ones are left out. */
    Map<MemberKey, Member> readLocked(Handle handle, Collection<MemberKey> keys) {
        ParameterTable.Rows rows = CellTable.WANTED.fill();
        Set.copyOf(keys)
                .forEach(key -> rows.add(key.owner().space().name(), key.owner().id(), key.member()));
        Map<MemberKey, Member> found = new HashMap<>();
        database.query(handle, readSql, rows)
                .map((row, context) -> Map.entry(
                        new MemberKey(CellTable.owner(row), row.getString(3)),
                        new Member(row.getString(3), row.getString(4), row.getLong(5), row.getInt(6) == 1)))
                .forEach(entry -> found.put(entry.getKey(), entry.getValue()));
        return found;
    }

    /** Inserts members, or updates those that exist. */
    void write(Handle handle, Map<MemberKey, Member> members, Set<MemberKey> existing) {
        Map<MemberKey, Member> added = new HashMap<>(members);
        added.keySet().removeAll(existing);
        Map<MemberKey, Member> changed = new HashMap<>(members);
        changed.keySet().retainAll(existing);
        write(handle, insertSql, added);
        write(handle, updateSql, changed);
    }

    private void write(Handle handle, String sql, Map<MemberKey, Member> members) {
        Batches.run(database, handle, sql, members.entrySet(), (batch, entry) -> {
            Member member = entry.getValue();
            bind(batch, entry.getKey())
                    .bind("label", member.label())
                    .bind("number", member.number())
                    .bind("settled", member.settled() ? 1 : 0);
        });
    }

    private static PreparedBatch bind(PreparedBatch batch, MemberKey key) {
        return CellTable.bind(batch, key.owner()).bind("member", key.member());
    }

    void remove(Handle handle, Collection<MemberKey> keys) {
        Batches.run(database, handle, removeSql, keys, MemberTable::bind);
    }

    /** Removes the whole sets of owners. */
    void removeOwners(Handle handle, Collection<Owner> owners) {
        database.execute(handle, removeOwnersSql, CellTable.rowsOf(owners));
    }
}

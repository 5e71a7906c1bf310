package io.feedkit.jdbc.internal.counter;

import io.feedkit.jdbc.internal.sql.Batches;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Dialect;
import io.feedkit.jdbc.internal.sql.Joins;
import io.feedkit.jdbc.internal.sql.ParameterTable;
import io.feedkit.spi.CounterStore.Member;
import io.feedkit.spi.CounterStore.Owner;
import io.feedkit.spi.CounterStore.Space;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/** Rows of {@code counter_member}: one for each member of a set. They are changed by whoever has locked the owner's cell {@code ""}. */
final class MemberTable {

    /** A member of an owner's set, by name. */
    record Key(Owner owner, String member) {}

    private static final String COLUMNS = "m.space, m.owner, m.member, m.label, m.number, m.settled";
    private static final String MATCH = "m.space = k.wanted_space AND m.owner = k.wanted_owner AND m.member = k.wanted";
    private static final String BY_KEY = " WHERE space = :space AND owner = :owner AND member = :member";

    private static final ParameterTable WANTED =
            ParameterTable.named("k").text("wanted_space").text("wanted_owner").text("wanted");

    private final Database database;
    private final String readSql;
    private final String insertSql;
    private final String updateSql;
    private final String removeSql;

    MemberTable(Database database) {
        this.database = database;
        Joins joins = new Joins(database.dialect());
        Dialect dialect = database.dialect();
        // In MySQL and MariaDB a host's transaction at REPEATABLE READ sees what is committed only when it locks.
        readSql = database.sql("SELECT " + COLUMNS + " FROM " + joins.from(WANTED, "${counter_member} m", MATCH)
                + (dialect.isMySql() ? dialect.forUpdate("m") : ""));
        insertSql = database.sql("INSERT INTO ${counter_member} (label, number, settled, space, owner, member)"
                + " VALUES (:label, :number, :settled, :space, :owner, :member)");
        updateSql = database.sql(
                "UPDATE ${counter_member} SET label = :label, number = :number, settled = :settled" + BY_KEY);
        removeSql = database.sql("DELETE FROM ${counter_member}" + BY_KEY);
    }

    /** Reads members of sets that are locked; those that are not there are left out. */
    Map<Key, Member> readInStep(Handle handle, Collection<Key> keys) {
        ParameterTable.Rows rows = WANTED.fill();
        Set.copyOf(keys)
                .forEach(key -> rows.add(key.owner().space().name(), key.owner().id(), key.member()));
        return found(database.query(handle, readSql, rows));
    }

    private static Map<Key, Member> found(Query query) {
        Map<Key, Member> found = new HashMap<>();
        query.map((row, context) -> Map.entry(
                        new Key(new Owner(Space.valueOf(row.getString(1)), row.getString(2)), row.getString(3)),
                        new Member(row.getString(3), row.getString(4), row.getLong(5), row.getInt(6) == 1)))
                .forEach(entry -> found.put(entry.getKey(), entry.getValue()));
        return found;
    }

    /** Writes members, of whom some are there already. */
    void write(Handle handle, Map<Key, Member> members, Set<Key> there) {
        Map<Key, Member> added = new HashMap<>(members);
        added.keySet().removeAll(there);
        Map<Key, Member> changed = new HashMap<>(members);
        changed.keySet().retainAll(there);
        write(handle, insertSql, added);
        write(handle, updateSql, changed);
    }

    private void write(Handle handle, String sql, Map<Key, Member> members) {
        if (members.isEmpty()) {
            return;
        }
        Batches.run(database, handle, sql, members.entrySet(), (batch, entry) -> {
            Key key = entry.getKey();
            Member member = entry.getValue();
            batch.bind("label", member.label())
                    .bind("number", member.number())
                    .bind("settled", member.settled() ? 1 : 0)
                    .bind("space", key.owner().space().name())
                    .bind("owner", key.owner().id())
                    .bind("member", key.member());
        });
    }

    void remove(Handle handle, Collection<Key> keys) {
        if (!keys.isEmpty()) {
            Batches.run(
                    database,
                    handle,
                    removeSql,
                    keys,
                    (batch, key) -> batch.bind("space", key.owner().space().name())
                            .bind("owner", key.owner().id())
                            .bind("member", key.member()));
        }
    }
}

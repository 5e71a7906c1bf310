package io.feedkit.jdbc;

import io.feedkit.jdbc.internal.counter.Numbers;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.TableNames;
import io.feedkit.jdbc.internal.store.StoreChecks;
import io.feedkit.spi.CounterStore;
import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import javax.sql.DataSource;

/**
 * Unread counts, counters, reactions and views in H2, PostgreSQL, MySQL or MariaDB, in the tables {@code counter_...} that {@link JdbcSchema} makes. It needs no {@link JdbcFeedStore}
 * beside it. Thread-safe; it holds connections only while it is called, and is not closed.
 *
 * <p>Each call is one transaction: a batch is done as a whole, or not at all. A call whose commit was cut off ends in {@link io.feedkit.OutcomeUnknownException}.
 */
public final class JdbcCounterStore implements CounterStore {

    private final Numbers numbers;

    private JdbcCounterStore(Numbers numbers) {
        this.numbers = numbers;
    }

    /**
     * Counters in the tables with the default prefix in the connections' own schema.
     *
     * @param dataSource where the tables are
     * @return the store
     * @throws IllegalArgumentException as {@link JdbcFeedStore.Builder#build}
     * @throws SchemaVersionException if the tables are missing or of another version
     * @throws io.feedkit.StoreUnavailableException if the database does not answer
     */
    public static JdbcCounterStore create(DataSource dataSource) {
        return create(dataSource, "", JdbcSchema.DEFAULT_PREFIX, Optional.empty());
    }

    /**
     * Counters in tables of some prefix in some schema.
     *
     * @param dataSource where the tables are
     * @param schema the schema (in MySQL and MariaDB a database); {@code ""} for the connections' own
     * @param prefix what the names of the tables begin with
     * @param clock what tells how long operations are remembered; empty for the database's own
     * @return the store
     * @throws IllegalArgumentException as {@link JdbcFeedStore.Builder#build}
     * @throws SchemaVersionException if the tables are missing or of another version
     * @throws io.feedkit.StoreUnavailableException if the database does not answer
     */
    public static JdbcCounterStore create(DataSource dataSource, String schema, String prefix, Optional<Clock> clock) {
        JdbcSchema tables = JdbcSchema.of(dataSource, schema, prefix);
        StoreChecks.requireOwnTransactions(dataSource);
        Database database =
                new Database(dataSource, new TableNames(schema, prefix), clock, JdbcFeedStore.DEFAULT_TIMEOUT);
        StoreChecks.requireVersion(database);
        tables.check();
        StoreChecks.requireFit(database);
        return new JdbcCounterStore(new Numbers(database));
    }

    /**
     * Removes what is remembered of operations and tickets for longer than 24 hours, the oldest first. Nothing else removes it, so a host calls this from time to time.
     *
     * @param limit how many operations, and how many tickets, at most; at least 1
     * @return how many of both were removed
     * @throws IllegalArgumentException if the limit is less
     */
    public int purge(int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit must be at least 1, but is " + limit);
        }
        return numbers.purge(limit);
    }

    @Override
    public List<Added> add(List<Add> adds) {
        return numbers.add(adds);
    }

    @Override
    public List<Raised> raise(List<Raise> raises) {
        return numbers.raise(raises);
    }

    @Override
    public void removeCells(Collection<CellKey> keys) {
        numbers.removeCells(keys);
    }

    @Override
    public List<OptionalLong> put(List<Put> puts) {
        return numbers.put(puts);
    }

    @Override
    public List<Long> openTickets(List<Owner> owners) {
        return numbers.openTickets(owners);
    }

    @Override
    public boolean redeem(CellKey key, long ticket, long amount) {
        return numbers.redeem(key, ticket, amount);
    }

    @Override
    public List<Optional<Member>> turn(List<Turn> turns) {
        return numbers.turn(turns);
    }

    @Override
    public void settle(Owner owner, Member member, boolean removed) {
        numbers.settle(owner, member, removed);
    }

    @Override
    public List<Boolean> removeMembers(Owner owner, List<String> members) {
        return numbers.removeMembers(owner, members);
    }

    @Override
    public void relabel(Owner owner, String member, String label) {
        numbers.relabel(owner, member, label);
    }

    @Override
    public List<Map<String, Cell>> cells(List<Owner> owners) {
        return numbers.cells(owners);
    }

    @Override
    public List<Cell> cellsOf(List<CellKey> keys) {
        return numbers.cellsOf(keys);
    }

    @Override
    public List<Standing> standings(List<CellKey> marks) {
        return numbers.standings(marks);
    }

    @Override
    public List<List<Member>> members(List<Owner> owners) {
        return numbers.members(owners);
    }

    @Override
    public Map<String, Member> membersOf(Owner owner, Collection<String> members) {
        return numbers.membersOf(owner, members);
    }

    @Override
    public void forget(Collection<Owner> owners) {
        numbers.forget(owners);
    }
}

package io.feedkit.jdbc;

import static java.util.Objects.requireNonNull;

import io.feedkit.internal.check.Arguments;
import io.feedkit.jdbc.internal.counter.CounterTransactions;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.CounterSource;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.spi.counter.Member;
import io.feedkit.spi.counter.Owner;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import javax.sql.DataSource;

/**
 * Unread counts, counters, reactions and views in H2, PostgreSQL, MySQL or MariaDB, in the tables {@code counter_...}
 * that {@link JdbcSchema} creates. The store works with and without a {@link JdbcFeedStore} beside it. It holds
 * connections only during its calls, and is not closed. Thread-safe.
 *
 * <p>Each call is one transaction: a batch takes effect as a whole, or not at all. If the connection is lost during the
 * commit, the call throws {@link io.feedkit.OutcomeUnknownException}.
 */
public final class JdbcCounterStore implements CounterSource {

    private static final Duration LONGEST = Duration.ofMillis(Long.MAX_VALUE);

    private final CounterTransactions counters;

    private JdbcCounterStore(CounterTransactions counters) {
        this.counters = counters;
    }

    /**
     * Creates a store on the tables with the default prefix in the connections' own schema.
     *
     * @param dataSource where the tables are
     * @return the store
     * @throws IllegalArgumentException as {@link Builder#build}
     * @throws SchemaVersionException if the tables are missing or of another version
     * @throws io.feedkit.StoreUnavailableException if the database does not answer
     */
    public static JdbcCounterStore create(DataSource dataSource) {
        return builder(dataSource).build();
    }

    /**
     * Starts a store.
     *
     * @param dataSource where the tables are
     * @return the builder
     */
    public static Builder builder(DataSource dataSource) {
        return new Builder(dataSource);
    }

    /** Settings of a store. */
    public static final class Builder {

        private final DataSource dataSource;
        private String schema = "";
        private String prefix = JdbcSchema.DEFAULT_PREFIX;
        private Optional<Clock> clock = Optional.empty();
        private Duration operationsKept = Duration.ofHours(24);

        private Builder(DataSource dataSource) {
            this.dataSource = requireNonNull(dataSource, "dataSource");
        }

        /**
         * Names the schema of the tables; in MySQL and MariaDB a database.
         *
         * @param name the schema; by default the connections' own
         * @return this builder
         */
        public Builder schema(String name) {
            this.schema = requireNonNull(name, "name");
            return this;
        }

        /**
         * Sets the prefix of the tables' names.
         *
         * @param start the prefix; {@value JdbcSchema#DEFAULT_PREFIX} by default
         * @return this builder
         */
        public Builder prefix(String start) {
            this.prefix = requireNonNull(start, "start");
            return this;
        }

        /**
         * Replaces the database's clock for the age of operations. For tests.
         *
         * @param other the clock
         * @return this builder
         */
        public Builder clock(Clock other) {
            this.clock = Optional.of(other);
            return this;
        }

        /**
         * Sets how long operations, and tickets that nobody redeems, are remembered. {@link JdbcCounterStore#purge}
         * removes older ones.
         *
         * @param time how long; 24 hours by default
         * @return this builder
         * @throws IllegalArgumentException if it is not positive
         */
        public Builder operationsKept(Duration time) {
            if (time.isNegative() || time.isZero()) {
                throw new IllegalArgumentException("operationsKept must be positive, but is " + time);
            }
            this.operationsKept = time;
            return this;
        }

        /**
         * Checks the tables, and builds the store.
         *
         * @return the store
         * @throws IllegalArgumentException as {@link JdbcFeedStore.Builder#build}
         * @throws SchemaVersionException if the tables are missing or of another version
         * @throws io.feedkit.StoreUnavailableException if the database does not answer
         */
        public JdbcCounterStore build() {
            Database database = StoreAssembly.open(dataSource, schema, prefix, clock, JdbcFeedStore.DEFAULT_TIMEOUT);
            return new JdbcCounterStore(new CounterTransactions(database, operationsKept));
        }
    }

    /**
     * The same counters in a transaction of the host's: changes take effect if the host commits. Calls see earlier
     * changes of the transaction. They lock the rows they change until the transaction ends, and are not repeated after
     * a deadlock.
     *
     * <p>READ COMMITTED is recommended. At REPEATABLE READ and above, reads are as old as the transaction's snapshot:
     * {@link io.feedkit.unread.Conversations#unsend} refuses messages that were sent since, and a reaction that was
     * taken back since still counts. PostgreSQL then refuses to change rows that other transactions changed since the
     * snapshot, with {@link io.feedkit.StoreUnavailableException}.
     *
     * @param transaction the host's transaction, on a connection to this database; it is not checked whether the
     *     connection leads to the same tables
     * @return counters for the thread and the duration of the transaction
     */
    public CounterStore in(JdbcTransaction transaction) {
        return counters.in(transaction.connection());
    }

    /**
     * Removes operations and tickets that are older than {@link Builder#operationsKept}, the oldest first. Nothing else
     * removes them, so a host calls this from time to time.
     *
     * @param limit the maximum number of operations, and of tickets; at least 1
     * @return the number of removed operations and tickets together
     * @throws IllegalArgumentException if the limit is below 1
     */
    public int purge(int limit) {
        Arguments.atLeast("limit", limit, 1);
        return counters.purge(limit);
    }

    /**
     * Removes old views; the counts stay. Only this method and {@link io.feedkit.counter.Views#forget} remove views, so
     * a host that counts views calls it from time to time. It walks through the views of all users in small
     * transactions of its own. The next call of this store continues where this one stopped.
     *
     * @param olderThan the age of the views, by this store's clock; at least the window of the
     *     {@link io.feedkit.counter.Views}, otherwise views in the window count again
     * @param limit the maximum number; at least 1
     * @return the number of removed views; if it is below the limit, all views were visited
     * @throws IllegalArgumentException if the limit is below 1, or the age is negative or longer than 2^63 - 1
     *     milliseconds
     */
    public int purgeViews(Duration olderThan, int limit) {
        Arguments.atLeast("limit", limit, 1);
        if (olderThan.isNegative() || olderThan.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("olderThan must be between 0 and " + LONGEST + ", but is " + olderThan);
        }
        return counters.purgeViews(olderThan, limit);
    }

    /**
     * A repaired count.
     *
     * @param kind the kind of the reaction
     * @param post the post
     * @param was the wrong count
     * @param is how many users have reacted
     */
    public record Repair(String kind, String post, long was, long is) {}

    /**
     * Counts the reactions to all posts again, by who reacted, and repairs wrong counts. No call of this library makes
     * a count wrong, but a restored backup or a change by hand may. One statement reads all reactions, so call this at
     * a quiet time. Reactions may arrive meanwhile: the repaired counts were wrong at one moment. If several processes
     * call this at once, each makes the same repair, which makes counts wrong again; the next call repairs that.
     *
     * @param limit the maximum number of repairs; at least 1
     * @return the repairs, in the order of posts; if they are fewer than the limit, no other count was wrong
     * @throws IllegalArgumentException if the limit is below 1
     */
    public List<Repair> reconcile(int limit) {
        Arguments.atLeast("limit", limit, 1);
        return counters.recountReactions(limit).stream()
                .map(wrong -> new Repair(
                        wrong.key().name().substring(1, wrong.key().name().indexOf('/')),
                        wrong.key().owner().id(),
                        wrong.counted(),
                        wrong.expected()))
                .toList();
    }

    @Override
    public List<Added> add(List<Add> adds) {
        return counters.add(adds);
    }

    @Override
    public List<Raised> raise(List<Raise> raises) {
        return counters.raise(raises);
    }

    @Override
    public void removeCells(Collection<CellKey> keys) {
        counters.removeCells(keys);
    }

    @Override
    public List<OptionalLong> put(List<Put> puts) {
        return counters.put(puts);
    }

    @Override
    public List<Long> openTickets(List<Owner> owners) {
        return counters.openTickets(owners);
    }

    @Override
    public List<Boolean> redeem(List<Redemption> redemptions) {
        return counters.redeem(redemptions);
    }

    @Override
    public List<Optional<Member>> turn(List<Turn> turns) {
        return counters.turn(turns);
    }

    @Override
    public void settle(List<Settlement> turns) {
        counters.settle(turns);
    }

    @Override
    public List<Boolean> removeMembers(Owner owner, List<String> members) {
        return counters.removeMembers(owner, members);
    }

    @Override
    public void relabel(Owner owner, String member, String label) {
        counters.relabel(owner, member, label);
    }

    @Override
    public Found read(Wanted wanted) {
        return counters.read(wanted);
    }

    @Override
    public Found read(Wanted wanted, Held held) {
        return counters.read(wanted, held);
    }

    @Override
    public Map<CellKey, Written> open(Collection<CellKey> keys) {
        return counters.open(keys);
    }

    @Override
    public Done write(Map<CellKey, Late> cells, Map<Owner, LateSet> members) {
        return counters.write(cells, members);
    }

    @Override
    public void forget(Collection<Owner> owners) {
        counters.forget(owners);
    }
}

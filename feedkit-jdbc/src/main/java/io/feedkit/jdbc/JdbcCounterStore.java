package io.feedkit.jdbc;

import static java.util.Objects.requireNonNull;

import io.feedkit.jdbc.internal.counter.CounterTransactions;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.spi.CounterSource;
import io.feedkit.spi.CounterStore;
import java.time.Clock;
import java.time.Duration;
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
public final class JdbcCounterStore implements CounterSource {

    private static final Duration LONGEST = Duration.ofMillis(Long.MAX_VALUE);

    private final CounterTransactions counters;

    private JdbcCounterStore(CounterTransactions counters) {
        this.counters = counters;
    }

    /**
     * Counters in the tables with the default prefix in the connections' own schema.
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
     * Begins to set a store up.
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
         * Where the tables are.
         *
         * @param name a schema (in MySQL and MariaDB a database); the connections' own unless set
         * @return this builder
         */
        public Builder schema(String name) {
            this.schema = requireNonNull(name, "name");
            return this;
        }

        /**
         * What the names of the tables begin with.
         *
         * @param start the prefix; {@value JdbcSchema#DEFAULT_PREFIX} unless set
         * @return this builder
         */
        public Builder prefix(String start) {
            this.prefix = requireNonNull(start, "start");
            return this;
        }

        /**
         * What tells how long operations are remembered. For tests.
         *
         * @param other instead of the database's own clock
         * @return this builder
         */
        public Builder clock(Clock other) {
            this.clock = Optional.of(other);
            return this;
        }

        /**
         * How long operations, and tickets that nobody redeems, are remembered. Rows are removed by {@link JdbcCounterStore#purge}.
         *
         * @param time how long; 24 hours unless set
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
         * Checks that the tables are there.
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
     * The same counters, but what is done to them is done in a transaction of the host's: it is there exactly if the host commits. Calls see what the transaction did before. They lock
     * what they change until it ends, and are not begun again by themselves after a deadlock.
     *
     * <p>READ COMMITTED is recommended. At REPEATABLE READ and above, what is read is as old as the transaction's snapshot: {@link io.feedkit.unread.Conversations#unsend} refuses messages that were sent
     * since, and a reaction that was taken back since is seen as there. PostgreSQL then refuses to change what others changed since the snapshot, with {@link io.feedkit.StoreUnavailableException}.
     *
     * @param transaction the host's transaction, on a connection to this database; whether it is one to the same tables is not checked
     * @return counters for the thread and the time of the transaction
     */
    public CounterStore in(JdbcTransaction transaction) {
        return counters.in(transaction.connection());
    }

    /**
     * Removes what is remembered of operations and tickets for longer than {@link Builder#operationsKept}, the oldest first. Nothing else removes it, so a host calls this from time to time.
     *
     * @param limit how many operations, and how many tickets, at most; at least 1
     * @return how many of both were removed
     * @throws IllegalArgumentException if the limit is less
     */
    public int purge(int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit must be at least 1, but is " + limit);
        }
        return counters.purge(limit);
    }

    /**
     * Removes what users viewed longer ago; what was counted stays. Nothing else removes it but {@link io.feedkit.counter.Views#forget}, so a host that counts views calls this from time to time.
     * It walks through the views of all users in small transactions of its own, and the next call of this store goes on where it stopped.
     *
     * @param olderThan how long ago, by this store's clock; at least the window of the {@link io.feedkit.counter.Views}, or views in the window count again
     * @param limit how many at most; at least 1
     * @return how many were removed; if they are less than the limit, the end was reached
     * @throws IllegalArgumentException if the limit is less, or the time is negative or longer than 2^63 - 1 milliseconds
     */
    public int purgeViews(Duration olderThan, int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit must be at least 1, but is " + limit);
        }
        if (olderThan.isNegative() || olderThan.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("olderThan must be between 0 and " + LONGEST + ", but is " + olderThan);
        }
        return counters.purgeViews(olderThan, limit);
    }

    /**
     * A count that was wrong.
     *
     * @param kind the kind of the reaction
     * @param post the post
     * @param was what it held
     * @param is how many users have reacted
     */
    public record Repair(String kind, String post, long was, long is) {}

    /**
     * Counts the reactions to all posts again, by who reacted, and repairs counts that are wrong. No call of this library makes one wrong; a restored backup or a change by hand may. It reads all reactions in one
     * statement, so call it when there is little to do. Reactions may come meanwhile: what is repaired is what was wrong at one moment. Of processes that do so at once each repairs the same, which makes counts
     * wrong; the next call repairs that.
     *
     * @param limit how many counts are repaired at most; at least 1
     * @return what was repaired, by post; if they are less than the limit, nothing else was wrong
     * @throws IllegalArgumentException if the limit is less
     */
    public List<Repair> reconcile(int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit must be at least 1, but is " + limit);
        }
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

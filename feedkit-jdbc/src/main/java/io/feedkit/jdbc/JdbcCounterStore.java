package io.feedkit.jdbc;

import io.feedkit.Beta;
import io.feedkit.PublishTransaction;
import io.feedkit.counter.Reactions.Repair;
import io.feedkit.internal.check.Arguments;
import io.feedkit.jdbc.internal.counter.CounterTransactions;
import io.feedkit.jdbc.internal.counter.ReactionRecount;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.store.Maintenance;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.CounterSource;
import io.feedkit.spi.counter.Member;
import io.feedkit.spi.counter.Owner;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.IntUnaryOperator;
import javax.sql.DataSource;

/**
 * Unread counts, counters, reactions and views in H2, PostgreSQL, MySQL or MariaDB, in the tables {@code counter_...}
 * that {@link JdbcSchema} creates. The store works with and without a {@link JdbcFeedStore} beside it. It holds
 * connections only during its calls. Thread-safe.
 *
 * <p>A store starts one daemon thread, {@code feedkit-jdbc-maintenance}, which removes expired rows: old operations and
 * tickets ({@link Builder#operationsKept}), marks of idle users ({@link Builder#idleKept}), old views
 * ({@link Builder#viewsKept}), and rows of zeros. To find old views, it scans all views. If a scan finds none, the next
 * scan starts an eighth of {@code viewsKept} later, so some views stay that much longer. Close the store before its
 * data source. A store without the thread need not be closed; see {@link Builder#maintenanceInterval}.
 *
 * <p>Each call of the store is one transaction: a batch takes effect as a whole, or not at all. Classes such as
 * {@code UnreadCounter} make a call for each thousand users or counters. If the connection is lost during the
 * commit, the call throws {@link io.feedkit.OutcomeUnknownException}.
 *
 * @since 0.1.0
 */
public final class JdbcCounterStore implements CounterSource, AutoCloseable {

    /** How long views are kept: much longer than a window in which a view counts once. */
    public static final Duration DEFAULT_VIEWS_KEPT = Duration.ofDays(30);

    /**
     * How long the marks of an idle user are kept. A user who returns later has no unread announcements, and sees the
     * dots that are shown to all users.
     */
    public static final Duration DEFAULT_IDLE_KEPT = Duration.ofDays(30);

    private static final Duration SHORTEST_KEPT = Duration.ofSeconds(1);
    private static final Duration SHORTEST_IDLE_KEPT = Duration.ofDays(1);

    /** An upper bound of the number of kinds of rows that are removed. */
    private static final int MOST_KINDS = 8;

    private static final Duration LONGEST = Duration.ofMillis(Long.MAX_VALUE);

    private final CounterTransactions counters;
    private final Maintenance maintenance;

    private JdbcCounterStore(CounterTransactions counters, Builder settings) {
        this.counters = counters;
        List<Maintenance.Named> jobs = List.of(
                new Maintenance.Named("counters.purgeOperations", counters::purgeOperations),
                new Maintenance.Named("counters.purgeTickets", counters::purgeTickets),
                new Maintenance.Named("counters.purgeIdle", counters::purgeIdle),
                new Maintenance.Named(
                        "counters.purgeViews", new Walk(counters::purgeSomeViews, counters::mayHaveExpiredViews)),
                new Maintenance.Named(
                        "counters.purgeZeros", new Walk(counters::purgeSomeZeros, counters::mayHaveZeros)));
        maintenance = new Maintenance(jobs, settings.maintenanceInterval, JdbcFeedStore.DEFAULT_TIMEOUT);
    }

    /** A scan of a table, which the thread skips for a while after a complete scan that found no rows to remove. */
    private record Walk(IntUnaryOperator purge, BooleanSupplier due) implements Maintenance.Job {

        @Override
        public int run(int limit) {
            return purge.applyAsInt(limit);
        }

        @Override
        public boolean isDue() {
            return due.getAsBoolean();
        }
    }

    /**
     * Creates a store on the tables with the default prefix in the connections' own schema.
     *
     * @param dataSource the database of the tables
     * @return the store
     * @throws IllegalArgumentException as {@link Builder#build}
     * @throws SchemaVersionException if the tables are missing or of another version
     * @throws io.feedkit.StoreUnavailableException if the database does not answer
     */
    public static JdbcCounterStore create(DataSource dataSource) {
        return builder(dataSource).build();
    }

    /**
     * Returns a builder of a store.
     *
     * @param dataSource the database of the tables
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
        private Duration viewsKept = DEFAULT_VIEWS_KEPT;
        private Duration idleKept = DEFAULT_IDLE_KEPT;
        private Duration maintenanceInterval = JdbcFeedStore.DEFAULT_MAINTENANCE_INTERVAL;

        private Builder(DataSource dataSource) {
            this.dataSource = Arguments.nonNull("dataSource", dataSource);
        }

        /**
         * Names the schema of the tables; in MySQL and MariaDB a database.
         *
         * @param schema the schema; by default the connections' own
         * @return this builder
         */
        public Builder schema(String schema) {
            this.schema = Arguments.nonNull("schema", schema);
            return this;
        }

        /**
         * Sets the prefix of the tables' names.
         *
         * @param prefix the prefix; {@value JdbcSchema#DEFAULT_PREFIX} by default
         * @return this builder
         */
        public Builder prefix(String prefix) {
            this.prefix = Arguments.nonNull("prefix", prefix);
            return this;
        }

        /**
         * Replaces the database's clock for the age of operations. For tests.
         *
         * @param clock the clock
         * @return this builder
         */
        public Builder clock(Clock clock) {
            this.clock = Optional.of(Arguments.nonNull("clock", clock));
            return this;
        }

        /**
         * Sets how long this store's operations and unredeemed tickets are remembered. Other stores on the same tables
         * remember them for the same time. Older ones are removed.
         *
         * @param operationsKept how long, from a second to 2^63 - 1 milliseconds; 24 hours by default. It must be
         *     longer than any call takes, and longer than a host repeats calls
         * @return this builder
         * @throws IllegalArgumentException if it is null or out of range
         */
        public Builder operationsKept(Duration operationsKept) {
            this.operationsKept = Arguments.between("operationsKept", operationsKept, SHORTEST_KEPT, LONGEST);
            return this;
        }

        /**
         * Sets how long views are kept; the counts stay. All stores on the same tables should have the same setting.
         *
         * @param viewsKept how long, from zero to 2^63 - 1 milliseconds; {@link JdbcCounterStore#DEFAULT_VIEWS_KEPT} by
         *     default. {@link io.feedkit.counter.Views} refuses a window that is longer
         * @return this builder
         * @throws IllegalArgumentException if it is null or out of range
         */
        public Builder viewsKept(Duration viewsKept) {
            this.viewsKept = Arguments.between("viewsKept", viewsKept, Duration.ZERO, LONGEST);
            return this;
        }

        /**
         * Sets how long the marks of an idle user are kept. There are two groups of marks: the user's marks of
         * announcements, and the user's marks of dots, with the dots that are shown to this user alone. Each group
         * expires as a whole, up to two days later. A writing call counts as a use even if it changes nothing, such as
         * {@link io.feedkit.unread.Announcements#enter} at each visit. Reading does not count. All stores on the same
         * tables should have the same setting.
         *
         * @param idleKept how long, from a day to 2^63 - 1 milliseconds; {@link JdbcCounterStore#DEFAULT_IDLE_KEPT} by
         *     default
         * @return this builder
         * @throws IllegalArgumentException if it is null or out of range
         */
        public Builder idleKept(Duration idleKept) {
            this.idleKept = Arguments.between("idleKept", idleKept, SHORTEST_IDLE_KEPT, LONGEST);
            return this;
        }

        /**
         * Sets how often expired rows are removed; see {@link JdbcCounterStore#purge}.
         *
         * @param maintenanceInterval at most a day; zero for no thread;
         *     {@link JdbcFeedStore#DEFAULT_MAINTENANCE_INTERVAL} by default
         * @return this builder
         * @throws IllegalArgumentException if it is null or out of range
         */
        public Builder maintenanceInterval(Duration maintenanceInterval) {
            this.maintenanceInterval =
                    Arguments.between("maintenanceInterval", maintenanceInterval, Duration.ZERO, Duration.ofDays(1));
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
            return new JdbcCounterStore(new CounterTransactions(database, operationsKept, viewsKept, idleKept), this);
        }
    }

    /**
     * Returns these counters in a transaction of the host's. Changes take effect if the host commits. Calls see earlier
     * changes of the transaction. They lock the rows they change until the transaction ends, and are not repeated after
     * a deadlock.
     *
     * <p>READ COMMITTED is recommended. At REPEATABLE READ and above, reads are as old as the transaction's snapshot:
     * {@link io.feedkit.unread.Conversations#remove} refuses messages that were added since, and a reaction that was
     * taken back since still counts. PostgreSQL then refuses to change rows that other transactions changed since the
     * snapshot, with {@link io.feedkit.StoreUnavailableException}. If a post was forgotten since the snapshot, a
     * reaction to it stays in the list of its newest users until the post is forgotten again.
     *
     * <p>For tables behind Redis, pass the result to {@code WriteBehindCounterStore.in}.
     *
     * @param transaction the host's transaction, on a connection to this database; the store does not check whether the
     *     connection leads to the same tables
     * @return counters for the thread and the duration of the transaction
     * @throws IllegalArgumentException if the connection is closed, has autocommit on, or leads to a database of
     *     another kind. With autocommit, each statement would be a transaction of its own, and numbers would be lost.
     *     The counters throw the same if autocommit is switched on later
     */
    public CounterSource in(JdbcTransaction transaction) {
        return counters.in(Arguments.nonNull("transaction", transaction).connection());
    }

    /**
     * Returns these counters in a transaction, as {@link #in(JdbcTransaction)} does.
     *
     * @throws IllegalArgumentException as {@link #in(JdbcTransaction)}, and if the transaction is not a
     *     {@link JdbcTransaction}
     */
    @Override
    public CounterSource joining(PublishTransaction transaction) {
        if (Arguments.nonNull("transaction", transaction) instanceof JdbcTransaction own) {
            return in(own);
        }
        throw new IllegalArgumentException(
                "transaction must be a JdbcTransaction on the database of the counters, but is" + " of type "
                        + transaction.getClass().getSimpleName());
    }

    /**
     * Removes expired rows now: operations and tickets, the oldest first; marks of idle users; views older than
     * {@link Builder#viewsKept}; and rows of zeros. An operation or ticket expires by the
     * {@link Builder#operationsKept} of the store that recorded it. For views and for zeros, a call visits some ten
     * thousand rows, and the next call continues after them. The maintenance thread does the same. A host with its own
     * scheduler sets {@link Builder#maintenanceInterval} to zero and calls this. Any number of processes may call it at
     * once.
     *
     * @param limit the maximum number of rows of each kind, and of idle users; at least 1
     * @return the number of removed rows and of idle users
     * @throws IllegalArgumentException if the limit is below 1
     */
    public int purge(int limit) {
        return maintenance.purge(Arguments.between("limit", limit, 1, Integer.MAX_VALUE / MOST_KINDS));
    }

    /**
     * Stops the maintenance thread after its current statement. The data source stays open. Calls still work, but
     * {@link #purge} removes nothing any more. Idempotent.
     */
    @Override
    public void close() {
        maintenance.close();
    }

    @Override
    public String toString() {
        return "JdbcCounterStore[" + counters + "]";
    }

    /**
     * Removes old views; the counts stay. Views older than {@link Builder#viewsKept} are removed without this method.
     * It walks through the views of all users in small transactions of its own. The next call of this store continues
     * where this one stopped.
     *
     * @param olderThan the age of the views, by this store's clock; at least the window of the
     *     {@link io.feedkit.counter.Views}, otherwise views in the window count again
     * @param limit the maximum number; at least 1
     * @return the number of removed views; if it is below the limit, all views were visited
     * @throws IllegalArgumentException if the limit is below 1, or the age is null, negative or longer than
     *     2^63 - 1 milliseconds
     */
    public int purgeViews(Duration olderThan, int limit) {
        Arguments.atLeast("limit", limit, 1);
        Arguments.between("olderThan", olderThan, Duration.ZERO, LONGEST);
        return counters.purgeViews(olderThan, limit);
    }

    /**
     * Recounts the reactions to all posts from the stored reactions, and repairs wrong counts. No call of this library
     * makes a count wrong, but a restored backup or a manual change may. One statement reads all reactions, so call
     * this at a quiet time. Reactions may arrive meanwhile: the statement compares the counts and reactions of one
     * moment. If several processes call this at once, each makes the same repair. Counts are then wrong again until the
     * next call.
     *
     * @param limit the maximum number of repairs; at least 1
     * @return the repairs, in the order of posts; if they are fewer than the limit, no other count was wrong
     * @throws IllegalArgumentException if the limit is below 1
     */
    public List<Repair> reconcile(int limit) {
        Arguments.atLeast("limit", limit, 1);
        return repairs(counters.recountReactions(limit));
    }

    /**
     * Recounts the reactions to all posts as {@link #reconcile} does, but changes nothing. One statement sees all
     * reactions and counts of one moment, so reactions that arrive meanwhile make no count look wrong.
     *
     * @param limit the maximum number of counts; at least 1
     * @return the repairs that {@link #reconcile} would make, in the order of posts; if they are fewer than the limit,
     *     no other count is wrong
     * @throws IllegalArgumentException if the limit is below 1
     */
    @Beta
    public List<Repair> wrongCounts(int limit) {
        Arguments.atLeast("limit", limit, 1);
        return repairs(counters.wrongReactionCounts(limit));
    }

    private static List<Repair> repairs(List<ReactionRecount.Mismatch> found) {
        return found.stream()
                .map(wrong -> Repair.of(wrong.key(), wrong.counted(), wrong.expected()))
                .toList();
    }

    @Override
    public String identity() {
        return counters.identity();
    }

    /** Returns the setting {@link Builder#viewsKept}. */
    @Override
    public Optional<Duration> viewsKept() {
        return counters.viewsKept();
    }

    @Override
    public List<Added> add(List<Add> adds) {
        return counters.add(adds);
    }

    @Override
    public void retract(List<Retraction> retractions) {
        counters.retract(retractions);
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

    @Override
    public void renew(Collection<Owner> owners) {
        counters.renew(owners);
    }
}

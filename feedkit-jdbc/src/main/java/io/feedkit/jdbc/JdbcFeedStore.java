package io.feedkit.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.OutcomeUnknownException;
import io.feedkit.StoreUnavailableException;
import io.feedkit.jdbc.internal.graph.JdbcFollowGraph;
import io.feedkit.jdbc.internal.host.HostPosts;
import io.feedkit.jdbc.internal.inbox.ExpiredInboxCleanup;
import io.feedkit.jdbc.internal.inbox.JdbcInbox;
import io.feedkit.jdbc.internal.log.JdbcFanoutLog;
import io.feedkit.jdbc.internal.log.NotificationListener;
import io.feedkit.jdbc.internal.outbox.JdbcOutbox;
import io.feedkit.jdbc.internal.seen.JdbcSeenMarks;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.TableNames;
import io.feedkit.jdbc.internal.store.Maintenance;
import io.feedkit.jdbc.internal.store.StoreChecks;
import io.feedkit.jdbc.internal.store.StorePool;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.SeenMarks;
import io.feedkit.spi.TransactionalOutbox;
import io.feedkit.spi.WritableFollowGraph;
import java.time.Clock;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;

/**
 * A feed store in a SQL database: H2, PostgreSQL, MySQL or MariaDB. The tables are made beforehand, by {@link JdbcSchema}.
 *
 * <p>The data source hands out connections that this store may commit on, with autocommit on or off and of any isolation; they are given back as they came. It
 * must not be one whose connections belong to a transaction of the host's, such as Spring's {@code TransactionAwareDataSourceProxy}: what is to be published
 * in such a transaction goes through {@link JdbcTransaction}.
 *
 * <p>A store starts one daemon thread, {@code feedkit-jdbc-maintenance}, which removes what is over; with {@link Builder#notifications} another,
 * {@code feedkit-jdbc-listener}, while an engine with workers is on it; and a store made from a URL has a pool, whose threads are HikariCP's. Immutable and thread-safe.
 */
public final class JdbcFeedStore implements FeedStore, AutoCloseable {

    /** The longest a statement may take: a third of an engine's lease, and a thousand times what one takes normally. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);

    /** How often what is over is removed: so often that a busy store has little to remove at a time. */
    public static final Duration DEFAULT_MAINTENANCE_INTERVAL = Duration.ofSeconds(10);

    /** Connections of a pool made from a URL: as many as keep a small database server busy. */
    public static final int DEFAULT_POOL_SIZE = 10;

    private final Database database;
    private final TransactionalOutbox outbox;
    private final WritableFollowGraph graph;
    private final SeenMarks seenMarks;
    private final Maintenance maintenance;
    private final Optional<NotificationListener> listener;
    private final Optional<HikariDataSource> ownPool;

    private JdbcFeedStore(
            Database database,
            Optional<HostPosts> posts,
            Optional<NotificationListener> listener,
            Optional<HikariDataSource> ownPool,
            Builder settings) {
        this.database = database;
        this.listener = listener;
        this.ownPool = ownPool;
        JdbcFanoutLog log = new JdbcFanoutLog(database, listener);
        outbox = new JdbcOutbox(database, log, posts);
        graph = new JdbcFollowGraph(database);
        seenMarks = new JdbcSeenMarks(database);
        maintenance = new Maintenance(
                List.of(
                        new Maintenance.Named("inbox.purge", new ExpiredInboxCleanup(database)::run),
                        new Maintenance.Named("log.forget", log::forget)),
                settings.maintenanceInterval,
                settings.timeout);
    }

    /**
     * A store with default settings on a data source of the host's, which is not closed with it.
     *
     * @param dataSource where the tables are
     * @return the store
     * @throws IllegalArgumentException as {@link Builder#build()}
     * @throws SchemaVersionException as {@link Builder#build()}
     * @throws StoreUnavailableException as {@link Builder#build()}
     */
    public static JdbcFeedStore create(DataSource dataSource) {
        return builder(dataSource).build();
    }

    /**
     * A store with default settings and a pool of its own.
     *
     * @param url the JDBC URL of where the tables are
     * @return the store
     * @throws IllegalArgumentException as {@link Builder#build()}
     * @throws SchemaVersionException as {@link Builder#build()}
     * @throws StoreUnavailableException as {@link Builder#build()}
     */
    public static JdbcFeedStore create(String url) {
        return builder(url).build();
    }

    /**
     * A store with default settings and a pool of its own.
     *
     * @param url the JDBC URL of where the tables are
     * @param user the database's user
     * @param password the user's password
     * @return the store
     * @throws IllegalArgumentException as {@link Builder#build()}
     * @throws SchemaVersionException as {@link Builder#build()}
     * @throws StoreUnavailableException as {@link Builder#build()}
     */
    public static JdbcFeedStore create(String url, String user, String password) {
        return builder(url).credentials(user, password).build();
    }

    /**
     * Begins a store on a data source of the host's.
     *
     * @param dataSource where the tables are
     * @return a builder
     */
    public static Builder builder(DataSource dataSource) {
        return new Builder(Optional.of(Builder.nonNull("dataSource", dataSource)), "");
    }

    /**
     * Begins a store with a pool of its own.
     *
     * @param url the JDBC URL of where the tables are
     * @return a builder
     */
    public static Builder builder(String url) {
        return new Builder(Optional.empty(), Builder.nonNull("url", url));
    }

    @Override
    public TransactionalOutbox outbox() {
        return outbox;
    }

    @Override
    public Inbox inbox(InboxLimits limits) {
        return new JdbcInbox(database, Builder.nonNull("limits", limits));
    }

    @Override
    public WritableFollowGraph graph() {
        return graph;
    }

    @Override
    public SeenMarks seenMarks() {
        return seenMarks;
    }

    /**
     * Removes some of what is over now: inboxes whose live window has passed, and finished tasks that can no longer be replayed. The maintenance thread does the
     * same; a host with a scheduler of its own sets {@link Builder#maintenanceInterval} to zero and calls this. Any number of processes may.
     *
     * @param limit the most inboxes, and the most tasks, to remove, at least 1
     * @return how many were removed, both together
     * @throws IllegalArgumentException if the limit is below 1
     * @throws StoreUnavailableException if the database does not answer
     * @throws OutcomeUnknownException if it no longer answers after something was removed, which stays removed
     */
    public int purge(int limit) {
        return maintenance.purge(Builder.between("limit", limit, 1, Integer.MAX_VALUE / 2));
    }

    /**
     * Ends the maintenance thread, the listening one, and the pool if this store made it; a data source of the host's stays open. Engines on this store are closed first. Idempotent.
     */
    @Override
    public void close() {
        listener.ifPresent(NotificationListener::close);
        maintenance.close();
        ownPool.ifPresent(HikariDataSource::close);
    }

    /**
     * Settings of a store. Each may be set once. Not thread-safe.
     *
     * <p>Every method throws {@link IllegalArgumentException} if the value is null, out of range, or of no use with the data source given, and
     * {@link IllegalStateException} if the setting was set before.
     */
    public static final class Builder {

        private static final Duration LONGEST = Duration.ofDays(1);

        private final Optional<DataSource> dataSource;
        private final String url;
        private final Set<String> given = new HashSet<>();
        private String schema = "";
        private String prefix = JdbcSchema.DEFAULT_PREFIX;
        private Optional<PostsTable> posts = Optional.empty();
        private Optional<Clock> clock = Optional.empty();
        private Duration timeout = DEFAULT_TIMEOUT;
        private Duration maintenanceInterval = DEFAULT_MAINTENANCE_INTERVAL;
        private boolean notifications;
        private int poolSize = DEFAULT_POOL_SIZE;
        private Optional<String> user = Optional.empty();
        private Optional<String> password = Optional.empty();

        private Builder(Optional<DataSource> dataSource, String url) {
            this.dataSource = dataSource;
            this.url = url;
        }

        /**
         * Names the schema of the tables; in MySQL and MariaDB a database.
         *
         * @param schema at most 30 characters a-z, 0-9 and _, not beginning with a digit; by default the connections' own schema
         * @return this builder
         */
        public Builder schema(String schema) {
            this.schema = once("schema", TableNames.requireIdentifier("schema", nonNull("schema", schema)));
            return this;
        }

        /**
         * Says what the names of the tables begin with.
         *
         * @param prefix at most 30 characters a-z, 0-9 and _, not beginning with a digit; {@link JdbcSchema#DEFAULT_PREFIX} by default
         * @return this builder
         */
        public Builder prefix(String prefix) {
            this.prefix = once("prefix", TableNames.requireIdentifier("prefix", nonNull("prefix", prefix)));
            return this;
        }

        /**
         * Reads posts from a table of the host's own, in the same database, and keeps only tombstones and tasks in FeedKit's.
         *
         * <p>A post is published when its row has been inserted, in the same transaction ({@link JdbcTransaction}) or before, and with the row's time: otherwise the publish fails
         * with an {@link IllegalArgumentException}, and has done nothing. Rows that were never published are posts as well, which nobody is told of: they are in authors' pages, and
         * come into feeds when these are rebuilt. What the three columns of a published row hold does not change. To take a post back, delete it with FeedKit while its row is there.
         * {@code docs/storage-sql.md} says more, and which indexes the table needs.
         *
         * @param posts the table; by default posts are in FeedKit's own
         * @return this builder
         */
        public Builder posts(PostsTable posts) {
            this.posts = Optional.of(once("posts", nonNull("posts", posts)));
            return this;
        }

        /**
         * Measures leases, live windows and the times of appends by another clock than the database's; for tests. All stores on the tables need the same clock.
         *
         * @param clock the clock
         * @return this builder
         */
        public Builder clock(Clock clock) {
            this.clock = Optional.of(once("clock", nonNull("clock", clock)));
            return this;
        }

        /**
         * Bounds how long a statement may take, and with a pool of the store's own also how long a connection is waited for.
         *
         * @param timeout a second to a day; {@link #DEFAULT_TIMEOUT} by default
         * @return this builder
         */
        public Builder timeout(Duration timeout) {
            this.timeout = once("timeout", between("timeout", timeout, Duration.ofSeconds(1)));
            return this;
        }

        /**
         * Sets how often what is over is removed; see {@link JdbcFeedStore#purge}.
         *
         * @param maintenanceInterval at most a day; zero for no thread; {@link #DEFAULT_MAINTENANCE_INTERVAL} by default
         * @return this builder
         */
        public Builder maintenanceInterval(Duration maintenanceInterval) {
            this.maintenanceInterval =
                    once("maintenanceInterval", between("maintenanceInterval", maintenanceInterval, Duration.ZERO));
            return this;
        }

        /**
         * Says whether publishes and deletes wake the workers of other processes at once, by LISTEN and NOTIFY of PostgreSQL. Without, these find what others published
         * at their next poll. All stores on the tables should have the same setting: one without it wakes nobody, and is not woken.
         *
         * <p>It is off by default because of what it costs. While an engine with workers is on the store, one connection of the data source listens and is used for nothing else.
         * A NOTIFY takes a lock, at commit, that all transactions of the database server which notify wait for, also those of the host's in which posts are published, and
         * such a transaction cannot be prepared for a two-phase commit. A pooler that shares server connections between transactions does not deliver notices. Polling goes on:
         * notices may be lost, and what is due later, such as retries, has none.
         *
         * @param notifications true for notices; needs PostgreSQL and its own driver, {@code org.postgresql}
         * @return this builder
         */
        public Builder notifications(boolean notifications) {
            this.notifications = once("notifications", notifications);
            return this;
        }

        /**
         * Sets how many connections the store's own pool has, without the one that {@link #notifications} takes. Every thread that reads, publishes or fans out uses one at a time.
         *
         * @param poolSize connections, 1 to 1000; {@link #DEFAULT_POOL_SIZE} by default
         * @return this builder
         */
        public Builder poolSize(int poolSize) {
            this.poolSize = once("poolSize", ownPoolOnly("poolSize", between("poolSize", poolSize, 1, 1000)));
            return this;
        }

        /**
         * Logs the store's own pool in.
         *
         * @param user the database's user
         * @param password the user's password
         * @return this builder
         */
        public Builder credentials(String user, String password) {
            this.user = Optional.of(once("credentials", ownPoolOnly("credentials", nonNull("user", user))));
            this.password = Optional.of(nonNull("password", password));
            return this;
        }

        /**
         * Makes the store, and starts its maintenance.
         *
         * @return the store
         * @throws IllegalArgumentException if the data source leads to a database that FeedKit does not speak, that is too old or read-only, or that does not order ids by
         *     bytes; if an update counts the rows it changes instead of those it finds ({@code useAffectedRows=true} in MySQL and MariaDB); if {@link #notifications} are
         *     wanted of another than PostgreSQL or through a foreign driver; if the host's table of posts or one of its columns is missing or of an unfit type; if its
         *     connections belong to transactions of the host's; or if no driver takes the URL
         * @throws SchemaVersionException if the tables are missing or of another version; the message says what to run
         * @throws StoreUnavailableException if the database does not answer
         */
        public JdbcFeedStore build() {
            if (dataSource.isPresent()) {
                return on(dataSource.get(), Optional.empty());
            }
            int connections = notifications ? poolSize + 1 : poolSize;
            HikariDataSource pool = StorePool.open(url, user, password, connections, timeout);
            try {
                return on(pool, Optional.of(pool));
            } catch (RuntimeException e) {
                pool.close();
                throw e;
            }
        }

        private JdbcFeedStore on(DataSource source, Optional<HikariDataSource> ownPool) {
            StoreChecks.requireOwnTransactions(source);
            Database database = new Database(source, new TableNames(schema, prefix), clock, timeout);
            StoreChecks.requireVersion(database);
            JdbcSchema.of(source, schema, prefix).check();
            StoreChecks.requireFit(database);
            Optional<HostPosts> host = posts.map(table -> HostPosts.of(database, table));
            Optional<NotificationListener> listener =
                    notifications ? Optional.of(NotificationListener.of(source, database, timeout)) : Optional.empty();
            Database told = listener.map(NotificationListener::channel)
                    .map(database::notifying)
                    .orElse(database);
            return new JdbcFeedStore(told, host, listener, ownPool, this);
        }

        private <T> T once(String setting, T value) {
            if (!given.add(setting)) {
                throw new IllegalStateException(setting + " was set before");
            }
            return value;
        }

        private <T> T ownPoolOnly(String setting, T value) {
            if (dataSource.isPresent()) {
                throw new IllegalArgumentException(
                        setting + " is for a pool of the store's own, but the data source is the host's");
            }
            return value;
        }

        private static <T> T nonNull(String setting, T value) {
            if (value == null) {
                throw new IllegalArgumentException(setting + " must not be null");
            }
            return value;
        }

        private static int between(String setting, int value, int least, int most) {
            if (value < least || value > most) {
                throw new IllegalArgumentException(
                        setting + " must be between " + least + " and " + most + ", but is " + value);
            }
            return value;
        }

        private static Duration between(String setting, Duration value, Duration least) {
            if (nonNull(setting, value).compareTo(least) < 0 || value.compareTo(LONGEST) > 0) {
                throw new IllegalArgumentException(
                        setting + " must be between " + least + " and " + LONGEST + ", but is " + value);
            }
            return value;
        }
    }
}

package io.feedkit.jdbc;

import static io.feedkit.internal.check.Arguments.between;
import static io.feedkit.internal.check.Arguments.nonNull;

import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.Beta;
import io.feedkit.OutcomeUnknownException;
import io.feedkit.StoreUnavailableException;
import io.feedkit.health.StoreDescription;
import io.feedkit.health.StoreDescription.Data;
import io.feedkit.internal.check.SetOnce;
import io.feedkit.jdbc.internal.inbox.JdbcInbox;
import io.feedkit.jdbc.internal.sql.TableNames;
import io.feedkit.jdbc.internal.store.StorePool;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.PresenceStore;
import io.feedkit.spi.RankSnapshots;
import io.feedkit.spi.SeenMarks;
import io.feedkit.spi.TransactionalOutbox;
import io.feedkit.spi.WritableFollowGraph;
import java.time.Clock;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * A feed store in a SQL database: H2, PostgreSQL, MySQL or MariaDB. The tables must exist; {@link JdbcSchema} creates
 * them.
 *
 * <p>The store commits on the data source's connections. These may have autocommit on or off, and any isolation level;
 * the store returns them with the settings that they had. The data source must not hand out connections that belong to
 * a transaction of the host's, as Spring's {@code TransactionAwareDataSourceProxy} does. To publish in its own
 * transaction, a host uses {@link JdbcTransaction}.
 *
 * <p>A store starts one daemon thread, {@code feedkit-jdbc-maintenance}, which removes expired rows. With
 * {@link Builder#notifications} it starts another, {@code feedkit-jdbc-listener}, while an engine with workers uses the
 * store. With {@link Builder#follows}, the thread {@code feedkit-follow-counts} counts edges for transactions of the
 * host, and ends after ten idle seconds. A store made from a URL has a pool, with HikariCP's threads. Immutable and
 * thread-safe.
 *
 * @since 0.1.0
 */
public final class JdbcFeedStore implements FeedStore, AutoCloseable {

    /** How long a statement may take: a third of an engine's lease, and a thousand times the normal duration. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);

    /** How often expired rows are removed: a busy store then has few of them at a time. */
    public static final Duration DEFAULT_MAINTENANCE_INTERVAL = Duration.ofSeconds(10);

    /** Connections of a pool made from a URL: enough to keep a small database server busy. */
    public static final int DEFAULT_POOL_SIZE = 10;

    private final StoreAssembly parts;

    private JdbcFeedStore(StoreAssembly parts) {
        this.parts = parts;
    }

    /**
     * Creates a store with default settings on a data source of the host's, which stays open when the store is closed.
     *
     * @param dataSource the database of the tables
     * @return the store
     * @throws IllegalArgumentException as {@link Builder#build()}
     * @throws SchemaVersionException as {@link Builder#build()}
     * @throws StoreUnavailableException as {@link Builder#build()}
     */
    public static JdbcFeedStore create(DataSource dataSource) {
        return builder(dataSource).build();
    }

    /**
     * Creates a store with default settings and a pool of its own.
     *
     * @param url the JDBC URL of the tables' database
     * @return the store
     * @throws IllegalArgumentException as {@link Builder#build()}
     * @throws SchemaVersionException as {@link Builder#build()}
     * @throws StoreUnavailableException as {@link Builder#build()}
     */
    public static JdbcFeedStore create(String url) {
        return builder(url).build();
    }

    /**
     * Creates a store with default settings and a pool of its own.
     *
     * @param url the JDBC URL of the tables' database
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
     * Returns a builder of a store on a data source of the host's.
     *
     * @param dataSource the database of the tables
     * @return a builder
     */
    public static Builder builder(DataSource dataSource) {
        return new Builder(Optional.of(nonNull("dataSource", dataSource)), "");
    }

    /**
     * Returns a builder of a store with a pool of its own.
     *
     * @param url the JDBC URL of the tables' database
     * @return a builder
     */
    public static Builder builder(String url) {
        return new Builder(Optional.empty(), nonNull("url", url));
    }

    @Override
    public TransactionalOutbox outbox() {
        return parts.outbox();
    }

    @Override
    public Inbox inbox(InboxLimits limits) {
        return new JdbcInbox(parts.database(), nonNull("limits", limits));
    }

    /**
     * Returns the follow graph: a {@link WritableFollowGraph} in FeedKit's own tables, or the host's table that
     * {@link Builder#follows} names.
     */
    @Override
    public FollowGraph graph() {
        return parts.graph();
    }

    @Override
    public SeenMarks seenMarks() {
        return parts.seenMarks();
    }

    /**
     * {@inheritDoc}
     *
     * <p>In PostgreSQL they are in an unlogged table: a save waits for no flush, and the table is empty after a crash
     * of the server or a failover.
     */
    @Override
    public Optional<RankSnapshots> rankSnapshots() {
        return Optional.of(parts.rankSnapshots());
    }

    /**
     * Returns presence in the same database, for {@link io.feedkit.FeedEngineBuilder#presence(PresenceStore)}. The
     * maintenance of this store removes readers who may be forgotten. A count reads a row for each reader that is kept.
     *
     * @return the presence of all engines on these tables
     */
    @Beta
    public PresenceStore presence() {
        return parts.presence();
    }

    /**
     * Removes expired rows now: inboxes whose live window has passed, finished tasks that can no longer be replayed,
     * orders of ranked feeds, and presence of readers who may be forgotten. The maintenance thread does the same. A
     * host with its own scheduler sets {@link Builder#maintenanceInterval} to zero and calls this. Any number of
     * processes may call it at once.
     *
     * @param limit the maximum number of rows of each kind to remove, at least 1
     * @return the number of removed rows of these kinds together
     * @throws IllegalArgumentException if the limit is below 1
     * @throws StoreUnavailableException if the database does not answer
     * @throws OutcomeUnknownException if the database stops answering after some rows were removed; these stay removed
     */
    public int purge(int limit) {
        return parts.maintenance().purge(between("limit", limit, 1, Integer.MAX_VALUE / 2));
    }

    /**
     * Stops the store's threads, and closes its own pool if it has one. A data source of the host's stays open. The
     * host closes the engines on this store first. Idempotent.
     */
    @Override
    public void close() {
        parts.close();
    }

    @Override
    public List<StoreDescription> describe() {
        return List.of(new StoreDescription(
                EnumSet.range(Data.POSTS, Data.INBOXES),
                parts.database().place() + ", " + parts.database(),
                parts.durability().durability(),
                parts.durability().dangers()));
    }

    @Override
    public String toString() {
        return "JdbcFeedStore[" + parts.database() + "]";
    }

    /**
     * Settings of a store. Each may be set once. Not thread-safe.
     *
     * <p>Every method throws {@link IllegalArgumentException} if the value is null, out of range, or useless with the
     * given data source, and {@link IllegalStateException} if the setting was set before.
     */
    public static final class Builder {

        private static final Duration LONGEST = Duration.ofDays(1);

        private final Optional<DataSource> dataSource;
        private final String url;
        private final SetOnce given = new SetOnce();
        private String schema = "";
        private String prefix = JdbcSchema.DEFAULT_PREFIX;
        private Optional<PostsTable> posts = Optional.empty();
        private Optional<FollowsTable> follows = Optional.empty();
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
         * @param schema at most 30 characters a-z, 0-9 and _, not beginning with a digit; by default the connections'
         *     own schema
         * @return this builder
         */
        public Builder schema(String schema) {
            this.schema = given.once("schema", TableNames.requireIdentifier("schema", nonNull("schema", schema)));
            return this;
        }

        /**
         * Sets the prefix of the tables' names.
         *
         * @param prefix at most 30 characters a-z, 0-9 and _, not beginning with a digit; by default
         *     {@link JdbcSchema#DEFAULT_PREFIX}
         * @return this builder
         */
        public Builder prefix(String prefix) {
            this.prefix = given.once("prefix", TableNames.requireIdentifier("prefix", nonNull("prefix", prefix)));
            return this;
        }

        /**
         * Reads posts from a table of the host's, in the same database. FeedKit's tables then hold only tombstones and
         * tasks.
         *
         * <p>The host inserts a post's row in the same transaction ({@link JdbcTransaction}) as the publish, or before,
         * and with the published time. Otherwise the publish fails with an {@link IllegalArgumentException} and changes
         * nothing. A row that was never published is a post as well, but it has no fan-out: its author's page shows it,
         * and feeds show it when they are rebuilt. The three columns of a published row do not change. To delete a
         * post, delete it with FeedKit while its row exists. The details, and the indexes that the table needs, are in
         * {@code docs/guides/own-tables.md}.
         *
         * @param posts the table; by default FeedKit's own
         * @return this builder
         */
        public Builder posts(PostsTable posts) {
            this.posts = Optional.of(given.once("posts", nonNull("posts", posts)));
            return this;
        }

        /**
         * Reads the follow graph from a table of the host's, in the same database. FeedKit only reads it. The host
         * writes it, and reports changes through {@link io.feedkit.HostGraph}. Ids are compared by bytes, as text. If
         * an index is missing, the store logs a warning with the statement that creates it. The details are
         * in {@code docs/guides/own-tables.md}.
         *
         * @param follows the table; by default FeedKit's own
         * @return this builder
         */
        @Beta
        public Builder follows(FollowsTable follows) {
            this.follows = Optional.of(given.once("follows", nonNull("follows", follows)));
            return this;
        }

        /**
         * Replaces the database's clock for leases, live windows and the times of appends. For tests. All stores on the
         * same tables need the same clock.
         *
         * @param clock the clock
         * @return this builder
         */
        public Builder clock(Clock clock) {
            this.clock = Optional.of(given.once("clock", nonNull("clock", clock)));
            return this;
        }

        /**
         * Limits the duration of a statement and, with a pool of the store's own, the wait for a connection.
         *
         * @param timeout a second to a day; {@link #DEFAULT_TIMEOUT} by default
         * @return this builder
         */
        public Builder timeout(Duration timeout) {
            this.timeout = given.once("timeout", between("timeout", timeout, Duration.ofSeconds(1), LONGEST));
            return this;
        }

        /**
         * Sets how often expired rows are removed; see {@link JdbcFeedStore#purge}.
         *
         * @param maintenanceInterval at most a day; zero for no thread; {@link #DEFAULT_MAINTENANCE_INTERVAL} by
         *     default
         * @return this builder
         */
        public Builder maintenanceInterval(Duration maintenanceInterval) {
            this.maintenanceInterval = given.once(
                    "maintenanceInterval", between("maintenanceInterval", maintenanceInterval, Duration.ZERO, LONGEST));
            return this;
        }

        /**
         * Lets publishes and deletes wake the workers of other processes at once, with LISTEN and NOTIFY of PostgreSQL.
         * Without this setting the other workers find new tasks at their next poll. All stores on the same tables
         * should have the same setting: a store without it sends no notifications and receives none.
         *
         * <p>Notifications are off by default because of their cost:
         *
         * <ul>
         *   <li>While an engine with workers uses the store, one connection of the data source is used only for
         *       listening.
         *   <li>At commit, a NOTIFY takes a lock that all notifying transactions of the database server wait for. This
         *       includes the host's transactions in which posts are published.
         *   <li>Such a transaction cannot be prepared for a two-phase commit.
         *   <li>A pooler that shares server connections between transactions does not deliver notifications.
         * </ul>
         *
         * <p>Workers still poll, because notifications may be lost, and because delayed tasks, such as retries, send
         * none.
         *
         * @param notifications true for notifications; they need PostgreSQL and its own driver, {@code org.postgresql}
         * @return this builder
         */
        public Builder notifications(boolean notifications) {
            this.notifications = given.once("notifications", notifications);
            return this;
        }

        /**
         * Sets the number of connections of the store's own pool, not counting the one that {@link #notifications}
         * uses. Every thread that reads, publishes or fans out uses one connection at a time.
         *
         * @param poolSize connections, 1 to 1000; {@link #DEFAULT_POOL_SIZE} by default
         * @return this builder
         */
        public Builder poolSize(int poolSize) {
            this.poolSize = given.once("poolSize", ownPoolOnly("poolSize", between("poolSize", poolSize, 1, 1000)));
            return this;
        }

        /**
         * Sets the credentials of the store's own pool.
         *
         * @param user the database's user
         * @param password the user's password
         * @return this builder
         */
        public Builder credentials(String user, String password) {
            this.user = Optional.of(given.once("credentials", ownPoolOnly("credentials", nonNull("user", user))));
            this.password = Optional.of(nonNull("password", password));
            return this;
        }

        /**
         * Builds the store, and starts its maintenance thread.
         *
         * @return the store
         * @throws IllegalArgumentException if the database is not supported, too old or read-only, or does not order
         *     ids by bytes; if the driver counts the changed rows of an update instead of the matched rows
         *     ({@code useAffectedRows=true} in MySQL and MariaDB); if {@link #notifications} are on without PostgreSQL
         *     or with another driver; if a table of the host's or one of its columns is missing or of a wrong type; if
         *     the connections belong to transactions of the host's; or if no driver accepts the URL
         * @throws SchemaVersionException if the tables are missing or of another version; the message names the remedy
         * @throws StoreUnavailableException if the database does not answer
         */
        public JdbcFeedStore build() {
            StoreSettings settings = new StoreSettings(
                    schema, prefix, posts, follows, clock, timeout, maintenanceInterval, notifications);
            if (dataSource.isPresent()) {
                return new JdbcFeedStore(StoreAssembly.on(dataSource.get(), Optional.empty(), settings));
            }
            int connections = notifications ? poolSize + 1 : poolSize;
            HikariDataSource pool = StorePool.open(url, user, password, connections, timeout);
            try {
                return new JdbcFeedStore(StoreAssembly.on(pool, Optional.of(pool), settings));
            } catch (RuntimeException | Error e) {
                pool.close();
                throw e;
            }
        }

        private <T> T ownPoolOnly(String setting, T value) {
            if (dataSource.isPresent()) {
                throw new IllegalArgumentException(
                        setting + " applies only to a pool of the store's own, but the data source is the host's");
            }
            return value;
        }
    }
}

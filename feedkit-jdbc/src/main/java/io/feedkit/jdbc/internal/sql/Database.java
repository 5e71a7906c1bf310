package io.feedkit.jdbc.internal.sql;

import static java.sql.Connection.TRANSACTION_READ_COMMITTED;
import static java.sql.Connection.TRANSACTION_SERIALIZABLE;

import io.feedkit.FeedKitException;
import io.feedkit.internal.check.Addresses;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.IntSupplier;
import javax.sql.DataSource;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Handles;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.ColonPrefixSqlParser;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.SqlParser;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jdbi.v3.core.statement.SqlStatements;
import org.jdbi.v3.core.statement.TemplateEngine;
import org.jdbi.v3.core.statement.Update;

/**
 * The stores' access to the database. It inserts the tables' names and the store's clock into statements, runs them
 * alone or in transactions at READ COMMITTED, and turns failures into FeedKit's exceptions. Work that the database
 * rolled back because of other transactions (a deadlock, a serialization failure) is retried.
 *
 * <p>Connections may have autocommit on or off, and any isolation level, but all must have the same. They are returned
 * with their original settings. Thread-safe.
 */
public final class Database {

    private static final int UPSERT_TRIES = 12;
    private static final long LONGEST_PAUSE_MILLIS = 200;
    private static final int MOST_DOUBLINGS = 8;

    /** What a connection is used for. */
    private enum Access {
        READ,
        STATEMENT,
        TRANSACTION
    }

    /** Caches parsed statements, also for the connections of hosts: parsing takes longer than many statements. */
    private final SqlParser parser;

    private final Jdbi jdbi;
    private final Dialect dialect;
    private final TableNames names;
    private final Optional<Clock> clock;
    private final Duration timeout;
    private final boolean readCommittedByDefault;
    private final Optional<String> address;
    private final Optional<String> posts;
    private final Optional<String> channel;
    private final Optional<Connection> host;

    /**
     * Finds out which database a data source leads to.
     *
     * @param clock replaces the database's clock, for tests
     * @param timeout how long a statement may take, and how long work that was rolled back is retried
     * @throws IllegalArgumentException if FeedKit does not support the database
     */
    public Database(DataSource dataSource, TableNames names, Optional<Clock> clock, Duration timeout) {
        this.names = names;
        this.clock = clock;
        this.timeout = timeout;
        this.posts = Optional.empty();
        this.channel = Optional.empty();
        this.host = Optional.empty();
        this.parser = new ColonPrefixSqlParser();
        this.jdbi = configured(Jdbi.create(dataSource));
        try (Connection connection = dataSource.getConnection()) {
            this.dialect = Dialect.of(connection);
            this.address = address(connection);
            this.readCommittedByDefault = connection.getTransactionIsolation() == TRANSACTION_READ_COMMITTED;
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
        } catch (SQLException e) {
            throw Failures.unavailable("jdbc.connect", e);
        }
    }

    private Database(Database other, Optional<String> posts, Optional<String> channel, Optional<Connection> host) {
        this.names = other.names;
        this.clock = other.clock;
        this.timeout = other.timeout;
        this.parser = other.parser;
        this.jdbi = other.jdbi;
        this.dialect = other.dialect;
        this.readCommittedByDefault = other.readCommittedByDefault;
        this.address = other.address;
        this.posts = posts;
        this.channel = channel;
        this.host = host;
    }

    private static Optional<String> address(Connection connection) throws SQLException {
        return Optional.ofNullable(connection.getMetaData().getURL());
    }

    /** Returns the same database, with a query in parentheses in place of the table <code>${post}</code>. */
    public Database withPosts(String query) {
        return new Database(this, Optional.of(query), channel, host);
    }

    /** Returns the same database, with <code>${notified}</code> as a column that notifies a channel of new tasks. */
    public Database notifying(String name) {
        return new Database(this, posts, Optional.of(name), host);
    }

    /**
     * Returns the same database, with {@linkplain #read queries} in a transaction of the host's instead of on a
     * connection of their own. Only the transaction's thread may use it. If the transaction is SERIALIZABLE in MySQL or
     * MariaDB, queries would lock the rows they read, and still run on a connection of their own.
     */
    public Database readingIn(Connection transaction) {
        return new Database(this, posts, channel, Optional.of(transaction));
    }

    /**
     * Whether a connection has the same address as this database. A database may have several addresses, but a pool has
     * one.
     */
    public boolean isAt(Connection connection) {
        try {
            return address.isPresent() && address.equals(address(connection));
        } catch (SQLException e) {
            throw Failures.unavailable("jdbc.connect", e);
        }
    }

    /** Whether <code>${notified}</code> notifies a channel. */
    public boolean isNotifying() {
        return channel.isPresent();
    }

    private Jdbi configured(Jdbi fresh) {
        fresh.getConfig(Handles.class).setForceEndTransactions(false);
        SqlStatements statements = fresh.getConfig(SqlStatements.class);
        statements.setTemplateEngine(TemplateEngine.NOP);
        statements.setSqlParser(parser);
        statements.setQueryTimeout((int) Math.max(1, timeout.toSeconds()));
        return fresh;
    }

    /** The database's dialect. */
    public Dialect dialect() {
        return dialect;
    }

    /** The scripts that created the tables. */
    SchemaScripts scripts() {
        return new SchemaScripts(dialect, names, SchemaScripts.LATEST);
    }

    /**
     * Returns the text of a statement. <code>${post}</code> is a table, and <code>${now}</code> is the store's clock in
     * milliseconds. <code>${written}</code> is the clock for rows that are written in a transaction that may have been
     * open for a long time.
     */
    public String sql(String template) {
        String parameter = dialect.number(":now");
        String located = posts.map(query -> template.replace("${post}", query)).orElse(template);
        String notified = channel.map(", pg_notify('%s', '')"::formatted).orElse("");
        return names.resolve(located.replace("${notified}", notified)
                .replace("${now}", clock.isPresent() ? parameter : dialect.now())
                .replace("${written}", clock.isPresent() ? parameter : dialect.written()));
    }

    /** Creates a query whose text came from {@link #sql}. */
    public Query query(Handle handle, String sql) {
        return timed(handle.createQuery(sql), sql);
    }

    /** Creates an update whose text came from {@link #sql}. */
    public Update update(Handle handle, String sql) {
        return timed(handle.createUpdate(sql), sql);
    }

    /** Creates a query whose text came from {@link #sql} and contains the source of a parameter table. */
    public Query query(Handle handle, String sql, ParameterTable.Rows rows) {
        return rows.bindTo(query(handle, sql), dialect);
    }

    /** Creates an update whose text came from {@link #sql} and contains the source of a parameter table. */
    public Update update(Handle handle, String sql, ParameterTable.Rows rows) {
        return rows.bindTo(update(handle, sql), dialect);
    }

    /** Runs an update whose text contains the source of a parameter table, and returns the number of changed rows. */
    public int execute(Handle handle, String sql, ParameterTable.Rows rows) {
        return update(handle, sql, rows).execute();
    }

    /**
     * Creates a batch of updates whose text came from {@link #sql}. If the text contains the clock, the caller calls
     * {@link #bindNow} for each update.
     */
    public PreparedBatch batch(Handle handle, String sql) {
        return handle.prepareBatch(sql);
    }

    /** Binds the store's clock to a statement that has it as a parameter. */
    public <S extends SqlStatement<S>> S bindNow(S statement) {
        return clock.isPresent() ? statement.bind("now", clock.get().millis()) : statement;
    }

    private <S extends SqlStatement<S>> S timed(S statement, String sql) {
        return sql.contains(":now") ? bindNow(statement) : statement;
    }

    /** The store's time. */
    public long now(Handle handle) {
        return clock.isPresent()
                ? clock.get().millis()
                : handle.createQuery("SELECT " + dialect.now())
                        .mapTo(Long.class)
                        .one();
    }

    /** Runs queries. Each sees the rows that are committed when it starts. */
    public <T> T read(String operation, Function<Handle, T> work) {
        return host.isPresent() && queriesLockNothing(host.get())
                ? joined(operation, host.get(), work)
                : run(operation, Access.READ, work);
    }

    private boolean queriesLockNothing(Connection connection) {
        try {
            return !dialect.isMySql() || connection.getTransactionIsolation() != TRANSACTION_SERIALIZABLE;
        } catch (SQLException e) {
            throw Failures.unavailable("jdbc.isolation", e);
        }
    }

    /** Runs one statement that writes, as one transaction. */
    public <T> T statement(String operation, Function<Handle, T> work) {
        return run(operation, Access.STATEMENT, work);
    }

    /** Runs one statement that inserts a row with a unique key. Returns false if the key exists already. */
    public boolean onceOnly(String operation, Function<Handle, Boolean> work) {
        try {
            return statement(operation, work);
        } catch (FeedKitException e) {
            if (Failures.isDuplicateKey(e)) {
                return false;
            }
            throw e;
        }
    }

    /**
     * Executes a statement that inserts or updates. In H2 another transaction may insert the same key meanwhile; then
     * the statement is repeated until it finds that key. After too many repetitions the whole work is retried, as after
     * a deadlock.
     */
    public int upsert(IntSupplier statement) {
        for (int tried = 1; ; tried++) {
            try {
                return statement.getAsInt();
            } catch (RuntimeException e) {
                if (dialect != Dialect.H2 || !Failures.isDuplicateKey(e)) {
                    throw e;
                }
                if (tried == UPSERT_TRIES) {
                    throw new LostUpsert(e);
                }
            }
        }
    }

    /** Other transactions repeatedly inserted and deleted the key of an upsert. */
    private static final class LostUpsert extends RuntimeException {
        private static final long serialVersionUID = 1;

        LostUpsert(RuntimeException duplicateKey) {
            super(duplicateKey);
        }
    }

    /** Runs a transaction. A retry repeats the whole work. */
    public <T> T transaction(String operation, Function<Handle, T> work) {
        return run(operation, Access.TRANSACTION, work);
    }

    /**
     * Runs work in a transaction of the host's, which only the host commits or rolls back. The work is not retried.
     *
     * @throws IllegalArgumentException if the connection has autocommit on
     */
    public <T> T joined(String operation, Connection connection, Function<Handle, T> work) {
        HostConnections.requireNoAutocommit(operation, connection);
        Jdbi host = configured(Jdbi.create(connection));
        try (Handle handle = host.open()) {
            return work.apply(handle);
        } catch (RuntimeException e) {
            throw Failures.isOfDatabase(e) ? Failures.unavailable(operation, e) : e;
        }
    }

    private <T> T run(String operation, Access access, Function<Handle, T> work) {
        long begun = System.nanoTime();
        for (int tried = 1; ; tried++) {
            try {
                return attempt(operation, access, work);
            } catch (FeedKitException e) {
                boolean lost = Failures.isContention(e) || e.getCause() instanceof LostUpsert;
                if (!lost || isTimedOut(begun)) {
                    throw e;
                }
                pause(operation, tried, e);
            }
        }
    }

    private boolean isTimedOut(long begun) {
        return Duration.ofNanos(System.nanoTime() - begun).compareTo(timeout) >= 0;
    }

    private <T> T attempt(String operation, Access access, Function<Handle, T> work) {
        try (Session session = open(operation)) {
            if (access == Access.TRANSACTION) {
                session.begin();
            }
            T answer;
            try {
                answer = work.apply(session.handle());
            } catch (RuntimeException e) {
                session.rollback();
                throw translated(operation, access, e);
            }
            session.commit(operation, access != Access.READ);
            return answer;
        }
    }

    private static RuntimeException translated(String operation, Access access, RuntimeException failure) {
        if (!Failures.isOfDatabase(failure)) {
            return failure;
        }
        return access == Access.STATEMENT && Failures.isAnswerLost(failure)
                ? Failures.unknown(operation, failure)
                : Failures.unavailable(operation, failure);
    }

    private Session open(String operation) {
        try {
            return Session.of(jdbi.open(), readCommittedByDefault);
        } catch (RuntimeException | SQLException e) {
            throw Failures.unavailable(operation, e);
        }
    }

    /** Waits a random time, longer with each try, so that the same transactions do not collide again. */
    private static void pause(String operation, int tried, FeedKitException failure) {
        long longest = Math.min(LONGEST_PAUSE_MILLIS, 1L << Math.min(tried, MOST_DOUBLINGS));
        try {
            TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextLong(longest + 1));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Failures.unavailable(operation, failure);
        }
    }

    /** The address, without credentials and parameters. */
    public String place() {
        return address.map(url -> Addresses.clean(url).split("[?;]", 2)[0]).orElse("an unknown address");
    }

    /** The kind of the database and the prefix of the tables' names, without an address. */
    @Override
    public String toString() {
        return dialect + ", tables " + names.qualifier() + "*";
    }
}

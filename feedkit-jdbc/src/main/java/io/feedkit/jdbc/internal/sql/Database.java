package io.feedkit.jdbc.internal.sql;

import static java.sql.Connection.TRANSACTION_READ_COMMITTED;
import static java.sql.Connection.TRANSACTION_SERIALIZABLE;

import io.feedkit.FeedKitException;
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
 * The database, as the stores see it: statements with the tables' names and the store's clock put in, run alone or in transactions at READ COMMITTED,
 * whose failures are FeedKit's. Whatever the database rolled back for the sake of others (a deadlock, a serialization failure) is tried again.
 *
 * <p>Connections may come with autocommit on or off and with any isolation, as long as it is the same for all; they are given back as they came. Thread-safe.
 */
public final class Database {

    private static final int UPSERT_TRIES = 12;
    private static final long LONGEST_PAUSE_MILLIS = 200;
    private static final int MOST_DOUBLINGS = 8;

    /** What is done with a connection. */
    private enum Kind {
        READ,
        STATEMENT,
        TRANSACTION
    }

    /** Remembers what it has parsed, also for the connections that hosts bring: parsing takes longer than many statements. */
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
     * Asks a data source what it leads to.
     *
     * @param clock instead of the database's own, for tests
     * @param timeout the longest a statement may take, and work that lost to others is begun again
     * @throws IllegalArgumentException if it leads to a database that FeedKit does not speak
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

    /** The same database, but in its statements <code>${post}</code> is a query in parentheses that reads posts from elsewhere. */
    public Database withPosts(String query) {
        return new Database(this, Optional.of(query), channel, host);
    }

    /** The same database, but its statements notify a channel of tasks: <code>${notified}</code> is a column that does so, and else nothing. */
    public Database notifying(String name) {
        return new Database(this, posts, Optional.of(name), host);
    }

    /**
     * The same database, but {@linkplain #read queries} run inside a transaction of the host's, and take no other connection. For the transaction's thread. In MySQL and MariaDB a
     * query locks what it reads if the transaction is SERIALIZABLE; then it runs outside, on a connection of its own.
     */
    public Database readingIn(Connection transaction) {
        return new Database(this, posts, channel, Optional.of(transaction));
    }

    /** Whether a connection leads to this database, as far as its address tells: the same host may be known by several, but no pool hands out two. */
    public boolean isAt(Connection connection) {
        try {
            return address.isPresent() && address.equals(address(connection));
        } catch (SQLException e) {
            throw Failures.unavailable("jdbc.connect", e);
        }
    }

    /** Whether <code>${notified}</code> does anything. */
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

    /** The scripts that made the tables. */
    SchemaScripts scripts() {
        return new SchemaScripts(dialect, names, SchemaScripts.LATEST);
    }

    /**
     * The text of a statement: <code>${post}</code> is a table, <code>${now}</code> the store's clock in milliseconds, <code>${written}</code> the same for rows that may be written in a
     * transaction that has been open for long.
     */
    public String sql(String template) {
        String parameter = dialect.number(":now");
        String located = posts.map(query -> template.replace("${post}", query)).orElse(template);
        String notified = channel.map(", pg_notify('%s', '')"::formatted).orElse("");
        return names.resolve(located.replace("${notified}", notified)
                .replace("${now}", clock.isPresent() ? parameter : dialect.now())
                .replace("${written}", clock.isPresent() ? parameter : dialect.written()));
    }

    /** A query whose text came from {@link #sql}. */
    public Query query(Handle handle, String sql) {
        return timed(handle.createQuery(sql), sql);
    }

    /** An update whose text came from {@link #sql}. */
    public Update update(Handle handle, String sql) {
        return timed(handle.createUpdate(sql), sql);
    }

    /** A query whose text came from {@link #sql} and has the source of a parameter table in it. */
    public Query query(Handle handle, String sql, ParameterTable.Rows rows) {
        return rows.bindTo(query(handle, sql), dialect);
    }

    /** An update whose text came from {@link #sql} and has the source of a parameter table in it. */
    public Update update(Handle handle, String sql, ParameterTable.Rows rows) {
        return rows.bindTo(update(handle, sql), dialect);
    }

    /** Runs an update whose text has the source of a parameter table in it, and returns how many rows it changed. */
    public int execute(Handle handle, String sql, ParameterTable.Rows rows) {
        return update(handle, sql, rows).execute();
    }

    /** A batch of updates whose text came from {@link #sql}; if that asks for the time, each binding binds {@code now} with {@link #bindNow}. */
    public PreparedBatch batch(Handle handle, String sql) {
        return handle.prepareBatch(sql);
    }

    /** Binds the store's clock to a statement that asks for it. */
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

    /** Runs queries that each see what is committed at its beginning. */
    public <T> T read(String operation, Function<Handle, T> work) {
        return host.isPresent() && queriesLockNothing(host.get())
                ? joined(operation, host.get(), work)
                : run(operation, Kind.READ, work);
    }

    private boolean queriesLockNothing(Connection connection) {
        try {
            return !dialect.isMySql() || connection.getTransactionIsolation() != TRANSACTION_SERIALIZABLE;
        } catch (SQLException e) {
            throw Failures.unavailable("jdbc.isolation", e);
        }
    }

    /** Runs one statement that writes, as a transaction of its own. */
    public <T> T statement(String operation, Function<Handle, T> work) {
        return run(operation, Kind.STATEMENT, work);
    }

    /** Runs one statement that adds something of which there can be only one, and answers false if there is one already. */
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
     * Executes a statement that inserts or updates; in H2, where another may have inserted the same key meanwhile, again until it finds that. If others win every time, all the
     * work is tried again, as after a deadlock.
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

    /** Others inserted and deleted the key of an upsert at the same time, again and again. */
    private static final class LostUpsert extends RuntimeException {
        private static final long serialVersionUID = 1;

        LostUpsert(RuntimeException duplicateKey) {
            super(duplicateKey);
        }
    }

    /** Runs a transaction. The work is repeated as a whole if it has to be tried again. */
    public <T> T transaction(String operation, Function<Handle, T> work) {
        return run(operation, Kind.TRANSACTION, work);
    }

    /** Runs work inside a transaction of the host's, which alone ends it. Nothing is tried again. */
    public <T> T joined(String operation, Connection connection, Function<Handle, T> work) {
        Jdbi host = configured(Jdbi.create(connection));
        try (Handle handle = host.open()) {
            return work.apply(handle);
        } catch (RuntimeException e) {
            throw Failures.isOfDatabase(e) ? Failures.unavailable(operation, e) : e;
        }
    }

    private <T> T run(String operation, Kind kind, Function<Handle, T> work) {
        long begun = System.nanoTime();
        for (int tried = 1; ; tried++) {
            try {
                return attempt(operation, kind, work);
            } catch (FeedKitException e) {
                boolean lost = Failures.isContention(e) || e.getCause() instanceof LostUpsert;
                if (!lost || isOver(begun)) {
                    throw e;
                }
                pause(operation, tried, e);
            }
        }
    }

    private boolean isOver(long begun) {
        return Duration.ofNanos(System.nanoTime() - begun).compareTo(timeout) >= 0;
    }

    private <T> T attempt(String operation, Kind kind, Function<Handle, T> work) {
        try (Session session = open(operation)) {
            if (kind == Kind.TRANSACTION) {
                session.begin();
            }
            T answer;
            try {
                answer = work.apply(session.handle());
            } catch (RuntimeException e) {
                session.rollback();
                throw dressed(operation, kind, e);
            }
            session.commit(operation, kind != Kind.READ);
            return answer;
        }
    }

    private static RuntimeException dressed(String operation, Kind kind, RuntimeException failure) {
        if (!Failures.isOfDatabase(failure)) {
            return failure;
        }
        return kind == Kind.STATEMENT && Failures.isCut(failure)
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

    /** Waits a little, longer each time and at random, so that those who met do not meet again. */
    private static void pause(String operation, int tried, FeedKitException failure) {
        long longest = Math.min(LONGEST_PAUSE_MILLIS, 1L << Math.min(tried, MOST_DOUBLINGS));
        try {
            TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextLong(longest + 1));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Failures.unavailable(operation, failure);
        }
    }
}

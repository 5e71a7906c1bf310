package io.feedkit.jdbc;

import io.feedkit.StoreUnavailableException;
import io.feedkit.jdbc.internal.sql.Dialect;
import io.feedkit.jdbc.internal.sql.SchemaScripts;
import io.feedkit.jdbc.internal.sql.TableNames;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.OptionalInt;
import javax.sql.DataSource;

/**
 * FeedKit's tables. Nothing here happens by itself: a host calls {@link #create} or {@link #upgrade}, runs the {@link #script} by hand, or points Flyway at
 * the scripts in this library ({@code classpath:feedkit-jdbc/postgresql}, {@code h2} or {@code mysql}).
 *
 * <p>Immutable and thread-safe. Two processes that create or upgrade at the same time are serialised by the database, or one of them fails and nothing is
 * half done where the database can roll tables back (PostgreSQL); MySQL, MariaDB and H2 cannot.
 */
public final class JdbcSchema {

    /** The version of the tables that this library works with. */
    public static final int VERSION = SchemaScripts.LATEST;

    /** What the names of tables begin with unless set otherwise. */
    public static final String DEFAULT_PREFIX = "feedkit_";

    private final DataSource dataSource;
    private final TableNames names;

    private JdbcSchema(DataSource dataSource, TableNames names) {
        this.dataSource = dataSource;
        this.names = names;
    }

    /**
     * The tables with the default prefix in the connections' own schema.
     *
     * @param dataSource where they are, or are to be
     * @return the schema
     */
    public static JdbcSchema of(DataSource dataSource) {
        return of(dataSource, "", DEFAULT_PREFIX);
    }

    /**
     * The tables with some prefix in some schema.
     *
     * @param dataSource where they are, or are to be
     * @param schema an existing schema (in MySQL and MariaDB a database); {@code ""} for the connections' own
     * @param prefix what the names of tables begin with
     * @return the schema
     * @throws IllegalArgumentException if the data source is null, or a name is not made of at most 30 characters a-z, 0-9 and _, or begins with a digit
     */
    public static JdbcSchema of(DataSource dataSource, String schema, String prefix) {
        if (dataSource == null) {
            throw new IllegalArgumentException("dataSource must not be null");
        }
        return new JdbcSchema(dataSource, new TableNames(schema, prefix));
    }

    /**
     * Makes the tables.
     *
     * @throws SchemaVersionException if there are some already
     * @throws StoreUnavailableException if the database refuses
     */
    public void create() {
        onConnection("schema.create", (connection, scripts) -> {
            int found = scripts.version(connection).orElse(0);
            if (found != 0) {
                throw new SchemaVersionException(
                        names.qualifier(), found, VERSION, "call upgrade() instead of create()");
            }
            scripts.run(connection, 0);
            return found;
        });
    }

    /**
     * Brings the tables to {@link #VERSION}, making them if there are none. Idempotent.
     *
     * @return the version found before; {@code 0} if there were no tables
     * @throws SchemaVersionException if they are newer than this library
     * @throws StoreUnavailableException if the database refuses
     */
    public int upgrade() {
        return onConnection("schema.upgrade", (connection, scripts) -> {
            int found = scripts.version(connection).orElse(0);
            if (found > VERSION) {
                throw newer(found);
            }
            scripts.run(connection, found);
            return found;
        });
    }

    /**
     * Checks that the tables are there and of the right version; a store does so when it is built.
     *
     * @throws SchemaVersionException if not; the message says what to run
     * @throws StoreUnavailableException if the database cannot be asked
     */
    public void check() {
        onConnection("schema.check", (connection, scripts) -> {
            OptionalInt found = scripts.version(connection);
            if (found.isEmpty()) {
                throw new SchemaVersionException(
                        names.qualifier(), 0, VERSION, "call JdbcSchema.create(), or run " + scripts.location());
            }
            if (found.getAsInt() < VERSION) {
                throw new SchemaVersionException(
                        names.qualifier(),
                        found.getAsInt(),
                        VERSION,
                        "call JdbcSchema.upgrade(), or run the later scripts of " + scripts.location());
            }
            if (found.getAsInt() > VERSION) {
                throw newer(found.getAsInt());
            }
            return VERSION;
        });
    }

    /**
     * The statements that {@link #upgrade} would run, for a host that runs them by hand.
     *
     * @return SQL, with the names put in
     * @throws StoreUnavailableException if the database cannot be asked
     */
    public String script() {
        return onConnection(
                "schema.script",
                (connection, scripts) ->
                        scripts.text(scripts.version(connection).orElse(0)));
    }

    /**
     * Removes the tables and all that is in them.
     *
     * @throws StoreUnavailableException if the database refuses
     */
    public void drop() {
        onConnection("schema.drop", (connection, scripts) -> {
            scripts.drop(connection);
            return 0;
        });
    }

    private SchemaVersionException newer(int found) {
        return new SchemaVersionException(
                names.qualifier(), found, VERSION, "use a later version of the library feedkit-jdbc");
    }

    /** What is done with the scripts of the database that a connection leads to. */
    private interface Work<T> {
        T with(Connection connection, SchemaScripts scripts) throws SQLException;
    }

    private <T> T onConnection(String operation, Work<T> work) {
        try (Connection connection = dataSource.getConnection()) {
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(false);
            try {
                T answer = work.with(connection, new SchemaScripts(Dialect.of(connection), names, VERSION));
                connection.commit();
                return answer;
            } catch (SQLException | RuntimeException e) {
                connection.rollback();
                throw e;
            } finally {
                connection.setAutoCommit(autoCommit);
            }
        } catch (SQLException e) {
            throw new StoreUnavailableException(operation, e);
        }
    }
}

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
 * FeedKit's tables. FeedKit never changes tables by itself: a host calls {@link #create} or {@link #upgrade}, runs the
 * {@link #script} by hand, or points Flyway at the scripts in this library ({@code classpath:feedkit-jdbc/postgresql},
 * {@code h2} or {@code mysql}).
 *
 * <p>Immutable and thread-safe. If two processes create or upgrade at the same time, the database serialises them, or
 * one of them fails. PostgreSQL then rolls everything back. MySQL, MariaDB and H2 cannot roll back changes of tables,
 * and leave half of them.
 */
public final class JdbcSchema {

    /** The version of the tables that this library needs. */
    public static final int VERSION = SchemaScripts.LATEST;

    /** The default prefix of the tables' names. */
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
     * @param dataSource the database of the tables
     * @return the schema
     */
    public static JdbcSchema of(DataSource dataSource) {
        return of(dataSource, "", DEFAULT_PREFIX);
    }

    /**
     * The tables with a prefix in a schema.
     *
     * @param dataSource the database of the tables
     * @param schema an existing schema (in MySQL and MariaDB a database); {@code ""} for the connections' own
     * @param prefix the prefix of the tables' names
     * @return the schema
     * @throws IllegalArgumentException if the data source is null, or if a name is longer than 30 characters, has other
     *     characters than a-z, 0-9 and _, or begins with a digit
     */
    public static JdbcSchema of(DataSource dataSource, String schema, String prefix) {
        if (dataSource == null) {
            throw new IllegalArgumentException("dataSource must not be null");
        }
        return new JdbcSchema(dataSource, new TableNames(schema, prefix));
    }

    /**
     * Creates the tables.
     *
     * @throws SchemaVersionException if they exist already
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
     * Upgrades the tables to {@link #VERSION}, and creates them if there are none. Idempotent.
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
     * Checks that the tables exist and have the right version. A store does this when it is built.
     *
     * @throws SchemaVersionException if they are missing or have another version; the message says what to run
     * @throws StoreUnavailableException if the database does not answer
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
     * @return SQL, with the tables' names
     * @throws StoreUnavailableException if the database does not answer
     */
    public String script() {
        return onConnection(
                "schema.script",
                (connection, scripts) ->
                        scripts.text(scripts.version(connection).orElse(0)));
    }

    /**
     * Drops the tables with all their rows.
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

    /** Work with the scripts of the database that a connection leads to. */
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

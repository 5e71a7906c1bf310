package io.feedkit.jdbc;

import io.feedkit.StoreUnavailableException;
import io.feedkit.internal.check.Addresses;
import io.feedkit.internal.check.Arguments;
import io.feedkit.jdbc.internal.sql.Dialect;
import io.feedkit.jdbc.internal.sql.SchemaScripts;
import io.feedkit.jdbc.internal.sql.SourceTable;
import io.feedkit.jdbc.internal.sql.TableNames;
import io.feedkit.spi.Outbox;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * FeedKit's tables. FeedKit never changes tables by itself: a host calls {@link #create} or {@link #upgrade}, runs the
 * {@link #script} by hand, or points Flyway at the scripts in this library ({@code classpath:feedkit-jdbc/postgresql},
 * {@code h2} or {@code mysql}).
 *
 * <p>Immutable and thread-safe. If two processes create or upgrade at the same time, the database serialises them, or
 * one of them fails. PostgreSQL then rolls everything back. MySQL, MariaDB and H2 cannot roll back changes of tables,
 * so the changes made before the failure remain.
 *
 * @since 0.1.0
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
     * Returns the tables with the default prefix in the connections' own schema.
     *
     * @param dataSource the database of the tables
     * @return the schema
     */
    public static JdbcSchema of(DataSource dataSource) {
        return of(dataSource, "", DEFAULT_PREFIX);
    }

    /**
     * Returns the tables with a prefix in a schema.
     *
     * @param dataSource the database of the tables
     * @param schema an existing schema (in MySQL and MariaDB a database); {@code ""} for the connections' own
     * @param prefix the prefix of the tables' names
     * @return the schema
     * @throws IllegalArgumentException if the data source is null, or if a name is longer than 30 characters, has other
     *     characters than a-z, 0-9 and _, or begins with a digit
     */
    public static JdbcSchema of(DataSource dataSource, String schema, String prefix) {
        return new JdbcSchema(
                Arguments.nonNull("dataSource", dataSource),
                new TableNames(Arguments.nonNull("schema", schema), Arguments.nonNull("prefix", prefix)));
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
     * @throws SchemaVersionException if they are missing or have another version; the message names the remedy
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
     * Returns the statements that {@link #upgrade} would run, for a host that runs them by hand.
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

    /**
     * Gives the source of truth in the tables a new identity. Inboxes in the tables that belong to it get the new
     * identity as well. Call it for a copied database, before the first engine or store uses the copy. Otherwise the
     * copy and its original have the same identity, and both may use the same inboxes and queues. Engines that run on
     * the tables keep the old identity until they restart.
     *
     * @return the new identity
     * @throws SchemaVersionException as {@link #check}
     * @throws StoreUnavailableException if the database refuses
     */
    public String newIdentity() {
        check();
        String fresh = UUID.randomUUID().toString();
        return onConnection("schema.newIdentity", (connection, scripts) -> {
            Optional<String> before = identity(connection, SourceTable.TRUTH);
            if (before.isPresent()) {
                String update = "UPDATE " + names.qualifier() + "source SET identity = ? WHERE identity = ?";
                execute(connection, update, fresh, before.get());
            } else {
                setIdentity(connection, SourceTable.TRUTH, fresh);
            }
            return fresh;
        });
    }

    /**
     * Assigns the inboxes in the tables to a source of truth elsewhere, whichever source they belonged to before. Call
     * it after the database of the source of truth was restored or moved under another identity, if that database has
     * the posts with which the inboxes were filled. Engines that run on the inboxes continue until they restart.
     *
     * @param outbox the source of truth
     * @return the identity that the inboxes belonged to; empty if they belonged to none
     * @throws SchemaVersionException as {@link #check}
     * @throws StoreUnavailableException if a database refuses
     */
    public Optional<String> adoptInboxes(Outbox outbox) {
        Arguments.nonNull("outbox", outbox);
        check();
        String identity = outbox.identity();
        return onConnection("schema.adoptInboxes", (connection, scripts) -> {
            Optional<String> before = identity(connection, SourceTable.INBOX);
            setIdentity(connection, SourceTable.INBOX, identity);
            return before;
        });
    }

    private Optional<String> identity(Connection connection, String part) throws SQLException {
        String select = "SELECT identity FROM " + names.qualifier() + "source WHERE part = ?";
        try (PreparedStatement statement = connection.prepareStatement(select)) {
            statement.setString(1, part);
            try (ResultSet found = statement.executeQuery()) {
                return found.next() ? Optional.of(found.getString(1)) : Optional.empty();
            }
        }
    }

    private void setIdentity(Connection connection, String part, String identity) throws SQLException {
        execute(connection, "DELETE FROM " + names.qualifier() + "source WHERE part = ?", part);
        execute(
                connection,
                "INSERT INTO " + names.qualifier() + "source (part, identity) VALUES (?, ?)",
                part,
                identity);
    }

    private static void execute(Connection connection, String sql, String... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setString(i + 1, values[i]);
            }
            statement.executeUpdate();
        }
    }

    private SchemaVersionException newer(int found) {
        return new SchemaVersionException(
                names.qualifier(), found, VERSION, "use a later version of the library feedkit-jdbc");
    }

    /** Work with a connection and the scripts of its database. */
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
            throw new StoreUnavailableException(operation, Addresses.clean(e));
        }
    }
}

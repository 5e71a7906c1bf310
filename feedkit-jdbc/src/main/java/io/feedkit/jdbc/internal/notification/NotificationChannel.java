package io.feedkit.jdbc.internal.notification;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedkit.StoreUnavailableException;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Failures;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import javax.sql.DataSource;

/** The names of PostgreSQL channels: a schema, and the name of a table. */
public final class NotificationChannel {

    /** A name that needs no escaping in a literal or in quotes. PostgreSQL allows at most 63 bytes. */
    private static final Pattern PLAIN = Pattern.compile("[a-zA-Z0-9_.]{1,63}");

    private NotificationChannel() {}

    /** Returns the channel for tasks: the name of the table of tasks that the database's connections find. */
    public static String ofTasks(Database database) {
        String table = database.sql("${task}");
        return database.read(
                "log.listen",
                handle -> name(
                        handle.createQuery(
                                        "SELECT n.nspname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
                                                + " WHERE c.oid = CAST(:table AS regclass)")
                                .bind("table", table)
                                .mapTo(String.class)
                                .one(),
                        table.substring(table.indexOf('.') + 1)));
    }

    /**
     * Returns a channel for the connections of a data source, by the name of their schema.
     *
     * @throws StoreUnavailableException if the database does not answer
     */
    public static String inOwnSchema(DataSource dataSource, String table) {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet schema = statement.executeQuery("SELECT coalesce(current_schema(), '')")) {
            schema.next();
            String channel = name(schema.getString(1), table);
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
            return channel;
        } catch (SQLException e) {
            throw Failures.unavailable("bus.connect", e);
        }
    }

    /**
     * Joins schema and table. FeedKit's names are plain, but a schema may have any name. If the name is too long or has
     * special characters, a checksum replaces the schema.
     */
    public static String name(String schema, String table) {
        String name = schema + "." + table;
        if (PLAIN.matcher(name).matches()) {
            return name;
        }
        CRC32 checksum = new CRC32();
        checksum.update(schema.getBytes(UTF_8));
        return Long.toHexString(checksum.getValue()) + "." + table;
    }
}

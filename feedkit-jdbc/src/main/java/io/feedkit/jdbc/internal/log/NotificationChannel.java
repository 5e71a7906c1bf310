package io.feedkit.jdbc.internal.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedkit.jdbc.internal.sql.Database;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/** The name of the PostgreSQL channel for notifications of tasks: the name of the table of tasks. */
final class NotificationChannel {

    /** A name that needs no escaping in a literal or in quotes. PostgreSQL allows at most 63 bytes. */
    private static final Pattern PLAIN = Pattern.compile("[a-zA-Z0-9_.]{1,63}");

    private NotificationChannel() {}

    /** Returns the channel of the table of tasks that the database's connections find. */
    static String of(Database database) {
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
     * Joins schema and table. FeedKit's names are plain, but a schema may have any name. If the name is too long or has
     * special characters, a checksum replaces the schema.
     */
    static String name(String schema, String table) {
        String name = schema + "." + table;
        if (PLAIN.matcher(name).matches()) {
            return name;
        }
        CRC32 checksum = new CRC32();
        checksum.update(schema.getBytes(UTF_8));
        return Long.toHexString(checksum.getValue()) + "." + table;
    }
}

package io.feedkit.jdbc.internal.host;

import io.feedkit.internal.check.Ids;
import io.feedkit.jdbc.PostsTable;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Dialect;
import io.feedkit.jdbc.internal.sql.SchemaScripts;
import io.feedkit.jdbc.internal.sql.TableNames;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/**
 * The columns of a host's table: their types, and the SQL expressions for ids as text compared by bytes, and for times
 * as milliseconds.
 */
final class HostColumns {

    private static final Set<String> TEXT = Set.of("varchar", "character varying", "text");
    private static final Set<String> NUMBER = Set.of("bigint", "integer", "int", "smallint", "mediumint");
    private static final Set<String> TIMESTAMP = Set.of("timestamp", "timestamp without time zone", "datetime");
    private static final String ZONED = "timestamp with time zone";

    /** A column's type in lower case, and its collation. */
    private record Described(String type, String collation) {}

    private final HostTable table;
    private final Dialect dialect;
    private final Map<String, Described> columns = new HashMap<>();

    private HostColumns(HostTable table, Dialect dialect) {
        this.table = table;
        this.dialect = dialect;
    }

    /**
     * Describes a table.
     *
     * @throws IllegalArgumentException if the table does not exist
     */
    static HostColumns describe(Database database, Handle handle, HostTable table) {
        HostColumns columns = new HostColumns(table, database.dialect());
        String schema = new SchemaScripts(
                        database.dialect(), new TableNames(table.schema(), "host"), SchemaScripts.LATEST)
                .schemaExpression();
        handle.createQuery("SELECT column_name, data_type, collation_name FROM information_schema.columns"
                        + " WHERE lower(table_name) = :name AND lower(table_schema) = lower(" + schema + ")")
                .bind("name", table.name())
                .map((row, context) -> Map.entry(
                        row.getString(1).toLowerCase(Locale.ROOT),
                        new Described(
                                row.getString(2).toLowerCase(Locale.ROOT),
                                String.valueOf(row.getString(3)).toLowerCase(Locale.ROOT))))
                .forEach(column -> columns.columns.put(column.getKey(), column.getValue()));
        if (columns.columns.isEmpty()) {
            throw new IllegalArgumentException(table.setting() + " must name an existing table, but there is no "
                    + table.qualified() + (table.schema().isEmpty() ? " in the connections' own schema" : ""));
        }
        return columns;
    }

    private Described described(String column) {
        Described described = columns.get(column);
        if (described == null) {
            throw new IllegalArgumentException(table.setting() + " must name columns of " + table.qualified()
                    + ", but it has no column " + column);
        }
        return described;
    }

    private IllegalArgumentException unfit(String column, String needed) {
        return new IllegalArgumentException(table.setting() + " needs " + needed + " in " + table.qualified() + "."
                + column + ", but its type is " + described(column).type());
    }

    /** Whether a column is text, which may hold values that are not ids. */
    boolean isText(String column) {
        return TEXT.contains(described(column).type());
    }

    /** Whether a column is text of any length. */
    boolean isUnbounded(String column) {
        return described(column).type().equals("text");
    }

    /** Whether a column is a whole number. */
    boolean isNumber(String column) {
        return NUMBER.contains(described(column).type());
    }

    /** The condition that a column of text is an id that {@link Ids} accepts; true for other columns. */
    String legal(String column) {
        if (!isText(column)) {
            return "TRUE";
        }
        String text = id(column);
        String illegal = switch (dialect) {
            case POSTGRESQL -> text + " !~ '[^!-~]'";
            case H2 -> "NOT REGEXP_LIKE(" + text + ", '[^!-~]')";
            case MYSQL, MARIADB -> text + " NOT RLIKE '[^!-~]'";
        };
        return illegal + " AND CHAR_LENGTH(" + text + ") BETWEEN 1 AND " + Ids.MAX_LENGTH;
    }

    /** The expression for a column of authors or ids of a row {@code h}, as text. */
    String id(String column) {
        Described described = described(column);
        String value = "h." + column;
        if (TEXT.contains(described.type())) {
            if (dialect.isMySql() && !described.collation().endsWith("_bin")) {
                throw new IllegalArgumentException(table.setting() + " needs a column that orders by bytes, but "
                        + table.qualified() + "." + column + " has the collation " + described.collation());
            }
            return bytewise(value);
        }
        boolean uuid = described.type().equals("uuid") && !dialect.isMySql();
        if (!uuid && !NUMBER.contains(described.type())) {
            throw unfit(column, "text of variable length, a whole number or (in H2 and PostgreSQL) a UUID");
        }
        return dialect.isMySql()
                ? "CAST(" + value + " AS char(20) CHARACTER SET ascii) COLLATE ascii_bin"
                : bytewise("CAST(" + value + " AS varchar" + (dialect == Dialect.H2 ? "(36))" : ")"));
    }

    private String bytewise(String text) {
        return dialect == Dialect.POSTGRESQL ? "(" + text + " COLLATE \"C\")" : text;
    }

    /** The expression for a column of times of a row {@code h}, as milliseconds. */
    String millis(String column, PostsTable.Time time) {
        String type = described(column).type();
        String value = "h." + column;
        if (time == PostsTable.Time.MILLIS) {
            if (!NUMBER.contains(type)) {
                throw unfit(column, "milliseconds as a whole number");
            }
            return value;
        }
        boolean zoned = type.equals(ZONED);
        if (!zoned && !TIMESTAMP.contains(type)) {
            throw unfit(column, "timestamps");
        }
        return switch (dialect) {
            // With an explicit zone, the expression does not depend on a setting, so an index may use it.
            case POSTGRESQL -> epoch(zoned ? value + " AT TIME ZONE 'UTC'" : value);
            case H2 -> epoch(value);
            case MYSQL, MARIADB ->
                type.equals("datetime")
                        ? "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', " + value + ") DIV 1000"
                        : "CAST(FLOOR(UNIX_TIMESTAMP(" + value + ") * 1000) AS signed)";
        };
    }

    private static String epoch(String timestamp) {
        return "CAST(FLOOR(EXTRACT(EPOCH FROM " + timestamp + ") * 1000) AS bigint)";
    }
}

package io.feedkit.jdbc.internal.sql;

import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;

/** Finds columns of ids that the database does not compare by bytes. */
public final class Collations {

    private static final Set<String> IDS = Set.of(
            "author",
            "id",
            "reader",
            "user_id",
            "oldest_id",
            "newest_id",
            "range_from",
            "range_below",
            "after_id",
            "floor_id",
            "floor_author",
            "seen_id",
            "seen_author");

    private Collations() {}

    /** Names the first unfit column, or the database if it is unfit as a whole. */
    public static Optional<String> unfit(Database database, Handle handle) {
        Dialect dialect = database.dialect();
        if (dialect == Dialect.H2 && !ordersByBytes(handle)) {
            return Optional.of("this H2 database was created with SET COLLATION");
        }
        SchemaScripts scripts = database.scripts();
        String sql = "SELECT table_name, column_name FROM information_schema.columns WHERE lower(table_schema) = lower("
                + scripts.schemaExpression() + ") AND lower(table_name) IN (" + quoted(scripts.tables())
                + ") AND lower(column_name) IN (" + quoted(IDS) + ") AND character_maximum_length IS NOT NULL AND NOT ("
                + fit(dialect) + ")";
        return handle
                .createQuery(sql)
                .map((row, context) -> "the column " + row.getString(1) + "." + row.getString(2) + " does not")
                .list()
                .stream()
                .findFirst();
    }

    private static boolean ordersByBytes(Handle handle) {
        return handle.createQuery("SELECT 'B' < 'a' AND '-' < '0' AND '~' > 'z' AND 'a' <> 'A'")
                .mapTo(Boolean.class)
                .one();
    }

    private static String fit(Dialect dialect) {
        return switch (dialect) {
            case H2 -> "data_type <> 'VARCHAR_IGNORECASE'";
            case POSTGRESQL -> "COALESCE(collation_name, '') IN ('C', 'POSIX', 'ucs_basic')";
            case MYSQL, MARIADB -> "COALESCE(collation_name, '') LIKE '%#_bin' ESCAPE '#'";
        };
    }

    private static String quoted(Set<String> names) {
        return names.stream().map(name -> "'" + name + "'").collect(Collectors.joining(", "));
    }
}

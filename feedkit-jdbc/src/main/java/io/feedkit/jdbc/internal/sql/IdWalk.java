package io.feedkit.jdbc.internal.sql;

import java.util.List;
import java.util.function.Predicate;

/** Walks through all ids of a column, by keyset. No connection is held while the visitor works. */
public final class IdWalk {

    private static final int AT_ONCE = 1000;

    private final Database database;
    private final String operation;
    private final String page;

    private IdWalk(Database database, String operation, String page) {
        this.database = database;
        this.operation = operation;
        this.page = database.sql(page);
    }

    /**
     * A walk through a column whose ids are unique.
     *
     * @param table a table, such as <code>${seen}</code>
     * @param column a column with an index in the order of the ids
     */
    public static IdWalk ofUnique(Database database, String operation, String table, String column) {
        String page = "SELECT " + column + " FROM " + table + " WHERE " + column + " > :after ORDER BY " + column
                + " LIMIT :n";
        return new IdWalk(database, operation, page);
    }

    /** A walk through a column whose ids have many rows each; as {@link #ofUnique}. */
    public static IdWalk ofRepeated(Database database, String operation, String table, String column) {
        return new IdWalk(database, operation, database.dialect().distinct(table, column));
    }

    /** Passes each id once, in order, until the visitor returns false. */
    public void each(Predicate<List<String>> visitor) {
        List<String> ids = after("");
        while (!ids.isEmpty() && visitor.test(ids)) {
            ids = ids.size() < AT_ONCE ? List.of() : after(ids.get(ids.size() - 1));
        }
    }

    private List<String> after(String id) {
        return database.read(
                operation,
                handle -> database.query(handle, page)
                        .bind("after", id)
                        .bind("n", AT_ONCE)
                        .mapTo(String.class)
                        .list());
    }
}

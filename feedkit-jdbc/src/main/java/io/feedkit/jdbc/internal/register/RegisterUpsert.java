package io.feedkit.jdbc.internal.register;

import io.feedkit.jdbc.internal.sql.Dialect;

/** Statements that create or widen entries of the register from rows {@code k}. The caller inserts the rows' source. */
final class RegisterUpsert {

    private static final String COLUMNS = "author, oldest_at, oldest_id, newest_at, newest_id, version";
    private static final String INSERT = "INSERT INTO ${pulled} AS e (" + COLUMNS + ") SELECT " + COLUMNS + " FROM %s";

    private static final String POSTGRESQL = INSERT + """
             ON CONFLICT (author) DO UPDATE SET version = excluded.version, changed = excluded.changed,
            oldest_at = least(e.oldest_at, excluded.oldest_at),
            oldest_id = CASE WHEN (excluded.oldest_at, excluded.oldest_id) < (e.oldest_at, e.oldest_id)
                THEN excluded.oldest_id ELSE e.oldest_id END,
            newest_at = greatest(e.newest_at, excluded.newest_at),
            newest_id = CASE WHEN (excluded.newest_at, excluded.newest_id) > (e.newest_at, e.newest_id)
                THEN excluded.newest_id ELSE e.newest_id END""";

    /**
     * Assignments run from left to right, and later ones see earlier ones: the ids come before the times they depend
     * on.
     */
    private static final String MYSQL =
            "INSERT INTO ${pulled} (" + COLUMNS + ", changed) SELECT " + COLUMNS + ", ${written} FROM %s" + """
             ON DUPLICATE KEY UPDATE version = k.version, changed = ${written},
            oldest_id = CASE WHEN (k.oldest_at, k.oldest_id) < (${pulled}.oldest_at, ${pulled}.oldest_id)
                THEN k.oldest_id
                        ELSE ${pulled}.oldest_id END,
            newest_id = CASE WHEN (k.newest_at, k.newest_id) > (${pulled}.newest_at, ${pulled}.newest_id)
                THEN k.newest_id
                        ELSE ${pulled}.newest_id END,
            oldest_at = least(${pulled}.oldest_at, k.oldest_at),
            newest_at = greatest(${pulled}.newest_at, k.newest_at)""";

    private static final String H2 = """
            MERGE INTO ${pulled} e USING (SELECT * FROM %s) k ON e.author = k.author
            WHEN MATCHED THEN UPDATE SET version = k.version, changed = ${written},
            oldest_at = least(e.oldest_at, k.oldest_at),
            oldest_id = CASE WHEN (k.oldest_at, k.oldest_id) < (e.oldest_at, e.oldest_id)
                THEN k.oldest_id ELSE e.oldest_id END,
            newest_at = greatest(e.newest_at, k.newest_at),
            newest_id = CASE WHEN (k.newest_at, k.newest_id) > (e.newest_at, e.newest_id)
                THEN k.newest_id ELSE e.newest_id END
            WHEN NOT MATCHED THEN INSERT (author, oldest_at, oldest_id, newest_at, newest_id, version, changed)
            VALUES (k.author, k.oldest_at, k.oldest_id, k.newest_at, k.newest_id, k.version, ${written})""";

    private RegisterUpsert() {}

    static String of(Dialect dialect) {
        return switch (dialect) {
            case POSTGRESQL -> POSTGRESQL;
            case MYSQL, MARIADB -> MYSQL;
            case H2 -> H2;
        };
    }
}

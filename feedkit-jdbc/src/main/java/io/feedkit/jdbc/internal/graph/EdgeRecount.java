package io.feedkit.jdbc.internal.graph;

import io.feedkit.jdbc.internal.sql.Database;
import org.jdbi.v3.core.Handle;

/**
 * Counts a user's edges anew. It locks the row of the counts first. A transaction that changes an edge either holds
 * this lock until its commit, and the edge is counted; or it changes the counts after this transaction.
 */
final class EdgeRecount {

    private final Database database;
    private final String lock;
    private final String count;
    private final String clean;

    EdgeRecount(Database database) {
        this.database = database;
        String insert = "INSERT INTO ${follow_count} %s (user_id, followers, followees) VALUES (:user, 0, 0) ";
        lock = database.sql(
                switch (database.dialect()) {
                    case POSTGRESQL ->
                        insert.formatted("AS c") + "ON CONFLICT (user_id) DO UPDATE SET followers = c.followers";
                    case MYSQL, MARIADB ->
                        insert.formatted("") + "ON DUPLICATE KEY UPDATE followers = ${follow_count}.followers";
                    case H2 ->
                        "MERGE INTO ${follow_count} c USING (SELECT CAST(:user AS varchar) AS user_id) x"
                                + " ON c.user_id = x.user_id WHEN MATCHED THEN UPDATE SET followers = c.followers"
                                + " WHEN NOT MATCHED THEN INSERT (user_id, followers, followees)"
                                + " VALUES (x.user_id, 0, 0)";
                });
        count = database.sql("UPDATE ${follow_count}"
                + " SET followers = (SELECT count(*) FROM ${follow} f WHERE f.author = :user),"
                + " followees = (SELECT count(*) FROM ${follow} f WHERE f.reader = :user) WHERE user_id = :user");
        clean = database.sql("DELETE FROM ${follow_count} WHERE user_id = :user AND followers = 0 AND followees = 0");
    }

    void of(String user) {
        int unused = database.transaction("graph.recount", handle -> {
            database.upsert(() -> execute(handle, lock, user));
            return execute(handle, count, user) + execute(handle, clean, user);
        });
    }

    private int execute(Handle handle, String sql, String user) {
        return database.update(handle, sql).bind("user", user).execute();
    }
}

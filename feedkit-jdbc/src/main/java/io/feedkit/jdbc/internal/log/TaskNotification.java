package io.feedkit.jdbc.internal.log;

import io.feedkit.jdbc.internal.sql.Database;
import org.jdbi.v3.core.Handle;

/** Tells other processes of tasks that they may claim as soon as a transaction is committed, if the store does that at all. */
final class TaskNotification {

    private final Database database;
    private final String tell;

    TaskNotification(Database database) {
        this.database = database;
        tell = database.sql("SELECT 1 AS told${notified}");
    }

    /** Returns how many tasks became due in the transaction, and has told of them. */
    int after(Handle handle, int due) {
        if (due > 0 && database.isNotifying()) {
            database.query(handle, tell).mapTo(Integer.class).one();
        }
        return due;
    }
}

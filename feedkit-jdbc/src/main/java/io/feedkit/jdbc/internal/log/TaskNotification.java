package io.feedkit.jdbc.internal.log;

import io.feedkit.jdbc.internal.sql.Database;
import org.jdbi.v3.core.Handle;

/**
 * Notifies other processes of tasks that they may claim, if notifications are on. PostgreSQL delivers a notification
 * when the transaction commits.
 */
final class TaskNotification {

    private final Database database;
    private final String notify;

    TaskNotification(Database database) {
        this.database = database;
        notify = database.sql("SELECT 1 AS notifying${notified}");
    }

    /** Notifies other processes if tasks became due in the transaction. Returns the number of these tasks. */
    int after(Handle handle, int due) {
        if (due > 0 && database.isNotifying()) {
            database.query(handle, notify).mapTo(Integer.class).one();
        }
        return due;
    }
}

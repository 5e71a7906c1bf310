package io.feedkit.jdbc.internal.log;

import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.spi.FanoutLog.Found;
import io.feedkit.spi.FanoutLog.FoundTask;
import io.feedkit.spi.FanoutLog.TaskState;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/**
 * Finds the unfinished and dead tasks of an author. There is no index by author, so a search examines a bounded number
 * of rows, through the indexes by time and by state. One statement sees one moment, so a task cannot move out of its
 * sight.
 */
final class TaskSearch {

    private final Database database;
    private final String search;
    private final String counts;

    TaskSearch(Database database) {
        this.database = database;
        String first = "(SELECT %s FROM ${task} WHERE due_at IS NOT NULL ORDER BY due_at, id LIMIT :among) first_due";
        String letters = "(SELECT %s FROM ${task} WHERE state = 'DEAD' ORDER BY id LIMIT :among) letters";
        String columns = TaskRow.COLUMNS + ", state, due_at, reason, ended_at";
        String select = "SELECT " + columns + ", ${now} AS read_at FROM %s WHERE author = :author";
        search = database.sql(select.formatted(first.formatted(columns)) + " UNION ALL "
                + select.formatted(letters.formatted(columns)));
        counts = database.sql("SELECT (SELECT count(*) FROM " + first.formatted("id") + ") AS unfinished,"
                + " (SELECT count(*) FROM " + letters.formatted("id") + ") AS dead");
    }

    /** If there were fewer tasks than the limit before the search, the search examines all of them. */
    Found find(String author, int among) {
        return database.read("log.find", handle -> {
            boolean whole = database.query(handle, counts)
                    .bind("among", among)
                    .map((row, context) -> row.getLong("unfinished") < among && row.getLong("dead") < among)
                    .one();
            List<FoundTask> found = database.query(handle, search)
                    .bind("among", among)
                    .bind("author", author)
                    .map((row, context) -> task(row))
                    .list();
            return new Found(found, whole);
        });
    }

    private static FoundTask task(ResultSet row) throws SQLException {
        TaskState state = TaskState.valueOf(row.getString("state"));
        if (state == TaskState.DEAD) {
            return new FoundTask(TaskRow.task(row), state, row.getLong("ended_at"), row.getString("reason"));
        }
        long due = row.getLong("due_at");
        boolean isOver = due <= row.getLong("read_at");
        return new FoundTask(TaskRow.task(row), isOver ? TaskState.WAITING : state, due, "");
    }
}

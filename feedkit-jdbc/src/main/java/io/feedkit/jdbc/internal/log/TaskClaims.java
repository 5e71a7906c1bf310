package io.feedkit.jdbc.internal.log;

import io.feedkit.jdbc.internal.sql.Batches;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Dialect;
import io.feedkit.jdbc.internal.sql.Durations;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.LentTask;
import io.feedkit.spi.FanoutLog.Loan;
import io.feedkit.spi.FanoutLog.Task;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/**
 * Leases or lends the tasks that have been due longest. Both use the same statements. Only the state differs, and loans
 * have a window.
 */
final class TaskClaims {

    private static final String LEASED = "LEASED";
    private static final String LENT = "LENT";

    /** A task with its new token, the state in which it was found, and the time since which it was due. */
    private record Due(Task task, long token, String found, long since) {

        Claim claim() {
            return new Claim(task, token);
        }

        LentTask lent() {
            return new LentTask(task, new Loan(task.id(), token), found.equals(LENT));
        }
    }

    private static final Comparator<Due> IN_TURN =
            Comparator.comparingLong(Due::since).thenComparing(due -> due.task().id());

    private final Database database;
    private final String claim;
    private final String lend;
    private final String lent;
    private final String find;
    private final String give;

    TaskClaims(Database database) {
        this.database = database;
        String due = " FROM ${task} WHERE due_at <= ${now} ORDER BY due_at, id LIMIT :max FOR UPDATE SKIP LOCKED";
        String running = "SELECT count(*) FROM"
                + " (SELECT id FROM ${task} WHERE state = 'LENT' AND due_at > ${now} LIMIT :window) lent";
        // The window is an outer limit, so that the planner still knows the inner one. No more rows are locked than the
        // outer limit allows.
        String atOnce = """
                WITH due AS MATERIALIZED (SELECT * FROM (
                       SELECT id AS due_id, due_at AS due_since, state AS found%s) AS first%s)
                UPDATE ${task} SET state = :state, lease = lease + 1, due_at = ${now} + :millis,
                       attempts = attempts + CASE WHEN state = 'LEASED' THEN 1 ELSE 0 END
                FROM due WHERE id = due_id
                RETURNING found, due_since, lease,""" + " " + TaskRow.COLUMNS;
        claim = database.sql(atOnce.formatted(due, ""));
        lend = database.sql(atOnce.formatted(due, " LIMIT :window - (" + running + ")"));
        lent = database.sql(running);
        find = database.sql("SELECT state AS found, due_at AS due_since, lease, " + TaskRow.COLUMNS + due);
        give = database.sql("""
                UPDATE ${task} SET state = :state, lease = lease + 1, due_at = ${now} + :millis, attempts = :attempts
                WHERE id = :id""");
    }

    List<Claim> claim(int max, long leaseMillis) {
        return next("log.claim", LEASED, max, leaseMillis, OptionalInt.empty()).stream()
                .map(Due::claim)
                .toList();
    }

    List<LentTask> lend(int max, long loanMillis, int window) {
        return next("log.lend", LENT, max, loanMillis, OptionalInt.of(window)).stream()
                .map(Due::lent)
                .toList();
    }

    private List<Due> next(String operation, String state, int max, long millis, OptionalInt window) {
        List<Due> due = database.dialect() == Dialect.POSTGRESQL
                ? database.statement(operation, handle -> giveAtOnce(handle, state, max, millis, window))
                : database.transaction(operation, handle -> findAndGive(handle, state, max, millis, window));
        return due.stream().sorted(IN_TURN).toList();
    }

    private List<Due> giveAtOnce(Handle handle, String state, int max, long millis, OptionalInt window) {
        Query query = database.query(handle, window.isPresent() ? lend : claim)
                .bind("state", state)
                .bind("max", max)
                .bind("millis", Durations.bounded(millis));
        window.ifPresent(most -> query.bind("window", most));
        return query.map((row, context) -> due(row, TaskRow.task(row), row.getLong("lease")))
                .list();
    }

    private List<Due> findAndGive(Handle handle, String state, int max, long millis, OptionalInt window) {
        int most = window.isPresent() ? Math.min(max, room(handle, window.getAsInt())) : max;
        List<Due> found = most == 0
                ? List.of()
                : database.query(handle, find)
                        .bind("max", most)
                        .map((row, context) -> due(row, found(row), row.getLong("lease") + 1))
                        .list();
        Batches.run(
                database,
                handle,
                give,
                found,
                (batch, due) -> batch.bind("state", state)
                        .bind("id", TaskRow.key(due.task().id()).orElseThrow())
                        .bind("millis", Durations.bounded(millis))
                        .bind("attempts", due.task().attempts()));
        return found;
    }

    /** Returns how many more tasks may be lent. */
    private int room(Handle handle, int window) {
        return window
                - database.query(handle, lent)
                        .bind("window", window)
                        .mapTo(Integer.class)
                        .one();
    }

    private static Due due(ResultSet row, Task task, long token) throws SQLException {
        return new Due(task, token, row.getString("found"), row.getLong("due_since"));
    }

    /** The task as the update is going to record it. */
    private static Task found(ResultSet row) throws SQLException {
        boolean abandoned = row.getString("found").equals(LEASED);
        Task task = TaskRow.task(row);
        return task.with(task.after(), task.attempts() + (abandoned ? 1 : 0), task.outage());
    }
}

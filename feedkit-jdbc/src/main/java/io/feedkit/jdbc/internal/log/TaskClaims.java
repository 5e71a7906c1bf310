package io.feedkit.jdbc.internal.log;

import io.feedkit.jdbc.internal.sql.Batches;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Dialect;
import io.feedkit.jdbc.internal.sql.Durations;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.Task;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import org.jdbi.v3.core.Handle;

/** Leases the tasks that have been due longest. */
final class TaskClaims {

    /** A claimed task, and the time since when it was due. */
    private record Due(Claim claim, long since) {}

    private static final Comparator<Due> IN_TURN = Comparator.comparingLong(Due::since)
            .thenComparing(due -> due.claim().task().id());

    private final Database database;
    private final String claim;
    private final String find;
    private final String lease;

    TaskClaims(Database database) {
        this.database = database;
        String due = " FROM ${task} WHERE due_at <= ${now} ORDER BY due_at, id LIMIT :max FOR UPDATE SKIP LOCKED";
        claim = database.sql("""
                WITH due AS MATERIALIZED (SELECT id AS due_id, due_at AS due_since""" + due + """
                )
                UPDATE ${task} SET state = 'LEASED', lease = lease + 1, due_at = ${now} + :lease,
                       attempts = attempts + CASE WHEN state = 'LEASED' THEN 1 ELSE 0 END
                FROM due WHERE id = due_id
                RETURNING due_since, lease,""" + " " + TaskRow.COLUMNS);
        find = database.sql("SELECT due_at AS due_since, state, lease, " + TaskRow.COLUMNS + due);
        lease = database.sql("""
                UPDATE ${task} SET state = 'LEASED', lease = lease + 1, due_at = ${now} + :lease, attempts = :attempts
                WHERE id = :id""");
    }

    List<Claim> claim(int max, long leaseMillis) {
        List<Due> due = database.dialect() == Dialect.POSTGRESQL
                ? database.statement("log.claim", handle -> claimAtOnce(handle, max, leaseMillis))
                : database.transaction("log.claim", handle -> findAndLease(handle, max, leaseMillis));
        return due.stream().sorted(IN_TURN).map(Due::claim).toList();
    }

    private List<Due> claimAtOnce(Handle handle, int max, long leaseMillis) {
        return database.query(handle, claim)
                .bind("max", max)
                .bind("lease", Durations.bounded(leaseMillis))
                .map((row, context) ->
                        new Due(new Claim(TaskRow.task(row), row.getLong("lease")), row.getLong("due_since")))
                .list();
    }

    private List<Due> findAndLease(Handle handle, int max, long leaseMillis) {
        List<Due> found = database.query(handle, find)
                .bind("max", max)
                .map((row, context) -> found(row))
                .list();
        if (!found.isEmpty()) {
            Batches.run(
                    database,
                    handle,
                    lease,
                    found,
                    (batch, due) -> batch.bind(
                                    "id", TaskRow.key(due.claim().task().id()).orElseThrow())
                            .bind("lease", Durations.bounded(leaseMillis))
                            .bind("attempts", due.claim().task().attempts()));
        }
        return found;
    }

    /** The claim as the update is going to record it. */
    private static Due found(ResultSet row) throws SQLException {
        boolean abandoned = row.getString("state").equals("LEASED");
        Task task = TaskRow.task(row);
        Task claimed = new Task(
                task.id(),
                task.kind(),
                task.oldest(),
                task.newest(),
                task.version(),
                task.range(),
                task.after(),
                task.attempts() + (abandoned ? 1 : 0),
                task.created());
        return new Due(new Claim(claimed, row.getLong("lease") + 1), row.getLong("due_since"));
    }
}

package io.feedkit.jdbc.internal.log;

import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.MultiTransaction;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.OptionalInt;
import org.jdbi.v3.core.Handle;

/**
 * Restarts tasks, in the order of their rows and in chunks, so that no statement takes long.
 *
 * <p>Each loss has a row that records how far its walk through the tasks has come. Each chunk locks that row, and
 * updates it in the same transaction. Processes that notice a loss together therefore share the walk, an interrupted
 * walk continues where it ended, and no task is restarted twice. Rows that are inserted after the walk started are not
 * touched.
 */
final class TaskRestart {

    private static final int AT_ONCE = 2000;

    /** The tasks that a walk has not visited yet. */
    private record Walk(long after, long last) {

        static Walk of(ResultSet row) throws SQLException {
            return new Walk(row.getLong("after_task"), row.getLong("last_task"));
        }

        boolean isOver() {
            return after >= last;
        }
    }

    /** The result of a chunk. */
    private record Chunk(Walk rest, int finished, int changed) {}

    private final Database database;
    private final TaskNotification notification;
    private final String whole;
    private final String begin;
    private final String later;
    private final String latest;
    private final String walk;
    private final String advance;
    private final String end;
    private final String finished;
    private final String unfinished;

    /** @param wake an update without its condition, which sets tasks to waiting */
    TaskRestart(Database database, TaskNotification notification, String wake) {
        this.database = database;
        this.notification = notification;
        String all = "SELECT %s 0 AS after_task, coalesce(max(id), 0) AS last_task FROM ${task}";
        whole = database.sql(all.formatted(""));
        begin = database.sql("INSERT INTO ${restart} (loss, after_task, last_task) "
                + all.formatted(database.dialect().number(":loss") + ","));
        later = database.sql("SELECT count(*) FROM ${restart} WHERE loss > :loss");
        latest = database.sql("SELECT coalesce(max(loss), 0) FROM ${restart}");
        walk = database.sql("SELECT after_task, last_task FROM ${restart} WHERE loss = :loss");
        advance = database.sql("UPDATE ${restart} SET after_task = :after WHERE loss = :loss");
        end = database.sql("SELECT coalesce(max(c.id), :last) FROM"
                + " (SELECT id FROM ${task} WHERE id > :after AND id <= :last ORDER BY id LIMIT :limit) c");
        String chunk = " WHERE id > :after AND id <= :last AND ";
        finished = database.sql(
                wake + ", after_id = ''" + chunk + "state = 'FINISHED' AND forget_at > ${now} AND ended_at >= :since");
        unfinished = database.sql("UPDATE ${task} SET after_id = '',"
                + " due_at = CASE WHEN state = 'LEASED' THEN ${now} ELSE due_at END,"
                + " state = CASE WHEN state = 'LENT' THEN state ELSE 'WAITING' END" + chunk
                + "(state = 'LEASED' OR (state IN ('WAITING', 'LENT') AND after_id <> ''))");
    }

    OptionalInt run(long loss, long finishedSince) {
        return loss > 0 && (hasLater(loss) || (!start(loss) && walk(loss).isOver()))
                ? OptionalInt.empty()
                : OptionalInt.of(
                        MultiTransaction.run("log.restart", transactions -> walkOn(loss, finishedSince, transactions)));
    }

    long latestLoss() {
        return database.read(
                "log.latestLoss",
                handle -> database.query(handle, latest).mapTo(Long.class).one());
    }

    private boolean hasLater(long loss) {
        return database.read("log.restart", handle -> hasLater(handle, loss));
    }

    private boolean hasLater(Handle handle, long loss) {
        return database.query(handle, later)
                        .bind("loss", loss)
                        .mapTo(Long.class)
                        .one()
                > 0;
    }

    private boolean start(long loss) {
        return database.onceOnly(
                "log.restart",
                handle -> database.update(handle, begin).bind("loss", loss).execute() == 1);
    }

    private Walk walk(long loss) {
        return database.read("log.restart", handle -> find(handle, walk, loss));
    }

    private Walk find(Handle handle, String sql, long loss) {
        return database.query(handle, sql)
                .bind("loss", loss)
                .map((row, context) -> Walk.of(row))
                .one();
    }

    private int walkOn(long loss, long finishedSince, MultiTransaction transactions) {
        int restarted = 0;
        Walk rest = loss > 0
                ? walk(loss)
                : database.read(
                        "log.restart",
                        handle -> database.query(handle, whole)
                                .map((row, context) -> Walk.of(row))
                                .one());
        while (!rest.isOver()) {
            Walk before = rest;
            Chunk done = database.transaction("log.restart", handle -> chunk(handle, loss, before, finishedSince));
            transactions.committed(done.changed());
            restarted += done.finished();
            rest = done.rest();
        }
        return restarted;
    }

    private Chunk chunk(Handle handle, long loss, Walk known, long finishedSince) {
        Walk from = loss > 0 ? find(handle, walk + " FOR UPDATE", loss) : known;
        if (from.isOver() || (loss > 0 && hasLater(handle, loss))) {
            return new Chunk(new Walk(from.last(), from.last()), 0, 0);
        }
        long upTo = database.query(handle, end)
                .bind("after", from.after())
                .bind("last", from.last())
                .bind("limit", AT_ONCE)
                .mapTo(Long.class)
                .one();
        // The unfinished tasks come first. A task that finishes in between is then found among the finished ones.
        int unfinishedCount = database.update(handle, unfinished)
                .bind("after", from.after())
                .bind("last", upTo)
                .execute();
        int finishedCount = database.update(handle, finished)
                .bind("after", from.after())
                .bind("last", upTo)
                .bind("since", finishedSince)
                .execute();
        if (loss > 0) {
            database.update(handle, advance)
                    .bind("after", upTo)
                    .bind("loss", loss)
                    .execute();
        }
        notification.after(handle, finishedCount + unfinishedCount);
        return new Chunk(new Walk(upTo, from.last()), finishedCount, finishedCount + unfinishedCount);
    }
}

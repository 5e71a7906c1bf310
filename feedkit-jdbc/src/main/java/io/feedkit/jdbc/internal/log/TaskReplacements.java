package io.feedkit.jdbc.internal.log;

import io.feedkit.jdbc.internal.posts.PostRows;
import io.feedkit.jdbc.internal.sql.Batches;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Dialect;
import io.feedkit.jdbc.internal.sql.Durations;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.Kind;
import io.feedkit.spi.FanoutLog.Task;
import io.feedkit.spi.KeyRange;
import io.feedkit.spi.PulledRegister;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jspecify.annotations.Nullable;

/** Replaces tasks by others, and records catch-ups. An author has one catch-up at a time. */
final class TaskReplacements {

    /** The columns that a task passes on to its replacements. */
    private record Kept(int shown, @Nullable Long unsettled) {}

    private final Database database;
    private final TaskNotification notification;
    private final String kept;
    private final String remove;
    private final String insert;
    private final String catchUp;

    TaskReplacements(Database database, TaskNotification notification) {
        this.database = database;
        this.notification = notification;
        kept = database.sql("SELECT shown, unsettled_at FROM ${task}" + TaskWrites.HELD);
        remove = database.sql("DELETE FROM ${task}" + TaskWrites.HELD);
        insert = database.sql("""
                INSERT INTO ${task} (kind, author, oldest_at, oldest_id, newest_at, newest_id, entry_version,
                       range_from, range_below, created_at, due_at, unsettled_at, shown)
                VALUES (:kind, :author, :oldestAt, :oldestId, :newestAt, :newestId, :version, :from, :below,
                       :created, ${now} + :delay, :unsettled, :shown)""");
        Dialect dialect = database.dialect();
        catchUp = database.sql("""
                INSERT INTO ${task} (kind, author, oldest_at, oldest_id, newest_at, newest_id, entry_version,
                       range_below, created_at, due_at, unsettled_at, shown, catch_up_key)
                SELECT 'CATCH_UP', %s, %s, %s, %s, %s, %s, %s, recorded, recorded, recorded, 1, %s
                FROM (SELECT ${now} AS recorded) AS clock
                WHERE NOT EXISTS (SELECT 1 FROM ${task}
                       WHERE kind = 'CATCH_UP' AND author = :author AND entry_version = :version
                         AND due_at IS NOT NULL)""".formatted(
                        dialect.text(":author"),
                        dialect.number(":oldestAt"),
                        dialect.text(":oldestId"),
                        dialect.number(":newestAt"),
                        dialect.text(":newestId"),
                        dialect.number(":version"),
                        dialect.text(":below"),
                        dialect.text(":key")));
    }

    boolean split(Claim claim, List<KeyRange> ranges) {
        Task task = claim.task();
        return replace(
                "log.split",
                claim,
                ranges,
                (batch, range) -> bind(batch, task, task.kind())
                        .bind("delay", 0L)
                        .bind("from", range.from())
                        .bind("below", range.below()));
    }

    boolean retractLater(Claim claim, long delayMillis) {
        Task task = claim.task();
        return replace(
                "log.retractLater",
                claim,
                List.of(task.range()),
                (batch, range) -> bind(batch, task, Kind.RETRACT_LATER)
                        .bind("delay", Durations.bounded(delayMillis))
                        .bind("from", range.from())
                        .bind("below", range.below()));
    }

    boolean catchUp(String author, PulledRegister.Entry entry) {
        return database.onceOnly(
                "log.catchUp",
                handle -> database.update(handle, catchUp)
                                .bind("author", author)
                                .bind("oldestAt", entry.oldest().millis())
                                .bind("oldestId", entry.oldest().id())
                                .bind("newestAt", entry.newest().millis())
                                .bind("newestId", entry.newest().id())
                                .bind("version", entry.version())
                                .bind("below", KeyRange.END)
                                .bind("key", author + " " + entry.version())
                                .execute()
                        == 1);
    }

    private boolean replace(
            String operation, Claim claim, List<KeyRange> ranges, BiConsumer<PreparedBatch, KeyRange> binding) {
        return TaskRow.key(claim.task().id())
                .map(key -> database.transaction(
                        operation,
                        handle -> kept(handle, key, claim.lease())
                                .filter(kept -> remove(handle, key, claim.lease()))
                                .map(kept -> insert(
                                        handle,
                                        ranges,
                                        (batch, range) -> binding.accept(
                                                batch.bind("shown", kept.shown())
                                                        .bind("unsettled", kept.unsettled()),
                                                range)))
                                .orElse(false)))
                .orElse(false);
    }

    /** The columns that replacements keep, if the lease was not lost. */
    private Optional<Kept> kept(Handle handle, long key, long lease) {
        return database.query(handle, kept)
                .bind("id", key)
                .bind("lease", lease)
                .map((row, context) -> new Kept(
                        row.getInt("shown"),
                        PostRows.number(row, "unsettled_at").orElse(null)))
                .findOne();
    }

    private boolean remove(Handle handle, long key, long lease) {
        return database.update(handle, remove)
                        .bind("id", key)
                        .bind("lease", lease)
                        .execute()
                == 1;
    }

    private boolean insert(Handle handle, List<KeyRange> ranges, BiConsumer<PreparedBatch, KeyRange> binding) {
        int[] inserted = Batches.run(database, handle, insert, ranges, binding);
        if (ranges.size() > 1) {
            notification.after(handle, inserted.length);
        }
        return true;
    }

    private static PreparedBatch bind(PreparedBatch batch, Task task, Kind kind) {
        return batch.bind("kind", kind.name())
                .bind("author", task.author())
                .bind("oldestAt", task.oldest().millis())
                .bind("oldestId", task.oldest().id())
                .bind("newestAt", task.newest().millis())
                .bind("newestId", task.newest().id())
                .bind("version", task.version())
                .bind("created", task.created());
    }
}

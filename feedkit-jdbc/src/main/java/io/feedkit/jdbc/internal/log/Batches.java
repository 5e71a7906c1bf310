package io.feedkit.jdbc.internal.log;

import io.feedkit.jdbc.internal.sql.Database;
import java.util.List;
import java.util.function.BiConsumer;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;

/** Runs one update for each of some things, in one trip to the database. */
final class Batches {

    private Batches() {}

    /** How many rows each changed. */
    static <T> int[] run(
            Database database, Handle handle, String sql, List<T> things, BiConsumer<PreparedBatch, T> binding) {
        boolean timed = sql.contains(":now");
        PreparedBatch batch = database.batch(handle, sql);
        for (T thing : things) {
            if (timed) {
                database.bindNow(batch);
            }
            binding.accept(batch, thing);
            batch.add();
        }
        return batch.execute();
    }
}

package io.feedkit.jdbc.internal.sql;

import java.util.Collection;
import java.util.function.BiConsumer;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;

/** Runs one update for each of some things, in one trip to the database. */
public final class Batches {

    private Batches() {}

    /** How many rows each changed. */
    public static <T> int[] run(
            Database database, Handle handle, String sql, Collection<T> things, BiConsumer<PreparedBatch, T> binding) {
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

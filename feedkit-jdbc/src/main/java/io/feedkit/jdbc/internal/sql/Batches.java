package io.feedkit.jdbc.internal.sql;

import java.util.Collection;
import java.util.function.BiConsumer;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;

/** Runs one update for each element of a collection, in one round trip. */
public final class Batches {

    private Batches() {}

    /** Returns the number of rows that each update changed. */
    public static <T> int[] run(
            Database database, Handle handle, String sql, Collection<T> things, BiConsumer<PreparedBatch, T> binding) {
        if (things.isEmpty()) {
            return new int[0];
        }
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

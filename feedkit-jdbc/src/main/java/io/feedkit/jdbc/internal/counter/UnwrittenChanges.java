package io.feedkit.jdbc.internal.counter;

import io.feedkit.spi.counter.CounterReads.Cell;
import io.feedkit.spi.counter.CounterSource.Change;
import io.feedkit.spi.counter.CounterSource.Written;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Applies those changes of a cache to cells that the store does not have yet. */
final class UnwrittenChanges {

    private UnwrittenChanges() {}

    /** The cell with the part of the change that is not written yet. */
    static Cell on(Cell cell, Written written, @Nullable Change change) {
        return change == null
                ? cell
                : new Cell(sum(cell.count(), unwritten(written, change)), mark(cell.mark(), change));
    }

    /** The change applied to a missing cell. */
    static Cell onNothing(@Nullable Change change) {
        return on(Cell.NONE, Written.NONE, change);
    }

    /** The amount that was added and is not written yet. */
    private static long unwritten(Written written, Change change) {
        if (!written.life().equals(change.life())) {
            return change.amount();
        }
        return change.version() >= written.version() ? change.amount() - written.amount() : 0;
    }

    private static OptionalLong mark(OptionalLong mark, Change change) {
        OptionalLong held = change.mark();
        if (held.isEmpty() || (mark.isEmpty() && !change.creates())) {
            return mark;
        }
        return mark.isEmpty() ? held : OptionalLong.of(Math.max(mark.getAsLong(), held.getAsLong()));
    }

    /** The sum, or the nearest number that fits. */
    private static long sum(long count, long amount) {
        long sum = count + amount;
        if (((count ^ sum) & (amount ^ sum)) < 0) {
            return count < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
        return sum;
    }
}

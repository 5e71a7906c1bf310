package io.feedkit.jdbc.internal.counter;

import io.feedkit.spi.counter.CounterReads.Cell;
import io.feedkit.spi.counter.CounterSource.Change;
import io.feedkit.spi.counter.CounterSource.Life;
import io.feedkit.spi.counter.CounterSource.Written;
import java.util.LinkedHashSet;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Applies to cells the changes of a cache that the store does not have yet. */
final class UnwrittenChanges {

    private UnwrittenChanges() {}

    /** Returns the cell with the part of the change that is not written yet. */
    static Cell on(Cell cell, Written written, @Nullable Change change) {
        if (change == null) {
            return cell;
        }
        long count = cell.count();
        for (Life earlier : change.earlier()) {
            count = sum(count, unwritten(written, earlier));
        }
        return new Cell(sum(count, unwritten(written, change.life())), mark(cell.mark(), change), cell.gaps());
    }

    /** Returns the change applied to a missing cell. */
    static Cell onNothing(@Nullable Change change) {
        return on(Cell.NONE, Written.NONE, change);
    }

    /** Returns the record of written changes of a cell after a change was written to it. */
    static Written written(Written before, Change change) {
        Set<String> earlier = new LinkedHashSet<>();
        for (int i = change.earlier().size() - 1; i >= 0; i--) {
            earlier.add(change.earlier().get(i).name());
        }
        String last = before.life().name();
        if (before.life().version() > 0 && !last.equals(change.life().name())) {
            earlier.add(last);
        }
        earlier.addAll(before.earlier());
        return new Written(
                change.life(), earlier.stream().limit(Written.EARLIER).toList());
    }

    /** The amount that was added in a life and is not written yet. */
    private static long unwritten(Written written, Life life) {
        Life last = written.life();
        if (last.name().equals(life.name())) {
            return life.version() >= last.version() ? life.amount() - last.amount() : 0;
        }
        return written.earlier().contains(life.name()) ? 0 : life.amount();
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

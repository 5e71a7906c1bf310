package io.feedkit.redis.internal.counter;

import io.feedkit.spi.CounterStore.Cell;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The values of cells: four bits are the length of the count, four are 0 without a mark and one more than the mark's length with one, then both follow. */
final class CellCodec {

    private CellCodec() {}

    /** The cell in an answer; null or empty where there is none. */
    static Cell of(@Nullable Object value) {
        if (!(value instanceof byte[] bytes) || bytes.length == 0) {
            return Cell.NONE;
        }
        CompactNumbers cell = new CompactNumbers(bytes);
        int head = cell.next();
        long count = cell.number(head >> 4);
        int mark = head & 0xF;
        return new Cell(count, mark == 0 ? OptionalLong.empty() : OptionalLong.of(cell.number(mark - 1)));
    }
}

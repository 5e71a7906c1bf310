package io.feedkit.redis.internal.counter;

import io.feedkit.spi.counter.CounterReads.Cell;
import io.feedkit.spi.counter.Gaps;
import io.feedkit.spi.counter.Gaps.Gap;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Decodes cells. Four bits are the length of the count. The next four bits are the mark's length plus one, or 0 without
 * a mark. Count, mark and gaps follow. A gap is its end and its amount, each behind a byte with its length.
 */
final class CellCodec {

    private CellCodec() {}

    /** The cell in an answer, which is null or empty if there is no cell. */
    static Cell of(@Nullable Object value) {
        if (!(value instanceof byte[] bytes) || bytes.length == 0) {
            return Cell.NONE;
        }
        CompactNumbers cell = new CompactNumbers(bytes);
        int head = cell.next();
        long count = cell.number(head >> 4);
        int mark = head & 0xF;
        OptionalLong seen = mark == 0 ? OptionalLong.empty() : OptionalLong.of(cell.number(mark - 1));
        List<Gap> gaps = new ArrayList<>();
        while (cell.hasNext()) {
            gaps.add(new Gap(cell.number(cell.next()), cell.number(cell.next())));
        }
        return new Cell(count, seen, gaps.isEmpty() ? Gaps.NONE : new Gaps(gaps));
    }
}

package io.feedkit.redis.internal.graph;

import io.feedkit.redis.internal.call.Call;
import io.feedkit.redis.internal.format.Arguments;
import io.feedkit.spi.FollowGraph.IdPage;
import io.feedkit.spi.KeyRange;
import io.lettuce.core.output.ValueListOutput;
import io.lettuce.core.protocol.CommandType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads one page of ids, and one more id. A long page is read in parts, because a server executes nothing else during a
 * command.
 */
final class IdPageReader {

    /** Half a millisecond of the server's time. */
    static final int MOST_AT_ONCE = 5000;

    private final byte[] key;
    private final KeyRange range;
    private final String after;
    private final int limit;
    private final List<String> ids = new ArrayList<>();

    /**
     * Creates a reader that has read nothing yet.
     *
     * @param key the set of ids
     * @param range the range of the ids
     * @param after the page begins after this id
     * @param limit the most ids
     */
    IdPageReader(byte[] key, KeyRange range, String after, int limit) {
        this.key = key;
        this.range = range;
        this.after = after;
        this.limit = limit;
    }

    Call<List<byte[]>> next() {
        String last = ids.isEmpty() ? after : ids.get(ids.size() - 1);
        String low = last.compareTo(range.from()) >= 0 ? "(" + last : "[" + range.from();
        return Call.of(
                CommandType.ZRANGEBYLEX,
                ValueListOutput::new,
                key,
                Arguments.text(low),
                Arguments.text("(" + range.below()),
                Arguments.text("LIMIT"),
                Arguments.number(0),
                Arguments.number(nextLimit()));
    }

    /** Adds ids. Returns whether the page needs more. */
    boolean add(List<byte[]> found) {
        boolean full = found.size() == nextLimit();
        found.forEach(bytes -> ids.add(new String(bytes, StandardCharsets.US_ASCII)));
        return full && ids.size() <= limit;
    }

    private int nextLimit() {
        return (int) Math.min(MOST_AT_ONCE, limit + 1L - ids.size());
    }

    IdPage page() {
        boolean more = ids.size() > limit;
        return new IdPage(more ? ids.subList(0, limit) : ids, more);
    }
}

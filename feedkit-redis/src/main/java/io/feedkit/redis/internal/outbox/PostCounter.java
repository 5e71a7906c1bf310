package io.feedkit.redis.internal.outbox;

import io.feedkit.redis.internal.call.Call;
import io.feedkit.redis.internal.call.Effect;
import io.feedkit.redis.internal.call.RedisLink;
import io.feedkit.redis.internal.format.Arguments;
import io.feedkit.redis.internal.format.Keys;
import io.feedkit.redis.internal.outbox.PostRangeReader.RangeQuery;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox.CountQuery;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.CommandType;
import java.util.ArrayList;
import java.util.List;

/**
 * Counts posts in ranges. A count with a low limit reads the posts, which takes one round trip. For a high limit, the
 * server counts the posts in whole milliseconds. The posts in the milliseconds at both ends of the range are read,
 * because Redis cannot compare ids. That takes two round trips.
 */
final class PostCounter {

    private static final String OPERATION = "outbox.count";
    private static final int FEW = 32;

    /** A range of one author's posts, for one query. */
    private record CountedRange(int query, String author, PositionRange range, int limit) {}

    private final RedisLink link;
    private final Keys keys;
    private final PostRangeReader ranges;

    PostCounter(RedisLink link, Keys keys, PostRangeReader ranges) {
        this.link = link;
        this.keys = keys;
        this.ranges = ranges;
    }

    List<Integer> count(List<CountQuery> queries) {
        List<CountedRange> toCount = new ArrayList<>();
        List<CountedRange> toRead = new ArrayList<>();
        for (int i = 0; i < queries.size(); i++) {
            CountQuery query = queries.get(i);
            for (String author : query.range().isEmpty() ? List.<String>of() : query.authors()) {
                CountedRange part = new CountedRange(i, author, query.range(), query.limit());
                if (query.limit() <= FEW) {
                    toRead.add(part);
                } else {
                    toCount.add(part);
                    addEnds(part, toRead);
                }
            }
        }
        long[] counts = new long[queries.size()];
        addCounted(toCount, counts);
        addRead(toRead, counts);
        List<Integer> answers = new ArrayList<>(counts.length);
        for (int i = 0; i < counts.length; i++) {
            answers.add((int) Math.min(queries.get(i).limit(), counts[i]));
        }
        return List.copyOf(answers);
    }

    private void addCounted(List<CountedRange> parts, long[] counts) {
        List<Long> found = link.runAll(
                OPERATION, Effect.READ, parts.stream().map(this::call).toList());
        for (int i = 0; i < found.size(); i++) {
            counts[parts.get(i).query()] += found.get(i);
        }
    }

    private void addRead(List<CountedRange> parts, long[] counts) {
        List<RangeQuery> wanted = parts.stream()
                .map(part -> new RangeQuery(part.author(), part.range(), part.limit()))
                .toList();
        List<Integer> found = ranges.read(OPERATION, wanted, Order.NEWEST_FIRST).stream()
                .map(List::size)
                .toList();
        for (int i = 0; i < found.size(); i++) {
            counts[parts.get(i).query()] += found.get(i);
        }
    }

    /** Counts the whole milliseconds of a range. */
    private Call<Long> call(CountedRange part) {
        Position from = part.range().from();
        return Call.of(
                CommandType.ZCOUNT,
                IntegerOutput::new,
                keys.ofAuthor("posts", part.author()),
                Arguments.text((isWhole(from) ? "" : "(") + Math.max(0, from.millis())),
                Arguments.text("(" + part.range().below().millis()));
    }

    /** Adds the incomplete milliseconds at both ends of a range. */
    private static void addEnds(CountedRange part, List<CountedRange> ends) {
        Position from = part.range().from();
        Position below = part.range().below();
        if (!isWhole(from)) {
            Position end = Position.min(below, new Position(from.millis() + 1, "", ""));
            ends.add(new CountedRange(part.query(), part.author(), new PositionRange(from, end), part.limit()));
        }
        Position lastMillisecond = new Position(below.millis(), "", "");
        if (!isWhole(below) && lastMillisecond.compareTo(from) >= 0) {
            ends.add(new CountedRange(
                    part.query(), part.author(), new PositionRange(lastMillisecond, below), part.limit()));
        }
    }

    private static boolean isWhole(Position bound) {
        return bound.id().isEmpty() && bound.author().isEmpty();
    }
}

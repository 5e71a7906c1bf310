package io.feedkit.redis.internal.outbox;

import io.feedkit.Post;
import io.feedkit.redis.internal.call.Call;
import io.feedkit.redis.internal.call.Effect;
import io.feedkit.redis.internal.call.RedisLink;
import io.feedkit.redis.internal.format.Arguments;
import io.feedkit.redis.internal.format.Keys;
import io.feedkit.redis.internal.outbox.PostRangeReader.RangeQuery;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox.CountQuery;
import io.feedkit.spi.Outbox.Counted;
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

    List<Counted> count(List<CountQuery> queries) {
        List<CountedRange> toCount = new ArrayList<>();
        List<CountedRange> toCountByReading = new ArrayList<>();
        List<CountedRange> toRead = new ArrayList<>();
        for (int i = 0; i < queries.size(); i++) {
            CountQuery query = queries.get(i);
            toRead.addAll(parts(i, query, query.read()));
            for (CountedRange part : parts(i, query, query.counted())) {
                if (query.limit() <= FEW) {
                    toCountByReading.add(part);
                } else {
                    toCount.add(part);
                    addEnds(part, toCountByReading);
                }
            }
        }
        long[] counts = new long[queries.size()];
        List<List<Post>> posts = new ArrayList<>();
        queries.forEach(query -> posts.add(new ArrayList<>()));
        addCounted(toCount, counts);
        int counted = toCountByReading.size();
        toCountByReading.addAll(toRead);
        List<List<Post>> found = read(toCountByReading);
        for (int i = 0; i < found.size(); i++) {
            int query = toCountByReading.get(i).query();
            if (i < counted) {
                counts[query] += found.get(i).size();
            } else {
                posts.get(query).addAll(found.get(i));
            }
        }
        List<Counted> answers = new ArrayList<>(counts.length);
        for (int i = 0; i < counts.length; i++) {
            int limit = queries.get(i).limit();
            List<Post> some = posts.get(i);
            answers.add(new Counted((int) Math.min(limit, counts[i]), some.subList(0, Math.min(limit, some.size()))));
        }
        return List.copyOf(answers);
    }

    private static List<CountedRange> parts(int place, CountQuery query, PositionRange range) {
        return range.isEmpty()
                ? List.of()
                : query.authors().stream()
                        .map(author -> new CountedRange(place, author, range, query.limit()))
                        .toList();
    }

    private void addCounted(List<CountedRange> parts, long[] counts) {
        List<Long> found = link.runAll(
                OPERATION, Effect.READ, parts.stream().map(this::call).toList());
        for (int i = 0; i < found.size(); i++) {
            counts[parts.get(i).query()] += found.get(i);
        }
    }

    private List<List<Post>> read(List<CountedRange> parts) {
        List<RangeQuery> queries = parts.stream()
                .map(part -> new RangeQuery(part.author(), part.range(), part.limit()))
                .toList();
        return ranges.read(OPERATION, queries, Order.NEWEST_FIRST);
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

package io.feedkit.redis.internal.outbox;

import io.feedkit.Post;
import io.feedkit.redis.internal.call.Call;
import io.feedkit.redis.internal.call.Effect;
import io.feedkit.redis.internal.call.RedisLink;
import io.feedkit.redis.internal.format.Arguments;
import io.feedkit.redis.internal.format.Keys;
import io.feedkit.spi.Order;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import io.lettuce.core.ScoredValue;
import io.lettuce.core.output.ScoredValueListOutput;
import io.lettuce.core.protocol.CommandType;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Reads ranges of authors' posts, many at a time. Redis finds the range by time, and orders posts of equal times by the
 * bytes of their ids. Posts that have the time of a bound, but lie beyond it, are dropped here.
 */
final class PostRangeReader {

    private static final byte[] WITHSCORES = Arguments.text("WITHSCORES");
    private static final byte[] LIMIT = Arguments.text("LIMIT");

    /** Tombstones have lower scores. */
    private static final long LOWEST_TIME = 0;

    private final RedisLink link;
    private final Keys keys;

    PostRangeReader(RedisLink link, Keys keys) {
        this.link = link;
        this.keys = keys;
    }

    /**
     * A range to read.
     *
     * @param limit the most posts
     */
    record RangeQuery(String author, PositionRange range, int limit) {}

    /** The posts of each range, in this order. */
    List<List<Post>> read(String operation, List<RangeQuery> queries, Order order) {
        List<RangeRead> reads =
                queries.stream().map(each -> new RangeRead(each, order)).toList();
        List<RangeRead> open = reads.stream().filter(RangeRead::isOpen).toList();
        while (!open.isEmpty()) {
            List<List<ScoredValue<byte[]>>> answers = link.runAll(
                    operation, Effect.READ, open.stream().map(RangeRead::next).toList());
            for (int i = 0; i < answers.size(); i++) {
                open.get(i).add(answers.get(i));
            }
            open = open.stream().filter(RangeRead::isOpen).toList();
        }
        return reads.stream().map(RangeRead::posts).toList();
    }

    /**
     * Reads one range from its beginning. If posts that have the bound's time, but lie beyond it, take too much of the
     * answer, it reads twice as many from the beginning again. So all posts of an answer were read at one moment.
     */
    private final class RangeRead {

        private final RangeQuery query;
        private final Order order;
        private List<Post> posts = List.of();
        private int count;
        private boolean open;

        RangeRead(RangeQuery query, Order order) {
            this.query = query;
            this.order = order;
            // A bound where a page ended is a post itself, which the answer contains.
            boolean bounded = order == Order.NEWEST_FIRST
                    ? !query.range().below().equals(Position.HIGHEST)
                    : !query.range().from().equals(Position.LOWEST);
            count = atMost(query.limit() + (bounded ? 1L : 0L));
            open = !query.range().isEmpty();
        }

        boolean isOpen() {
            return open;
        }

        List<Post> posts() {
            return posts;
        }

        Call<List<ScoredValue<byte[]>>> next() {
            byte[] low = Arguments.text(
                    Long.toString(Math.max(LOWEST_TIME, query.range().from().millis())));
            byte[] high = Arguments.text(Long.toString(query.range().below().millis()));
            boolean newestFirst = order == Order.NEWEST_FIRST;
            return Call.of(
                    newestFirst ? CommandType.ZREVRANGEBYSCORE : CommandType.ZRANGEBYSCORE,
                    ScoredValueListOutput::new,
                    keys.ofAuthor("posts", query.author()),
                    newestFirst ? high : low,
                    newestFirst ? low : high,
                    WITHSCORES,
                    LIMIT,
                    Arguments.number(0),
                    Arguments.number(count));
        }

        void add(List<ScoredValue<byte[]>> found) {
            posts = found.stream()
                    .map(this::post)
                    .filter(query.range()::contains)
                    .limit(query.limit())
                    .toList();
            open = posts.size() < query.limit() && found.size() == count;
            count = atMost(2L * count);
        }

        private static int atMost(long number) {
            return (int) Math.min(number, Integer.MAX_VALUE);
        }

        private Post post(ScoredValue<byte[]> value) {
            String id = new String(value.getValue(), StandardCharsets.US_ASCII);
            return Post.of(query.author(), id, (long) value.getScore());
        }
    }
}

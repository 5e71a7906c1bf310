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
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.ScoredValueListOutput;
import io.lettuce.core.protocol.CommandType;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Reads ranges of authors' posts, many at a time. Redis knows the times, and orders the ids of equal times by their bytes; what of the ends of a range has the time of its bound, but
 * lies beyond it, is dropped here.
 */
final class PostRangeReader {

    private static final byte[] WITHSCORES = Arguments.text("WITHSCORES");
    private static final byte[] LIMIT = Arguments.text("LIMIT");

    /** Below it are the tombstones. */
    private static final long LOWEST_TIME = 0;

    private final RedisLink link;
    private final Keys keys;

    PostRangeReader(RedisLink link, Keys keys) {
        this.link = link;
        this.keys = keys;
    }

    /**
     * What is to be read of an author.
     *
     * @param limit the most posts
     */
    record RangeQuery(String author, PositionRange range, int limit) {}

    /** The posts of each author, in some order. */
    List<List<Post>> read(String operation, List<RangeQuery> wanted, Order order) {
        List<RangeRead> reads =
                wanted.stream().map(each -> new RangeRead(each, order)).toList();
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
     * Into one author's range: from its beginning, for twice as many each time while posts of the bound's own time, but beyond it, take too much of the answer. So what is answered is of one
     * moment.
     */
    private final class RangeRead {

        private final RangeQuery wanted;
        private final Order order;
        private List<Post> posts = List.of();
        private int count;
        private boolean open;

        RangeRead(RangeQuery wanted, Order order) {
            this.wanted = wanted;
            this.order = order;
            // Where a walk through pages goes on is itself a post.
            boolean bounded = order == Order.NEWEST_FIRST
                    ? !wanted.range().below().equals(Position.HIGHEST)
                    : !wanted.range().from().equals(Position.LOWEST);
            count = atMost(wanted.limit() + (bounded ? 1L : 0L));
            open = !wanted.range().isEmpty();
        }

        boolean isOpen() {
            return open;
        }

        List<Post> posts() {
            return posts;
        }

        Call<List<ScoredValue<byte[]>>> next() {
            byte[] low = Arguments.text(
                    Long.toString(Math.max(LOWEST_TIME, wanted.range().from().millis())));
            byte[] high = Arguments.text(Long.toString(wanted.range().below().millis()));
            boolean newestFirst = order == Order.NEWEST_FIRST;
            return Call.of(
                    newestFirst ? CommandType.ZREVRANGEBYSCORE : CommandType.ZRANGEBYSCORE,
                    () -> new ScoredValueListOutput<>(ByteArrayCodec.INSTANCE),
                    keys.ofAuthor("posts", wanted.author()),
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
                    .filter(wanted.range()::contains)
                    .limit(wanted.limit())
                    .toList();
            open = posts.size() < wanted.limit() && found.size() == count;
            count = atMost(2L * count);
        }

        private static int atMost(long number) {
            return (int) Math.min(number, Integer.MAX_VALUE);
        }

        private Post post(ScoredValue<byte[]> value) {
            String id = new String(value.getValue(), StandardCharsets.US_ASCII);
            return Post.of(wanted.author(), id, (long) value.getScore());
        }
    }
}

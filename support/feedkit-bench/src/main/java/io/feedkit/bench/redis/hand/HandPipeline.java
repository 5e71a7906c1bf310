package io.feedkit.bench.redis.hand;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.feedkit.FeedEngineBuilder;
import io.feedkit.Post;
import io.feedkit.bench.redis.ground.BenchRedis;
import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScoredValue;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.StringCodec;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Future;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Inboxes as a host would write them by hand: a sorted set of post ids for each reader, {@code ZADD},
 * {@code ZREMRANGEBYRANK} and {@code EXPIRE} for each follower, pipelined.
 *
 * @param <T> keys and values
 */
public final class HandPipeline<T> implements AutoCloseable {

    private static final int BATCH = 500;
    private static final int ONE = 1;
    private static final int TWO = 2;
    private static final int CAP = FeedEngineBuilder.DEFAULT_CAP;
    private static final Duration WINDOW = FeedEngineBuilder.DEFAULT_LIVE_WINDOW;
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final StatefulRedisConnection<T, T> connection;
    private final RedisAsyncCommands<T, T> commands;
    private final Function<String, T> encode;
    private final int inFlight;
    private final List<T> keys;

    private HandPipeline(
            StatefulRedisConnection<T, T> connection, Function<String, T> encode, int inFlight, List<String> readers) {
        this.connection = connection;
        this.commands = connection.async();
        this.encode = encode;
        this.inFlight = inFlight;
        this.keys =
                readers.stream().map(reader -> encode.apply("hand:" + reader)).toList();
    }

    /** Uses strings, and sends one batch at a time. */
    public static HandPipeline<String> plain(BenchRedis redis, List<String> readers) {
        return new HandPipeline<>(redis.connect(StringCodec.ASCII), text -> text, ONE, readers);
    }

    /** Uses bytes, and has two batches under way. */
    public static HandPipeline<byte[]> tuned(BenchRedis redis, List<String> readers) {
        return new HandPipeline<>(
                redis.connect(ByteArrayCodec.INSTANCE), text -> text.getBytes(US_ASCII), TWO, readers);
    }

    /** Fills the sorted sets. */
    public void fill(List<Post> posts) {
        List<ScoredValue<T>> entries = posts.subList(posts.size() - CAP, posts.size()).stream()
                .map(post -> ScoredValue.just((double) post.publishedAt().toEpochMilli(), encode.apply(post.id())))
                .toList();
        @SuppressWarnings({"unchecked", "rawtypes"})
        ScoredValue<T>[] array = entries.toArray(new ScoredValue[0]);
        for (T key : keys) {
            commands.zadd(key, array).toCompletableFuture().join();
        }
    }

    /** Delivers a post to all readers. */
    public int deliver(Post post) {
        double score = post.publishedAt().toEpochMilli();
        T value = encode.apply(post.id());
        return forAll((some, batch) -> {
            for (T key : some) {
                batch.add(commands.zadd(key, score, value));
                batch.add(commands.zremrangebyrank(key, 0, -CAP - 1));
                batch.add(commands.expire(key, WINDOW));
            }
        });
    }

    /** Reads the newest entry of each reader, and ignores it. */
    public int look() {
        return forAll((some, batch) -> some.forEach(key -> batch.add(commands.lindex(key, -1))));
    }

    /** Checks the readers of a batch with one command. */
    public int lookTogether() {
        return forAll((some, batch) -> batch.add(exists(some)));
    }

    @SuppressWarnings("unchecked")
    private RedisFuture<Long> exists(List<T> some) {
        return commands.exists((T[]) some.toArray());
    }

    private int forAll(BiConsumer<List<T>, List<RedisFuture<?>>> send) {
        connection.setAutoFlushCommands(false);
        Deque<List<RedisFuture<?>>> batches = new ArrayDeque<>();
        for (int from = 0; from < keys.size(); from += BATCH) {
            List<RedisFuture<?>> batch = new ArrayList<>(3 * BATCH);
            send.accept(keys.subList(from, Math.min(from + BATCH, keys.size())), batch);
            connection.flushCommands();
            batches.add(batch);
            while (batches.size() >= inFlight) {
                await(batches.remove());
            }
        }
        batches.forEach(HandPipeline::await);
        connection.setAutoFlushCommands(true);
        return keys.size();
    }

    /** Delivers a post to a few readers, one command after the other. */
    public int deliverSingly(Post post) {
        double score = post.publishedAt().toEpochMilli();
        T value = encode.apply(post.id());
        for (T key : keys.subList(0, BATCH)) {
            connection.sync().zadd(key, score, value);
            connection.sync().zremrangebyrank(key, 0, -CAP - 1);
            connection.sync().expire(key, WINDOW);
        }
        return BATCH;
    }

    public static void await(List<RedisFuture<?>> batch) {
        if (!LettuceFutures.awaitAll(LIMIT, batch.toArray(new Future<?>[0]))) {
            throw new IllegalStateException("the server took more than " + LIMIT);
        }
    }

    @Override
    public void close() {
        connection.close();
    }
}

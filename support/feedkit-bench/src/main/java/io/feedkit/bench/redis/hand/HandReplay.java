package io.feedkit.bench.redis.hand;

import io.feedkit.FeedEngineBuilder;
import io.feedkit.Post;
import io.feedkit.bench.redis.ground.BenchRedis;
import io.feedkit.tools.replay.Recording;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.StringCodec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A replay written by hand: a sorted set of post ids for each reader, {@code ZADD} and {@code ZREMRANGEBYRANK} for each
 * follower of a post, pipelined. It does not record work under way.
 */
public final class HandReplay implements AutoCloseable {

    private static final String PREFIX = "hand:";

    private static final int BATCH = 500;
    private static final int COMMANDS = 2;
    private static final int CAP = FeedEngineBuilder.DEFAULT_CAP;

    private final StatefulRedisConnection<String, String> connection;
    private final RedisAsyncCommands<String, String> commands;
    private final Map<String, List<String>> keys = new HashMap<>();
    private final List<RedisFuture<?>> batch = new ArrayList<>(COMMANDS * BATCH);
    private long deliveries;

    public HandReplay(BenchRedis redis, Map<String, Set<String>> followers) {
        connection = redis.connect(StringCodec.ASCII);
        commands = connection.async();
        followers.forEach((author, readers) ->
                keys.put(author, readers.stream().map(HandReplay::key).toList()));
    }

    /** Delivers all posts, and returns the number of deliveries. */
    public long replay(Recording recording) {
        connection.setAutoFlushCommands(false);
        recording.forEachPost(this::deliver);
        flush();
        connection.setAutoFlushCommands(true);
        return deliveries;
    }

    private void deliver(Post post) {
        double score = post.publishedAt().toEpochMilli();
        for (String key : keys.getOrDefault(post.author(), List.of())) {
            batch.add(commands.zadd(key, score, post.id()));
            batch.add(commands.zremrangebyrank(key, 0, -CAP - 1));
            deliveries++;
            if (batch.size() == COMMANDS * BATCH) {
                flush();
            }
        }
    }

    private void flush() {
        connection.flushCommands();
        HandPipeline.await(batch);
        batch.clear();
    }

    /** The newest ids in a reader's inbox. */
    public List<String> newest(String reader, int count) {
        return connection.sync().zrevrange(key(reader), 0, count - 1L);
    }

    /** Whether a key is one of the readers' sets. */
    public static boolean holds(String key) {
        return key.startsWith(PREFIX);
    }

    private static String key(String reader) {
        return PREFIX + reader;
    }

    @Override
    public void close() {
        connection.close();
    }
}

package io.feedkit.bench.redis.hand;

import io.feedkit.bench.redis.ground.BenchRedis;
import io.lettuce.core.KeyValue;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Unread counts in the way of other systems: a counter of posts for each author, and for each reader a snapshot of the
 * followees' counters. A read sends {@code MGET} and {@code HGETALL} together, and adds up the differences between the
 * counters and the snapshot.
 */
public final class SnapshotUnread implements AutoCloseable {

    private final StatefulRedisConnection<String, String> connection;

    public SnapshotUnread(BenchRedis redis) {
        connection = redis.connect(StringCodec.ASCII);
    }

    /** Sets up authors with some posts, of which each reader has seen a part. */
    public void fill(List<String> authors, List<String> readers, int posts, int seen) {
        Map<String, String> counters = new HashMap<>();
        Map<String, String> snapshot = new HashMap<>();
        for (String author : authors) {
            counters.put(key(author), Integer.toString(posts));
            snapshot.put(author, Integer.toString(seen));
        }
        connection.sync().mset(counters);
        readers.forEach(reader -> connection.sync().hset(snapshotOf(reader), snapshot));
    }

    /** The keys that a host reads. The host knows the reader's followees. */
    public static String[] keys(List<String> authors) {
        return authors.stream().map(SnapshotUnread::key).toArray(String[]::new);
    }

    public long count(String reader, List<String> authors, String[] keys) {
        RedisFuture<Map<String, String>> asked = connection.async().hgetall(snapshotOf(reader));
        List<KeyValue<String, String>> now = join(connection.async().mget(keys).toCompletableFuture());
        Map<String, String> then = join(asked.toCompletableFuture());
        long unread = 0;
        for (int i = 0; i < keys.length; i++) {
            unread += Long.parseLong(now.get(i).getValueOrElse("0"))
                    - Long.parseLong(then.getOrDefault(authors.get(i), "0"));
        }
        return unread;
    }

    private static <T> T join(CompletableFuture<T> answer) {
        return answer.join();
    }

    private static String key(String author) {
        return "hand:posts:" + author;
    }

    private static String snapshotOf(String reader) {
        return "hand:seen:" + reader;
    }

    @Override
    public void close() {
        connection.close();
    }
}

package io.feedkit.bench.redis.hand;

import io.feedkit.bench.redis.ground.BenchRedis;
import io.feedkit.bench.redis.ground.FullInboxes;
import io.lettuce.core.ScoredValue;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Hybrid feeds in the textbook way: a sorted set for each reader and each pulled author, read one by one by a pool of
 * ten threads, and merged.
 */
public final class TextbookFeed implements AutoCloseable {

    private static final int THREADS = 10;
    private static final int PAGE = 20;
    private static final int BATCH = 500;
    private static final int ENTRIES = FullInboxes.SHORT;

    private final StatefulRedisConnection<String, String> connection;
    private final ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    private final List<String> outboxes;

    public TextbookFeed(BenchRedis redis, int pulled) {
        connection = redis.connect(StringCodec.ASCII);
        outboxes = IntStream.range(0, pulled).mapToObj(i -> "hand:outbox:" + i).toList();
    }

    public void fill(List<String> readers) {
        List<ScoredValue<String>> entries = FullInboxes.posts(ENTRIES).stream()
                .map(post -> ScoredValue.just((double) post.publishedAt().toEpochMilli(), post.id()))
                .toList();
        @SuppressWarnings({"unchecked", "rawtypes"})
        ScoredValue<String>[] array = entries.toArray(new ScoredValue[0]);
        List<String> keys = Stream.concat(readers.stream().map(TextbookFeed::key), outboxes.stream())
                .toList();
        for (int from = 0; from < keys.size(); from += BATCH) {
            keys.subList(from, Math.min(keys.size(), from + BATCH)).stream()
                    .map(key -> connection.async().zadd(key, array))
                    .toList()
                    .forEach(TextbookFeed::await);
        }
    }

    /** One command: the newest ids in a reader's inbox. */
    public List<String> newest(String reader) {
        return connection.sync().zrevrange(key(reader), 0, PAGE - 1);
    }

    /** A page of the reader's inbox and of all pulled authors. */
    public List<String> read(String reader) {
        List<Future<List<ScoredValue<String>>>> asked = new ArrayList<>();
        asked.add(pool.submit(() -> range(key(reader))));
        outboxes.forEach(outbox -> asked.add(pool.submit(() -> range(outbox))));
        TreeMap<String, Double> merged = new TreeMap<>();
        asked.forEach(answer -> await(answer).forEach(entry -> merged.put(entry.getValue(), entry.getScore())));
        return merged.descendingKeySet().stream().limit(PAGE).toList();
    }

    private List<ScoredValue<String>> range(String key) {
        return connection.sync().zrevrangeWithScores(key, 0, PAGE - 1);
    }

    private static String key(String reader) {
        return "hand:inbox:" + reader;
    }

    private static <T> T await(Future<T> answer) {
        try {
            return answer.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a command failed", e);
        }
    }

    @Override
    public void close() {
        pool.shutdown();
        connection.close();
    }
}

package io.feedkit.bench.redis.hand;

import io.feedkit.bench.redis.ground.BenchRedis;
import io.feedkit.tools.replay.Recording;
import io.lettuce.core.ScoredValue;
import io.lettuce.core.XGroupCreateArgs;
import io.lettuce.core.XReadArgs.StreamOffset;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A replay by hand that can be killed at any time without losing data. Posts are in sorted sets of their authors and,
 * as tasks, in a stream, and followers are on the server, too. One thread publishes while another does the tasks. The
 * server must have no other users.
 */
public final class HandDurableReplay implements AutoCloseable {

    static final String TASKS = "tasks";
    static final String GROUP = "workers";

    private final StatefulRedisConnection<String, String> publishing;
    private final StatefulRedisConnection<String, String> working;

    public HandDurableReplay(BenchRedis redis, Map<String, Set<String>> followers) {
        publishing = redis.connect(StringCodec.ASCII);
        working = redis.connect(StringCodec.ASCII);
        publishing.sync().xgroupCreate(StreamOffset.from(TASKS, "0"), GROUP, XGroupCreateArgs.Builder.mkstream());
        followers.forEach(this::follow);
    }

    private void follow(String author, Set<String> readers) {
        List<ScoredValue<String>> ids =
                readers.stream().map(reader -> ScoredValue.just(0, reader)).toList();
        @SuppressWarnings({"unchecked", "rawtypes"})
        ScoredValue<String>[] array = ids.toArray(new ScoredValue[0]);
        publishing.sync().zadd(followers(author), array);
    }

    /** Delivers all posts, and returns the number of deliveries. */
    public long replay(Recording recording) {
        ExecutorService publisher = Executors.newSingleThreadExecutor();
        try {
            Future<?> published = publisher.submit(() -> new HandPublisher(publishing).publish(recording));
            long deliveries = new HandWorker(working).workUntil(published::isDone);
            published.get();
            return deliveries;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("posts could not be published", e);
        } finally {
            publisher.shutdown();
        }
    }

    /** The newest ids in a reader's inbox. */
    public List<String> newest(String reader, int count) {
        return working.sync().zrevrange(inbox(reader), 0, count - 1L);
    }

    static String outbox(String author) {
        return "outbox:" + author;
    }

    static String followers(String author) {
        return "followers:" + author;
    }

    static String inbox(String reader) {
        return "inbox:" + reader;
    }

    @Override
    public void close() {
        publishing.close();
        working.close();
    }
}

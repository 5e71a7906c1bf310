package io.feedkit.redis.survival;

import io.feedkit.PostKey;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;

/** Does to a server what administrators and accidents do, over a connection of its own. Not thread-safe. */
final class Admin implements AutoCloseable {

    /** The place of the cursor's length in a claimed task's record. */
    private static final int CURSOR = 24;

    /** The beginning of the id in a finished task's record. */
    private static final int DONE_ID = 12;

    private static final int DONE_ID_END = 26;

    private final RedisClient client;
    private final StatefulRedisConnection<byte[], byte[]> bytes;
    private final StatefulRedisConnection<String, String> connection;

    Admin(int port) {
        client = RedisClient.create(RedisURI.create("127.0.0.1", port));
        connection = client.connect();
        bytes = client.connect(ByteArrayCodec.INSTANCE);
        if (commands().info("cluster").contains("cluster_enabled:1")) {
            commands().readOnly();
            bytes.sync().readOnly();
        }
    }

    /** Cuts all connections of other clients, and returns their number. */
    long killOthers() {
        return commands().clientKill(KillArgs.Builder.typeNormal().skipme());
    }

    /** The tasks that were done for some of their readers, and not for all. */
    Set<String> halfDoneTasks() {
        Set<String> ids = new HashSet<>();
        for (String key : commands().keys("*:tasks")) {
            bytes.sync().hgetall(key.getBytes(StandardCharsets.US_ASCII)).forEach((id, task) -> {
                if (task[CURSOR] != 0) {
                    ids.add(new String(id, StandardCharsets.US_ASCII));
                }
            });
        }
        return ids;
    }

    /** The finished tasks, as long as they are remembered. */
    Set<String> doneTasks() {
        Set<String> ids = new HashSet<>();
        for (String key : commands().keys("*:done")) {
            bytes.sync().lrange(key.getBytes(StandardCharsets.US_ASCII), 0, -1).stream()
                    .filter(task -> task.length > 0)
                    .forEach(task ->
                            ids.add(new String(task, DONE_ID, DONE_ID_END - DONE_ID, StandardCharsets.US_ASCII)));
        }
        return ids;
    }

    /** The stored posts, or the tombstones of deleted ones. */
    Set<PostKey> posts(boolean deleted) {
        Set<PostKey> posts = new HashSet<>();
        for (String key : commands().keys("*:posts:*")) {
            String author = key.substring(key.lastIndexOf(':') + 1);
            commands().zrangeWithScores(key, 0, -1).stream()
                    .filter(post -> post.getScore() < 0 == deleted)
                    .forEach(post -> posts.add(new PostKey(author, post.getValue())));
        }
        return posts;
    }

    /** Whether there are unfinished tasks. */
    boolean hasTasks() {
        return !commands().keys("*:fresh").isEmpty()
                || !commands().keys("*:tasks").isEmpty();
    }

    RedisCommands<String, String> commands() {
        return connection.sync();
    }

    @Override
    public void close() {
        client.shutdown();
    }
}

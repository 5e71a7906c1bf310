package io.feedkit.bench.redis.hand;

import io.feedkit.Post;
import io.feedkit.tools.replay.Recording;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Publishes by hand: {@code ZADD} to the author's outbox and {@code XADD} of a task, in one step for a hundred posts,
 * so that no post is without its task. Two pipelined commands a post, with the task first, would also be correct. But
 * they take about twice as long to publish, and {@code MULTI} needs even more commands.
 */
final class HandPublisher {

    private static final int CALL = 100;
    private static final int BATCH = 20;
    private static final int IN_FLIGHT = 2;
    private static final String SCRIPT = """
            for i = 2, #KEYS do
                local time, id, task = ARGV[3 * i - 5], ARGV[3 * i - 4], ARGV[3 * i - 3]
                redis.call('ZADD', KEYS[i], time, id)
                redis.call('XADD', KEYS[1], '*', 'post', task)
            end
            """;

    private final StatefulRedisConnection<String, String> connection;
    private final RedisAsyncCommands<String, String> commands;
    private final String digest;
    private final Deque<List<RedisFuture<?>>> batches = new ArrayDeque<>();
    private final List<String> keys = new ArrayList<>();
    private final List<String> arguments = new ArrayList<>();
    private List<RedisFuture<?>> calls = new ArrayList<>();

    HandPublisher(StatefulRedisConnection<String, String> connection) {
        this.connection = connection;
        commands = connection.async();
        digest = connection.sync().scriptLoad(SCRIPT);
        keys.add(HandDurableReplay.TASKS);
    }

    void publish(Recording recording) {
        connection.setAutoFlushCommands(false);
        recording.forEachPost(this::publish);
        call();
        flush();
        batches.forEach(HandPipeline::await);
        connection.setAutoFlushCommands(true);
    }

    private void publish(Post post) {
        String time = Long.toString(post.publishedAt().toEpochMilli());
        keys.add(HandDurableReplay.outbox(post.author()));
        arguments.add(time);
        arguments.add(post.id());
        arguments.add(new HandTask(post.author(), post.id(), time).text());
        if (keys.size() > CALL) {
            call();
        }
    }

    private void call() {
        calls.add(commands.evalsha(
                digest, ScriptOutputType.STATUS, keys.toArray(new String[0]), arguments.toArray(new String[0])));
        keys.subList(1, keys.size()).clear();
        arguments.clear();
        if (calls.size() == BATCH) {
            flush();
        }
    }

    private void flush() {
        connection.flushCommands();
        batches.add(calls);
        calls = new ArrayList<>();
        while (batches.size() >= IN_FLIGHT) {
            HandPipeline.await(batches.remove());
        }
    }
}

package io.feedkit.bench.redis.hand;

import io.feedkit.FeedEngineBuilder;
import io.lettuce.core.Consumer;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.StreamMessage;
import io.lettuce.core.XReadArgs;
import io.lettuce.core.XReadArgs.StreamOffset;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/**
 * Does tasks by hand. It claims many at a time, while the inserts of the previous ones are under way. Posts to one
 * reader share a {@code ZADD} and a {@code ZREMRANGEBYRANK}. A task is finished when the server has answered all its
 * inserts. Until then another worker could repeat it.
 */
final class HandWorker {

    private static final int TASKS = 5000;
    private static final long WAIT_MILLIS = 5;
    private static final int CAP = FeedEngineBuilder.DEFAULT_CAP;

    private final StatefulRedisConnection<String, String> connection;
    private final RedisAsyncCommands<String, String> commands;
    private final HandFollowers followers;
    private List<RedisFuture<?>> inserts = new ArrayList<>();
    private List<String> claimed = List.of();

    HandWorker(StatefulRedisConnection<String, String> connection) {
        this.connection = connection;
        commands = connection.async();
        followers = new HandFollowers(connection);
    }

    /** Works until no more tasks arrive and none are left. Returns the number of deliveries. */
    long workUntil(BooleanSupplier isLast) {
        connection.setAutoFlushCommands(false);
        long deliveries = 0;
        boolean isOver;
        do {
            boolean last = isLast.getAsBoolean();
            List<StreamMessage<String, String>> messages = claim();
            List<HandTask> tasks = messages.stream()
                    .map(message ->
                            HandTask.of(Objects.requireNonNull(message.getBody().get("post"))))
                    .toList();
            claimed = messages.stream().map(StreamMessage::getId).toList();
            deliveries += deliver(tasks);
            isOver = last && tasks.isEmpty();
        } while (!isOver);
        connection.setAutoFlushCommands(true);
        return deliveries;
    }

    /** Claims the next tasks, waits for the inserts of the previous ones, and finishes these. */
    @SuppressWarnings("unchecked")
    private List<StreamMessage<String, String>> claim() {
        RedisFuture<List<StreamMessage<String, String>>> next = commands.xreadgroup(
                Consumer.from(HandDurableReplay.GROUP, "worker"),
                XReadArgs.Builder.count(TASKS).block(WAIT_MILLIS),
                StreamOffset.lastConsumed(HandDurableReplay.TASKS));
        connection.flushCommands();
        HandPipeline.await(inserts);
        inserts = new ArrayList<>();
        if (!claimed.isEmpty()) {
            String[] ids = claimed.toArray(new String[0]);
            inserts.add(commands.xack(HandDurableReplay.TASKS, HandDurableReplay.GROUP, ids));
            inserts.add(commands.xdel(HandDurableReplay.TASKS, ids));
            connection.flushCommands();
        }
        return next.toCompletableFuture().join();
    }

    private long deliver(List<HandTask> tasks) {
        Map<String, List<String>> readers =
                followers.of(tasks.stream().map(HandTask::author).distinct().toList());
        Map<String, List<Object>> entries = new HashMap<>();
        long deliveries = 0;
        for (HandTask task : tasks) {
            Double score = Double.valueOf(task.time());
            for (String reader : readers.getOrDefault(task.author(), List.of())) {
                List<Object> its = entries.computeIfAbsent(reader, missing -> new ArrayList<>());
                its.add(score);
                its.add(task.id());
                deliveries++;
            }
        }
        entries.forEach((reader, its) -> {
            String key = HandDurableReplay.inbox(reader);
            inserts.add(commands.zadd(key, its.toArray()));
            inserts.add(commands.zremrangebyrank(key, 0, -CAP - 1));
        });
        connection.flushCommands();
        return deliveries;
    }
}

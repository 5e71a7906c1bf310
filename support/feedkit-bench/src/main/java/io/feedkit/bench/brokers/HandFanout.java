package io.feedkit.bench.brokers;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.Delivery;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.Post;
import io.feedkit.bench.HeapWatch;
import io.feedkit.bench.jdbc.BenchDatabase;
import io.feedkit.bench.redis.ground.BenchRedis;
import io.feedkit.bench.redis.hand.HandPipeline;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.StringCodec;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Fan-out written by hand. A relay sends posts from a table to RabbitMQ, a splitter turns them into parts of 1,000
 * followers, and workers push the parts into lists in Redis: no retries, no deletes, no floor.
 */
final class HandFanout implements AutoCloseable {

    private static final String POSTS = "hand.posts";
    private static final String PARTS = "hand.parts";
    private static final int POSTS_AT_ONCE = 32;
    private static final int PARTS_AHEAD = 4;
    private static final int WORKERS = FeedEngineBuilder.DEFAULT_WORKERS;
    private static final int CAP = FeedEngineBuilder.DEFAULT_CAP;

    private final HandOutbox publisher;
    private final HandOutbox relay;
    private final HandSplitter splitter;
    private final Connection broker;
    private final List<StatefulRedisConnection<String, String>> redis = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicLong delivered = new AtomicLong();
    private final AtomicReference<Exception> failure = new AtomicReference<>();
    private volatile boolean closed;

    /** A step that a thread repeats. */
    private interface Step {
        void run() throws Exception;
    }

    HandFanout(BenchDatabase database, ConnectionFactory factory, BenchRedis server) {
        try {
            publisher = new HandOutbox(database);
            relay = new HandOutbox(database);
            splitter = new HandSplitter(database);
            broker = factory.newConnection();
            HandChannel sent = new HandChannel(broker);
            sent.declare(POSTS);
            sent.declare(PARTS);
            repeat(() -> {
                if (!relay.relay(sent, POSTS)) {
                    HeapWatch.pause(1);
                }
            });
            HandChannel split = new HandChannel(broker);
            split.receive(POSTS, POSTS_AT_ONCE);
            repeat(() -> {
                List<Delivery> posts = split.arrived(POSTS_AT_ONCE);
                if (!posts.isEmpty()) {
                    splitter.split(split, posts, PARTS);
                }
            });
            for (int i = 0; i < WORKERS; i++) {
                HandChannel parts = new HandChannel(broker);
                parts.receive(PARTS, PARTS_AHEAD);
                StatefulRedisConnection<String, String> connection = server.connect(StringCodec.ASCII);
                connection.setAutoFlushCommands(false);
                redis.add(connection);
                repeat(() -> {
                    for (Delivery part : parts.arrived(1)) {
                        int pushed = push(connection, HandChannel.lines(part));
                        parts.acknowledge(part);
                        delivered.addAndGet(pushed);
                    }
                });
            }
        } catch (SQLException | IOException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    private void repeat(Step step) {
        threads.execute(() -> {
            try {
                while (!closed) {
                    step.run();
                }
            } catch (Exception e) {
                failure.set(e);
            }
        });
    }

    /** Creates a list for each reader, because a push skips readers without a list. */
    static void open(BenchRedis server, List<String> readers) {
        try (StatefulRedisConnection<String, String> connection = server.connect(StringCodec.ASCII)) {
            readers.forEach(reader -> connection.sync().rpush(inbox(reader), ""));
        }
    }

    private static String inbox(String reader) {
        return "hand:" + reader;
    }

    /**
     * Pushes a post, given by the first two lines, to the readers in the other lines. Returns how many of them have a
     * list.
     */
    private static int push(StatefulRedisConnection<String, String> connection, List<String> lines) {
        RedisAsyncCommands<String, String> commands = connection.async();
        String post = lines.get(0) + " " + lines.get(1);
        List<RedisFuture<Long>> pushes = new ArrayList<>();
        List<RedisFuture<?>> all = new ArrayList<>();
        for (String reader : lines.subList(2, lines.size())) {
            RedisFuture<Long> push = commands.lpushx(inbox(reader), post);
            pushes.add(push);
            all.add(push);
            all.add(commands.ltrim(inbox(reader), 0, CAP - 1));
        }
        connection.flushCommands();
        HandPipeline.await(all);
        return (int) pushes.stream()
                .filter(push -> push.toCompletableFuture().join() > 0)
                .count();
    }

    void append(List<Post> posts) {
        try {
            publisher.append(posts);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Waits until the given number of deliveries was made since the beginning. */
    void await(long deliveries) {
        while (delivered.get() < deliveries) {
            if (failure.get() != null) {
                throw new IllegalStateException("the fan-out written by hand has failed", failure.get());
            }
            HeapWatch.pause(1);
        }
    }

    @Override
    public void close() {
        closed = true;
        threads.shutdown();
        try {
            if (!threads.awaitTermination(1, TimeUnit.MINUTES)) {
                throw new IllegalStateException("the threads of the fan-out written by hand do not end");
            }
            broker.close();
            redis.forEach(StatefulRedisConnection::close);
            publisher.close();
            relay.close();
            splitter.close();
        } catch (IOException | SQLException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(
                    "interrupted while the threads of the fan-out written by hand were ending", e);
        }
    }
}

package io.feedkit.bench.brokers;

import io.feedkit.FeedEngine;
import io.feedkit.Post;
import io.feedkit.bench.Figure;
import io.feedkit.bench.HeapWatch;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Rounds;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import io.feedkit.bench.brokers.BenchQueue.OpenQueue;
import io.feedkit.event.FeedListener;
import io.feedkit.event.TaskFinished;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.spi.Outbox.Publication;
import io.feedkit.testservers.RabbitMqProgram;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Deliveries a second through RabbitMQ, against a fan-out that is written by hand. The posts are by several authors.
 * Posts of one author would also measure the insertion of late posts into the same inboxes.
 */
final class HandWritten implements Measurement {

    private static final int AUTHORS = 20;
    private static final int FOLLOWERS = 1000;
    private static final int POSTS = 200;

    private final AtomicInteger posts = new AtomicInteger();

    @Override
    public String name() {
        return "handwritten";
    }

    @Override
    public Optional<String> lacks() {
        return RabbitMqProgram.find().isPresent()
                ? Optional.empty()
                : Optional.of("RabbitMQ, with rabbitmq-server and erl_call on the PATH");
    }

    @Override
    public List<Figure> measure(Scale scale) {
        try (BrokerGround ground = new BrokerGround();
                OpenQueue queue = BenchQueue.RABBITMQ.open().get().orElseThrow()) {
            HandOutbox.create(ground.database());
            for (int i = 0; i < AUTHORS; i++) {
                HandFanout.open(ground.redis(), ground.follow("author" + i, FOLLOWERS));
            }
            return List.of(Figure.of(
                    name() + ": RabbitMQ, " + FOLLOWERS + " followers (against relay, splitter and workers by hand)",
                    "deliveries/s",
                    new Rounds(scale.rounds(), 1)
                            .medians(() -> ofEngine(ground, queue), () -> byHand(ground, queue.address())),
                    new Target.RatioAtLeast(0.7)));
        }
    }

    private double ofEngine(BrokerGround ground, OpenQueue queue) {
        AtomicInteger finished = new AtomicInteger();
        FeedListener counting = new FeedListener() {
            @Override
            public void taskFinished(TaskFinished event) {
                finished.incrementAndGet();
            }
        };
        try (FeedEngine engine = ground.engine("queued")
                .fanoutQueue(queue.queue())
                .listener(counting)
                .build()) {
            // The first message waits until the subscriptions exist.
            append(ground, engine, 1);
            await(finished, 1);
            long start = System.nanoTime();
            append(ground, engine, POSTS);
            await(finished, POSTS + 1);
            return perSecond(start);
        }
    }

    private void append(BrokerGround ground, FeedEngine engine, int count) {
        ground.sql()
                .outbox()
                .append(posts(count).stream()
                        .map(post -> new Publication(post, FanoutMode.PUSH))
                        .toList());
        engine.fanout().replay(List.of());
    }

    private static void await(AtomicInteger finished, int tasks) {
        while (finished.get() < tasks) {
            HeapWatch.pause(1);
        }
    }

    private double byHand(BrokerGround ground, String address) {
        try (HandFanout fanout = new HandFanout(ground.database(), BenchQueue.factory(address), ground.redis())) {
            fanout.append(posts(1));
            fanout.await(FOLLOWERS);
            long start = System.nanoTime();
            fanout.append(posts(POSTS));
            fanout.await((1L + POSTS) * FOLLOWERS);
            return perSecond(start);
        }
    }

    private List<Post> posts(int count) {
        long now = System.currentTimeMillis();
        List<Post> made = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            made.add(Post.of("author" + i % AUTHORS, String.format("%018d", posts.getAndIncrement()), now));
        }
        return made;
    }

    private static double perSecond(long start) {
        return (double) POSTS * FOLLOWERS * 1e9 / (System.nanoTime() - start);
    }
}

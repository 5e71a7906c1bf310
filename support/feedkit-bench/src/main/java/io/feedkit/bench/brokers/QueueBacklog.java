package io.feedkit.bench.brokers;

import io.feedkit.FeedEngine;
import io.feedkit.Post;
import io.feedkit.bench.Figure;
import io.feedkit.bench.HeapWatch;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.memory.InMemoryFanoutQueue;
import io.feedkit.queue.FanoutQueue.Lane;
import io.feedkit.queue.QueuedFanout;
import io.feedkit.spi.Outbox.Publication;
import java.util.ArrayList;
import java.util.List;

/** The number of queued messages while a long backlog waits in the log, with two relays. */
final class QueueBacklog implements Measurement {

    private static final int APPENDED_AT_ONCE = 5000;
    private static final int FEWER = 10;

    @Override
    public String name() {
        return "backlog";
    }

    @Override
    public List<Figure> measure(Scale scale) {
        int tasks = Math.min(1_000_000, scale.followers() / FEWER);
        try (BrokerGround ground = new BrokerGround();
                InMemoryFanoutQueue queue = InMemoryFanoutQueue.create()) {
            ground.follow("author", 1);
            long now = System.currentTimeMillis();
            for (int appended = 0; appended < tasks; appended += APPENDED_AT_ONCE) {
                List<Publication> publications = new ArrayList<>();
                for (int i = appended; i < Math.min(tasks, appended + APPENDED_AT_ONCE); i++) {
                    publications.add(
                            new Publication(Post.of("author", String.format("%018d", i), now), FanoutMode.PUSH));
                }
                ground.sql().outbox().append(publications);
            }
            long most = 0;
            long begun = System.nanoTime();
            try (FeedEngine one =
                            ground.engine("one").fanoutQueue(queue).workers(1).build();
                    FeedEngine other =
                            ground.engine("other").fanoutQueue(queue).workers(0).build()) {
                while (System.nanoTime() - begun < 20 * scale.window().toNanos()) {
                    most = Math.max(most, queue.waiting(Lane.SMALL) + queue.waiting(Lane.BULK));
                    HeapWatch.pause(1);
                }
                one.fanout().pause();
                other.fanout().pause();
            }
            return List.of(new Figure(
                    name() + ": most messages queued, with " + tasks + " tasks and two relays (against the window)",
                    "messages",
                    most,
                    QueuedFanout.DEFAULT_LENDING_WINDOW,
                    new Target.RatioAtMost(1.25)));
        }
    }
}

package io.feedkit.tools.brokers;

import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.event.FeedListener;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.kafka.KafkaPostEvents;
import io.feedkit.queue.FanoutQueue;
import io.feedkit.queue.QueuedFanout;
import io.feedkit.redis.RedisInboxes;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.WritableFollowGraph;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/** The engine of one process, and what it stands on. Closing it closes all. */
final class Member implements AutoCloseable {

    /** Followers between two checkpoints: few, so that a kill comes between two. */
    private static final int BATCH_SIZE = 200;

    /** Above so many followers, several workers share a post. */
    private static final int SPLIT_THRESHOLD = 1000;

    private static final int FEW_CONNECTIONS = 4;

    /** An idle relay looks for tasks after twenty of these: once a second. */
    private static final Duration RELAY_POLL = Duration.ofMillis(50);

    /** A worker without messages looks into the store after twenty of these: seldom, so that the queue is seen. */
    private static final Duration WORKER_POLL = Duration.ofMillis(500);

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Deque<Runnable> closings = new ArrayDeque<>();
    private final FeedStore store;
    private final FeedEngine engine;

    private interface Settings {
        FeedEngineBuilder on(FeedEngineBuilder builder, Member member);
    }

    private Member(Place place, int connections, Duration timeout, Settings settings) {
        try {
            store = openStore(place, connections, timeout);
            FeedEngineBuilder builder = FeedEngine.builder(store)
                    .fanout(fanout ->
                            fanout.lease(place.lease()).batchSize(BATCH_SIZE).splitThreshold(SPLIT_THRESHOLD));
            engine = settings.on(builder, this).build();
            closings.push(engine::close);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Publishes, and leaves the rest to others. */
    static Member publisher(Place place) {
        return new Member(
                place, FEW_CONNECTIONS, place.timeout(), (builder, member) -> member.events(builder.workers(0), place));
    }

    /** Lends tasks to the queue, and sends events of posts. */
    static Member relay(Place place) {
        return new Member(place, FEW_CONNECTIONS, place.timeout(), (builder, member) -> {
            member.events(builder.workers(0).fanout(fanout -> fanout.pollInterval(RELAY_POLL)), place);
            return member.queue(builder, place, true);
        });
    }

    /** Pushes what the queue gives it. */
    static Member worker(Place place, FeedListener listener) {
        return new Member(
                place,
                FEW_CONNECTIONS,
                place.timeout(),
                (builder, member) -> member.queue(
                        builder.workers(1)
                                .fanout(fanout -> fanout.pollInterval(WORKER_POLL))
                                .listener(listener),
                        place,
                        false));
    }

    /** Reads for many readers at once, and looks at the backlog. */
    static Member reader(Place place, int threads, FeedListener listener) {
        return new Member(
                place,
                threads + FEW_CONNECTIONS,
                PATIENCE,
                (builder, member) ->
                        builder.workers(0).listener(listener).reading(reading -> reading.concurrentRebuilds(threads)));
    }

    private FeedStore openStore(Place place, int connections, Duration timeout) {
        JdbcFeedStore sql = place.openDatabase(connections, timeout);
        closings.push(sql::close);
        Optional<RedisInboxes> inboxes = place.openInboxes(timeout);
        inboxes.ifPresent(opened -> closings.push(opened::close));
        return inboxes.map(redis -> FeedStore.of(sql.outbox(), redis::inbox, sql.graph(), sql.seenMarks()))
                .orElse(sql);
    }

    private FeedEngineBuilder queue(FeedEngineBuilder builder, Place place, boolean relay) {
        FanoutQueue queue = place.openQueue();
        closings.push(queue::close);
        return builder.fanoutQueue(QueuedFanout.over(queue).relay(relay).loan(place.lease()));
    }

    private FeedEngineBuilder events(FeedEngineBuilder builder, Place place) {
        Optional<KafkaPostEvents> events = place.openEvents();
        events.ifPresent(sink -> {
            closings.push(sink::close);
            builder.postEvents(sink);
        });
        return builder;
    }

    FeedEngine engine() {
        return engine;
    }

    WritableFollowGraph graph() {
        return (WritableFollowGraph) store.graph();
    }

    @Override
    public void close() {
        while (!closings.isEmpty()) {
            closings.pop().run();
        }
    }
}

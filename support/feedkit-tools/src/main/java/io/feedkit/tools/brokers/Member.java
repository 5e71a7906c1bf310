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

/** The engine of one process, and its store and clients. Closing it closes all of them. */
final class Member implements AutoCloseable {

    /** Followers between two checkpoints: few, so that a kill falls between two checkpoints. */
    private static final int BATCH_SIZE = 200;

    /** Posts of authors with more followers are split among workers. */
    private static final int SPLIT_THRESHOLD = 1000;

    private static final int FEW_CONNECTIONS = 4;

    /** An idle relay looks for tasks every 20 poll intervals: once a second. */
    private static final Duration RELAY_POLL = Duration.ofMillis(50);

    /** A worker without messages asks the store every 20 poll intervals: rarely, so tasks come through the queue. */
    private static final Duration WORKER_POLL = Duration.ofMillis(500);

    private static final Duration READER_TIMEOUT = Duration.ofMinutes(1);

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

    /** Publishes, and does not fan out. */
    static Member publisher(Place place) {
        return new Member(
                place, FEW_CONNECTIONS, place.timeout(), (builder, member) -> member.events(builder.workers(0), place));
    }

    /** Lends tasks to the queue, and sends post events. */
    static Member relay(Place place) {
        return new Member(place, FEW_CONNECTIONS, place.timeout(), (builder, member) -> {
            member.events(builder.workers(0).fanout(fanout -> fanout.pollInterval(RELAY_POLL)), place);
            return member.queue(builder, place, true);
        });
    }

    /** Does the queue's tasks. */
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

    /** Reads the feeds of many readers in parallel, and reads the backlog. */
    static Member reader(Place place, int threads, FeedListener listener) {
        return new Member(
                place,
                threads + FEW_CONNECTIONS,
                READER_TIMEOUT,
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

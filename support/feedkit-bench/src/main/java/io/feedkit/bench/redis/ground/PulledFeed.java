package io.feedkit.bench.redis.ground;

import io.feedkit.FeedEngine;
import io.feedkit.Post;
import io.feedkit.bench.core.MadeUpGraph;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.redis.RedisFeedStore;
import io.feedkit.spi.FeedStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** An engine whose readers all follow some pulled authors, who post once a second through another engine. */
public final class PulledFeed implements AutoCloseable {

    private static final int EARLIER = 60;
    private static final long NANOS_A_SECOND = 1_000_000_000;
    private static final int IDS_A_READER = 300;

    private final FeedEngine engine;
    private final FeedEngine publisher;
    private final ScheduledExecutorService authors = Executors.newSingleThreadScheduledExecutor();
    private final List<Future<?>> posting = new ArrayList<>();
    private final List<String> pulled;
    private int posts;

    public PulledFeed(RedisFeedStore store, int pulledAuthors, int readers, Duration staleness) {
        MadeUpGraph graph = new MadeUpGraph();
        pulled = IntStream.range(0, pulledAuthors)
                .mapToObj(i -> "pulled-" + staleness.toMillis() + "-" + pulledAuthors + "-" + i)
                .toList();
        pulled.forEach(author -> graph.follow(author, 0, readers));
        FullInboxes.authors().forEach(author -> graph.follow(author, 0, readers));
        FeedStore parts = FeedStore.of(store.outbox(), store::inbox, graph, store.seenMarks());
        engine = FeedEngine.builder(parts)
                .workers(0)
                .staleness(staleness)
                .followeeCache(IDS_A_READER * readers)
                .build();
        publisher =
                FeedEngine.builder(parts).workers(1).policy(FanoutPolicy.pull()).build();
        for (int i = 0; i < EARLIER; i++) {
            pulled.forEach(this::publish);
        }
        for (int i = 0; i < pulledAuthors; i++) {
            String author = pulled.get(i);
            posting.add(authors.scheduleAtFixedRate(
                    () -> publish(author), NANOS_A_SECOND * i / pulledAuthors, NANOS_A_SECOND, TimeUnit.NANOSECONDS));
        }
    }

    public FeedEngine engine() {
        return engine;
    }

    private void publish(String author) {
        publisher.publish(Post.of(author, FullInboxes.nextId(posts++), System.currentTimeMillis()));
    }

    @Override
    public void close() {
        posting.forEach(author -> author.cancel(false));
        authors.shutdown();
        publisher.close();
        engine.close();
    }
}

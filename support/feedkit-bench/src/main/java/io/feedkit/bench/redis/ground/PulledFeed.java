package io.feedkit.bench.redis.ground;

import io.feedkit.FeedEngine;
import io.feedkit.Post;
import io.feedkit.bench.core.MadeUpGraph;
import io.feedkit.fanout.FanoutMode;
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
import java.util.stream.Stream;

/**
 * Readers who all follow the same authors: some whose posts are in the readers' inboxes, and some who are pulled and
 * post once a second. One engine publishes, two others read. One of these reads the register once a second, the other
 * for each page.
 */
public final class PulledFeed implements AutoCloseable {

    private static final int EARLIER = 60;
    private static final long NANOS_A_SECOND = 1_000_000_000;
    /** More than each reader follows: a quarter of the cache is for readers who follow very many. */
    private static final int IDS_A_READER = 400;

    private final FeedEngine publisher;
    private final FeedEngine warm;
    private final FeedEngine cold;
    private final ScheduledExecutorService authors = Executors.newSingleThreadScheduledExecutor();
    private final List<Future<?>> posting = new ArrayList<>();
    private int posts;

    /**
     * Replaces the readers' inboxes.
     *
     * @param pulledAuthors how many authors are pulled
     * @param full how many readers have full inboxes
     * @param pushed the posts in inboxes
     */
    public PulledFeed(RedisFeedStore store, int pulledAuthors, int full, int readers, List<Post> pushed) {
        MadeUpGraph graph = new MadeUpGraph();
        FeedStore parts = FeedStore.of(store.outbox(), store::inbox, graph, store.seenMarks());
        List<String> pulled = IntStream.range(0, pulledAuthors)
                .mapToObj(i -> "pulled-" + pulledAuthors + "-" + i)
                .toList();
        publisher = FeedEngine.builder(parts)
                .workers(1)
                .policy(status -> pulled.contains(status.author()) ? FanoutMode.PULL : FanoutMode.PUSH)
                .build();
        publisher.publishAll(pushed);
        publisher.fanout().drain();
        List<String> followees =
                Stream.concat(pulled.stream(), FullInboxes.authors().stream()).toList();
        followees.forEach(author -> graph.follow(author, 0, readers));
        for (int i = 0; i < EARLIER; i++) {
            pulled.forEach(this::publish);
        }
        publisher.fanout().drain();
        FullInboxes.fillForReads(
                store.inbox(FullInboxes.LIMITS),
                pushed,
                full,
                readers,
                followees,
                store.outbox().settledMark());
        warm = reading(parts, readers, Duration.ofSeconds(1));
        cold = reading(parts, readers, Duration.ZERO);
        for (int i = 0; i < pulledAuthors; i++) {
            String author = pulled.get(i);
            posting.add(authors.scheduleAtFixedRate(
                    () -> publish(author), NANOS_A_SECOND * i / pulledAuthors, NANOS_A_SECOND, TimeUnit.NANOSECONDS));
        }
    }

    private static FeedEngine reading(FeedStore parts, int readers, Duration staleness) {
        return FeedEngine.builder(parts)
                .workers(0)
                .reading(reading -> reading.staleness(staleness).followeeCache(IDS_A_READER * readers))
                .build();
    }

    public FeedEngine warm() {
        return warm;
    }

    public FeedEngine cold() {
        return cold;
    }

    private void publish(String author) {
        publisher.publish(Post.of(author, FullInboxes.nextId(posts++), System.currentTimeMillis()));
    }

    @Override
    public void close() {
        posting.forEach(author -> author.cancel(false));
        authors.shutdown();
        publisher.close();
        warm.close();
        cold.close();
    }
}

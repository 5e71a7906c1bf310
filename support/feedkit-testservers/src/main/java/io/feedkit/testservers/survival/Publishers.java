package io.feedkit.testservers.survival;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FeedEngine;
import io.feedkit.FeedKitException;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.Published;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Threads that publish posts, and delete some of them. They repeat each call, on any node, until it is acknowledged.
 * Used by one thread.
 */
public final class Publishers implements AutoCloseable {

    private static final long PATIENCE_NANOS = Duration.ofSeconds(150).toNanos();

    /** The longest pause between two calls, usually. */
    public static final int PAUSE_MILLIS = 60;

    private final Members members;
    private final Truth truth;
    private final List<Node> nodes;
    private final int pauseMillis;
    private final Threads threads = new Threads();
    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicInteger same = new AtomicInteger();

    private Publishers(Members members, Truth truth, List<Node> nodes, int pauseMillis) {
        this.members = members;
        this.truth = truth;
        this.nodes = nodes;
        this.pauseMillis = pauseMillis;
    }

    /**
     * Starts publishers.
     *
     * @param count how many
     * @param members the authors
     * @param truth gets all requests and acknowledgements
     * @param nodes the nodes to publish through
     * @param pauseMillis the longest pause of a thread between two calls
     * @return the publishers
     */
    public static Publishers start(int count, Members members, Truth truth, List<Node> nodes, int pauseMillis) {
        Publishers publishers = new Publishers(members, truth, nodes, pauseMillis);
        for (int i = 0; i < count; i++) {
            String name = "p" + i;
            Random random = new Random(i);
            publishers.threads.start(() -> publishers.publish(name, random));
        }
        return publishers;
    }

    /**
     * Waits until all threads have finished their present work.
     *
     * @throws InterruptedException if the caller is interrupted
     * @throws ExecutionException if one of them failed
     */
    public void finish() throws InterruptedException, ExecutionException {
        threads.finish();
    }

    /**
     * Counts the calls that were not acknowledged, and were repeated.
     *
     * @return how many
     */
    public int refused() {
        return refused.get();
    }

    /**
     * Counts the publishes whose repetition found that they had been done.
     *
     * @return how many
     */
    public int doneBefore() {
        return same.get();
    }

    /** Ends all threads at once. */
    @Override
    public void close() {
        threads.close();
    }

    private void publish(String name, Random random) {
        for (int n = 0; threads.goOn(); n++) {
            Post post = new Post(members.anAuthor(random), name + "-" + n, Instant.now());
            truth.asks(post.key());
            untilAcknowledged(random, feed -> acknowledged(feed.publish(post)));
            if (random.nextInt(8) == 0) {
                PostKey key = post.key();
                Rounds.moment(random, pauseMillis);
                untilAcknowledged(random, feed -> {
                    feed.delete(key.author(), key.id());
                    truth.deleted(key);
                });
            }
            Rounds.moment(random, pauseMillis);
        }
    }

    private void acknowledged(Published answer) {
        assertThat(answer.status()).isNotEqualTo(Published.Status.DELETED);
        if (answer.status() == Published.Status.SAME) {
            same.incrementAndGet();
        }
        truth.published(answer.post());
    }

    private void untilAcknowledged(Random random, Consumer<FeedEngine> call) {
        long begun = System.nanoTime();
        while (true) {
            try {
                call.accept(nodes.get(random.nextInt(nodes.size())).engine());
                return;
            } catch (FeedKitException e) {
                refused.incrementAndGet();
                if (System.nanoTime() - begun > PATIENCE_NANOS
                        || Thread.currentThread().isInterrupted()) {
                    throw e;
                }
                Rounds.moment(random, pauseMillis);
            }
        }
    }
}

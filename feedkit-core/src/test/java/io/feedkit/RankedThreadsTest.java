package io.feedkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.rank.RankRequest;
import io.feedkit.rank.RankedPage;
import io.feedkit.rank.Ranker;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Ranked pages, in many threads,")
class RankedThreadsTest extends RankedFeed {

    private static final int THREADS = 64;

    /** A post's place in the order that all walks of the test have, whatever is published and deleted meanwhile. */
    private static double steadyWeight(Post post) {
        return post.key().hashCode() * 31 % 1009;
    }

    @Test
    @DisplayName("of 64 threads repeat nothing, keep their order, and show nothing deleted, while posts come and go")
    void manyThreads() throws Exception {
        fill(400);
        engine.follow("zoe", "bob");
        Ranker ranker = (posts, context) ->
                posts.stream().mapToDouble(RankedThreadsTest::steadyWeight).toArray();
        Set<PostKey> deleted = ConcurrentHashMap.newKeySet();
        AtomicInteger next = new AtomicInteger(1100);
        AtomicBoolean over = new AtomicBoolean();
        CountDownLatch start = new CountDownLatch(1);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS + 1);
        try {
            Future<?> writer = threads.submit(() -> {
                start.await();
                while (!over.get()) {
                    int n = next.getAndIncrement();
                    engine.publish(post(n % 2 == 0 ? "bob" : "cat", n));
                    engine.fanout().drain();
                    PostKey old = post(n % 2 == 0 ? "bob" : "cat", n - 1000).key();
                    engine.delete(old.author(), old.id());
                    deleted.add(old);
                }
                return true;
            });
            List<Callable<Integer>> walks = IntStream.range(0, THREADS)
                    .<Callable<Integer>>mapToObj(thread -> () -> {
                        start.await();
                        return walkBeside(thread, ranker, deleted);
                    })
                    .toList();
            List<Future<Integer>> running = walks.stream().map(threads::submit).toList();
            start.countDown();
            int shown = 0;
            for (Future<Integer> each : running) {
                shown += each.get(60, TimeUnit.SECONDS);
            }
            over.set(true);
            writer.get(60, TimeUnit.SECONDS);
            assertThat(shown).isGreaterThan(THREADS * 100);
            assertThat(deleted).isNotEmpty();
        } finally {
            over.set(true);
            threads.shutdownNow();
        }
    }

    /** Each thread is a reader with walks of its own. */
    private int walkBeside(int thread, Ranker ranker, Set<PostKey> deleted) {
        String reader = "reader-" + thread;
        engine.follow(reader, "bob");
        engine.follow(reader, "cat");
        int shown = 0;
        for (int round = 0; round < 3; round++) {
            RankedPage<Post> page = engine.ranked(reader, RankRequest.top(300, 17), ranker);
            List<Post> walked = new ArrayList<>(page.items());
            while (page.next().isPresent()) {
                Set<PostKey> goneBefore = Set.copyOf(deleted);
                page = engine.ranked(reader, RankRequest.after(page.next().get(), 17), ranker);
                assertThat(page.items()).extracting(Post::key).noneMatch(goneBefore::contains);
                walked.addAll(page.items());
            }
            assertThat(walked).doesNotHaveDuplicates();
            assertThat(walked.stream().map(RankedThreadsTest::steadyWeight))
                    .isSortedAccordingTo(Collections.reverseOrder());
            shown += walked.size();
        }
        return shown;
    }
}

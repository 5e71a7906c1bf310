package io.feedkit;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.feedkit.event.FeedListener;
import io.feedkit.event.TaskFinished;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.memory.InMemoryFeedStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("concurrency")
@DisplayName("A drain beside a worker that is at a task")
@Timeout(300)
class DrainTest {

    private static final String WORKER = "drained-fanout-1";

    private final ManualClock clock = new ManualClock();
    private final ProbedStore store = new ProbedStore(InMemoryFeedStore.create(clock));
    private final CountDownLatch arrived = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);

    /**
     * An engine whose worker gives a task back after every batch of one follower, for the longer the lower the rate is.
     */
    private FeedEngine engine(int rate) {
        FeedEngine engine = FeedEngine.builder(store)
                .name("drained")
                .clock(clock)
                .workers(1)
                .policy(FanoutPolicy.active(1))
                .fanout(fanout -> fanout.batchSize(1).activePushRate(rate))
                .build();
        for (String reader : List.of("ann", "zoe")) {
            engine.follow(reader, "bob");
            engine.read(reader, PageRequest.first(1));
        }
        return engine;
    }

    /** Gives the worker a task of two batches, and stops it in the first. */
    private void occupyWorker(FeedEngine engine) throws InterruptedException {
        store.before("Inbox.deliver", () -> {
            if (Thread.currentThread().getName().equals(WORKER)) {
                arrived.countDown();
                waitForRelease();
            }
        });
        engine.publish("bob", "p1");
        assertThat(arrived.await(30, SECONDS)).isTrue();
        engine.fanout().pause();
    }

    private void waitForRelease() {
        try {
            assertThat(release.await(30, SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Lets the worker end its round, and waits until it rests. */
    private void releaseWorker() {
        release.countDown();
        Thread worker = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(WORKER))
                .findFirst()
                .orElseThrow();
        await().until(() -> worker.getState() == Thread.State.WAITING);
    }

    @Test
    @DisplayName("does the rest of the task, though the worker gave it back while the drain found nothing due")
    void givenBackMeanwhile() throws InterruptedException {
        try (FeedEngine engine = engine(Integer.MAX_VALUE)) {
            occupyWorker(engine);
            store.after("FanoutLog.claim", () -> {
                store.after("FanoutLog.claim", () -> {});
                releaseWorker();
            });
            assertThat(engine.fanout().drain()).isEqualTo(1);
            assertThat(engine.fanout().backlog().tasks()).isZero();
        }
    }

    @Test
    @DisplayName("is refused to the worker itself, which would wait for itself")
    void byTheWorker() throws Exception {
        CompletableFuture<Throwable> refusal = new CompletableFuture<>();
        AtomicReference<FeedEngine> inside = new AtomicReference<>();
        FeedListener drainer = new FeedListener() {
            @Override
            public void taskFinished(TaskFinished event) {
                refusal.complete(catchThrowable(() -> inside.get().fanout().drain()));
            }
        };
        try (FeedEngine engine =
                FeedEngine.builder(store).workers(1).listener(drainer).build()) {
            inside.set(engine);
            engine.publish("bob", "p1");
            assertThat(refusal.get(30, SECONDS))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith("drain must not be called on a fan-out worker");
            engine.fanout().drain();
            assertThat(engine.fanout().backlog().tasks()).isZero();
        }
    }

    @Test
    @DisplayName("waits for the worker without asking the log again, and leaves alone what it gave back for later")
    void givenBackForLater() throws Exception {
        try (FeedEngine engine = engine(1)) {
            occupyWorker(engine);
            int before = store.calls("FanoutLog.claim");
            FutureTask<Integer> drain = new FutureTask<>(() -> engine.fanout().drain());
            Thread drainer = new Thread(drain, "drainer");
            drainer.start();
            await().until(() -> drainer.getState() == Thread.State.WAITING);
            assertThat(store.calls("FanoutLog.claim") - before).isEqualTo(1);
            releaseWorker();
            assertThat(drain.get(30, SECONDS)).isZero();
            assertThat(store.calls("FanoutLog.claim") - before).isEqualTo(2);
            assertThat(engine.fanout().backlog().tasks()).isEqualTo(1);
        }
    }
}

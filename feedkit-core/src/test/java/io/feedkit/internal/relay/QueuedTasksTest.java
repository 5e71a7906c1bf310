package io.feedkit.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.feedkit.ManualClock;
import io.feedkit.Post;
import io.feedkit.ProbedStore;
import io.feedkit.event.FeedListener;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.GuardedListener;
import io.feedkit.internal.host.TestSettings;
import io.feedkit.memory.InMemoryFanoutQueue;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.LentTask;
import io.feedkit.spi.FanoutLog.Progress;
import io.feedkit.spi.KeyRange;
import io.feedkit.spi.Outbox.Publication;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("What workers keep of the tasks that came through a queue")
@Timeout(60)
class QueuedTasksTest {

    private static final int WORKERS = 2;
    private static final int ALL = 1000;
    private static final long LEASE = 60_000;

    private final ManualClock clock = new ManualClock();
    private final ProbedStore store = new ProbedStore(InMemoryFeedStore.create(clock));
    private final FanoutLog log = store.outbox().fanout();
    private final InMemoryFanoutQueue queue = InMemoryFanoutQueue.create();
    private final EngineSettings settings = TestSettings.with(clock, 0, WORKERS, Duration.ofMillis(2));
    private final QueueHealth health = new QueueHealth(queue, settings, Duration.ofMillis(LEASE));
    private final QueuedTasks tasks = new QueuedTasks(
            settings,
            store.outbox().identity(),
            log,
            queue,
            health,
            new TrafficCounter(health, new GuardedListener(settings, List.of(FeedListener.NONE))));

    @AfterEach
    void stop() {
        store.heal();
        tasks.stop();
        queue.close();
    }

    private void publish(String author, int posts) {
        store.outbox()
                .append(IntStream.range(0, posts)
                        .mapToObj(i -> new Publication(Post.of(author, "p" + i, 1), FanoutMode.PUSH))
                        .toList());
    }

    private void relay() {
        List<LentTask> lent = log.lend(ALL, LEASE, ALL);
        queue.send(lent.stream()
                .map(task -> TaskMessage.of(store.outbox().identity(), task))
                .toList());
    }

    private List<Claim> claimAll() {
        List<Claim> all = new ArrayList<>();
        for (List<Claim> some = tasks.claim(ALL, LEASE); !some.isEmpty(); some = tasks.claim(ALL, LEASE)) {
            all.addAll(some);
        }
        return all;
    }

    private static List<Progress> unfinished(List<Claim> claims) {
        return claims.stream().map(claim -> new Progress(claim, "reader")).toList();
    }

    @Test
    @DisplayName("is bounded: the others go back to the log, with their cursors")
    void bounded() {
        tasks.start(() -> {});
        publish("bob", 200);
        relay();
        List<Claim> claims = claimAll();
        assertThat(claims).hasSize(200);
        tasks.putBack(unfinished(claims));
        List<Claim> others = log.claim(ALL, LEASE);
        assertThat(others)
                .hasSize(200 - 64 * WORKERS)
                .allMatch(claim -> claim.task().after().equals("reader"));
    }

    @Test
    @DisplayName("is one part of a huge task for each worker")
    void parts() {
        tasks.start(() -> {});
        publish("star", 1);
        log.split(
                log.claim(1, LEASE).get(0),
                List.of(
                        new KeyRange("", "b"),
                        new KeyRange("b", "d"),
                        new KeyRange("d", "f"),
                        new KeyRange("f", KeyRange.END)));
        relay();
        List<Claim> claims = claimAll();
        assertThat(claims).hasSize(4);
        tasks.putBack(unfinished(claims));
        assertThat(log.claim(ALL, LEASE)).hasSize(4 - WORKERS);
        assertThat(tasks.claim(ALL, LEASE)).hasSize(1);
    }

    @Test
    @DisplayName("does not keep them from looking into the log when no message comes")
    void looks() {
        tasks.start(() -> {});
        publish("bob", 1);
        relay();
        List<Claim> under = new ArrayList<>(tasks.claim(ALL, LEASE));
        assertThat(under).hasSize(1);
        publish("ann", 1);
        await().until(() -> {
            tasks.putBack(unfinished(under));
            under.clear();
            under.addAll(tasks.claim(ALL, LEASE));
            return under.size() == 2;
        });
    }

    @Test
    @DisplayName("goes back to the log when they stop, or waits for its leases if the log is down")
    void stops() {
        tasks.start(() -> {});
        publish("bob", 1);
        relay();
        tasks.putBack(unfinished(tasks.claim(ALL, LEASE)));
        tasks.stop();
        assertThat(log.queueStatus().due()).isEqualTo(1);
        tasks.start(() -> {});
        relay();
        tasks.putBack(unfinished(tasks.claim(ALL, LEASE)));
        store.fail("FanoutLog.release");
        tasks.stop();
        store.heal();
        assertThat(log.claim(ALL, LEASE)).isEmpty();
        clock.advance(Duration.ofMinutes(2));
        assertThat(log.claim(ALL, LEASE)).hasSize(1);
    }
}

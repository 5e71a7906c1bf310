package io.feedkit.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import io.feedkit.Cursor;
import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.counter.WriteBehindStatus;
import io.feedkit.event.CardPartFailed;
import io.feedkit.event.PostDelivered;
import io.feedkit.event.TaskFinished;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.fanout.QueueTraffic;
import io.feedkit.fanout.TaskKind;
import io.feedkit.memory.InMemoryFanoutQueue;
import io.feedkit.queue.QueuedFanout;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@DisplayName("The metrics of an engine")
class FeedMetricsTest {

    private final MockClock meterClock = new MockClock();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, meterClock);
    private final MeasuredFeed feed = new MeasuredFeed(registry, meterClock);

    @AfterEach
    void close() {
        feed.close();
    }

    private double count(String name, String... tags) {
        return registry.get(name).tags(tags).counter().count();
    }

    private long timed(String name, String... tags) {
        return registry.get(name).tags(tags).timer().count();
    }

    private double value(String name, String... tags) {
        return registry.get(name).tags(tags).gauge().value();
    }

    private void followLive(String reader, String author) {
        feed.engine.follow(reader, author);
        feed.read(reader);
    }

    @Test
    @DisplayName("count published posts by mode, deleted posts, and time the calls that publish")
    void publishes() {
        feed.publish("user-bob");
        feed.engine.publishAll(List.of(Post.of("user-bob", "a", 1), Post.of("user-bob", "b", 2)));
        feed.engine.publishAll(List.of(Post.of("user-bob", "a", 1)));
        feed.engine.usePolicy(FanoutPolicy.pull());
        feed.publish("user-pop");
        feed.engine.delete("user-bob", "a");
        feed.engine.delete("user-bob", "unknown");
        assertThat(count("feedkit.published.posts", "mode", "push")).isEqualTo(3);
        assertThat(count("feedkit.published.posts", "mode", "pull")).isEqualTo(1);
        assertThat(count("feedkit.published.posts", "mode", "push_active")).isZero();
        assertThat(count("feedkit.deleted.posts")).isEqualTo(1);
        assertThat(timed("feedkit.publishes")).isEqualTo(4);
    }

    @Test
    @DisplayName("time pages by the source of their posts, and count their posts and calls")
    void reads() {
        followLive("user-ann", "user-bob");
        assertThat(timed("feedkit.reads", "source", "empty")).isEqualTo(1);

        feed.publish("user-bob");
        feed.publish("user-bob");
        feed.engine.fanout().drain();
        feed.read("user-ann");
        assertThat(timed("feedkit.reads", "source", "inbox")).isEqualTo(1);
        assertThat(timed("feedkit.reads", "source", "outbox")).isZero();
        assertThat(count("feedkit.read.posts", "source", "inbox")).isEqualTo(2);

        feed.engine.follow("user-ann", "user-pop");
        feed.engine.usePolicy(FanoutPolicy.pull());
        feed.publish("user-pop");
        feed.read("user-ann");
        assertThat(timed("feedkit.reads", "source", "mixed")).isEqualTo(1);
        assertThat(count("feedkit.read.posts", "source", "inbox")).isEqualTo(4);
        assertThat(count("feedkit.read.posts", "source", "outbox")).isEqualTo(1);

        double calls = count("feedkit.read.outbox.calls");
        feed.engine.read("user-cid", PageRequest.first(20).from(List.of("user-bob")));
        assertThat(timed("feedkit.reads", "source", "outbox")).isEqualTo(1);
        assertThat(count("feedkit.read.outbox.calls")).isGreaterThan(calls);
        assertThat(registry.get("feedkit.reads").timers().stream()
                        .mapToDouble(timer -> timer.totalTime(TimeUnit.NANOSECONDS))
                        .sum())
                .isPositive();
    }

    @Test
    @DisplayName("count deliveries by their outcome")
    void deliveries() {
        followLive("user-ann", "user-bob");
        feed.engine.follow("user-cid", "user-bob");
        feed.publish("user-bob");
        feed.engine.fanout().drain();
        assertThat(count("feedkit.deliveries", "outcome", "added")).isEqualTo(1);
        assertThat(count("feedkit.deliveries", "outcome", "not_live")).isEqualTo(1);

        feed.engine.fanout().replayFinished(Duration.ofHours(1));
        feed.engine.fanout().drain();
        assertThat(count("feedkit.deliveries", "outcome", "added")).isEqualTo(1);
        assertThat(count("feedkit.deliveries", "outcome", "present")).isEqualTo(1);

        feed.metrics.delivered(PostDelivered.builder(Post.of("user-bob", "old", 1))
                .belowFloor(5)
                .build());
        assertThat(count("feedkit.deliveries", "outcome", "below_floor")).isEqualTo(5);
    }

    @Test
    @DisplayName("time fan-out tasks from their recording to their end, by kind")
    void tasks() {
        followLive("user-ann", "user-bob");
        feed.publish("user-bob");
        feed.clock.advance(Duration.ofSeconds(30));
        feed.engine.fanout().drain();
        assertThat(registry.get("feedkit.tasks").tags("kind", "push").timer().totalTime(TimeUnit.SECONDS))
                .isEqualTo(30);
        assertThat(timed("feedkit.tasks", "kind", "push")).isEqualTo(1);
        assertThat(timed("feedkit.tasks", "kind", "retract")).isZero();
    }

    @Test
    @DisplayName("count failures of tasks, and tell dead letters from tasks that are tried again")
    void taskFailures() {
        feed.engine.follow("user-ann", "user-bob");
        feed.failPush();
        assertThat(count("feedkit.task.failures", "kind", "push", "dead", "false"))
                .isEqualTo(1);
        assertThat(count("feedkit.task.failures", "kind", "push", "dead", "true"))
                .isEqualTo(1);
        assertThat(value("feedkit.dead.letters")).isEqualTo(1);
    }

    @Test
    @DisplayName("count failed operations by the exception, and leave them out of the timers")
    void failures() {
        feed.engine.follow("user-ann", "user-bob");
        feed.publish("user-bob");
        feed.failRead("user-ann");
        feed.failPublish();
        assertThat(count("feedkit.failures", "operation", "read", "exception", "CallbackException"))
                .isEqualTo(1);
        assertThat(count("feedkit.failures", "operation", "publish", "exception", "CallbackException"))
                .isEqualTo(1);
        assertThat(timed("feedkit.publishes")).isEqualTo(1);
        assertThat(registry.get("feedkit.reads").timers()).allMatch(timer -> timer.count() == 0);
    }

    @Test
    @DisplayName("time builds of inboxes, and count refreshes with what they changed")
    void inboxes() {
        followLive("user-ann", "user-bob");
        assertThat(timed("feedkit.rebuilds")).isEqualTo(1);

        feed.publish("user-bob"); // not delivered: the refresh inserts it
        assertThat(feed.engine.refresh("user-ann")).isEqualTo(1);
        assertThat(count("feedkit.refreshes")).isEqualTo(1);
        assertThat(count("feedkit.refreshed.posts", "change", "inserted")).isEqualTo(1);
        assertThat(count("feedkit.refreshed.posts", "change", "removed")).isZero();
        assertThat(count("feedkit.restored.posts", "path", "refresh")).isZero();
    }

    @Test
    @DisplayName("count suspected losses, and what was restored after them")
    void losses() {
        followLive("user-ann", "user-bob");
        feed.loseDeliveries();
        assertThat(count("feedkit.suspected.losses")).isEqualTo(1);

        feed.metrics.delivered(PostDelivered.builder(Post.of("user-bob", "p", 1))
                .readers(List.of("user-ann", "user-cid"))
                .afterSuspectedLoss(true)
                .build());
        assertThat(count("feedkit.restored.posts", "path", "delivery")).isEqualTo(2);
    }

    @Test
    @DisplayName("time counts of unread posts")
    void unread() {
        feed.engine.unread("user-ann");
        feed.engine.unread(List.of("user-ann", "user-cid"));
        feed.engine.countNewer("user-ann", Cursor.at(Instant.EPOCH));
        assertThat(timed("feedkit.unread.counts")).isEqualTo(3);
    }

    @Test
    @DisplayName("count follows, unfollows, and failed parts of cards")
    void others() {
        followLive("user-ann", "user-bob");
        feed.engine.unfollow("user-ann", "user-bob");
        followLive("user-ann", "user-bob");
        assertThat(count("feedkit.follow.changes", "change", "follow")).isEqualTo(2);
        assertThat(count("feedkit.follow.changes", "change", "unfollow")).isEqualTo(1);

        feed.publish("user-bob");
        feed.engine.fanout().drain();
        feed.failCard();
        assertThat(count("feedkit.card.failures", "part", "sound", "kind", "failed"))
                .isEqualTo(1);
    }

    @Test
    @DisplayName("count the traffic of a fan-out queue, and show whether it is blocked")
    void queue() {
        SimpleMeterRegistry another = new SimpleMeterRegistry();
        FeedMetrics metrics = FeedMetrics.create(another);
        try (InMemoryFanoutQueue queue = InMemoryFanoutQueue.create();
                FeedEngine engine = FeedEngine.inMemory()
                        .fanout(fanout -> fanout.pollInterval(Duration.ofMillis(20)))
                        .fanoutQueue(QueuedFanout.over(queue))
                        .listener(metrics)
                        .build()) {
            engine.follow("user-ann", "user-bob");
            engine.read("user-ann", PageRequest.first(1));
            engine.publish("user-bob", "p1");
            await().until(() -> another.get("feedkit.queue.messages")
                            .tags("event", "taken")
                            .counter()
                            .count()
                    == 1);
            assertThat(another.get("feedkit.queue.messages")
                            .tags("event", "lent")
                            .counter()
                            .count())
                    .isEqualTo(1);
            assertThat(another.get("feedkit.queue.blocked").gauge().value()).isZero();
            metrics.queueTraffic(QueueTraffic.builder().blocked(true).build());
            assertThat(another.get("feedkit.queue.blocked").gauge().value()).isOne();
        }
    }

    @Test
    @DisplayName("show counters that are written behind")
    void countersWrittenBehind() {
        assertThat(value("feedkit.counter.cache.up")).isOne();
        feed.counters(WriteBehindStatus.builder()
                .written(7)
                .failures(2)
                .age(Duration.ofSeconds(90))
                .build());
        assertThat(registry.get("feedkit.counter.writes").functionCounter().count())
                .isEqualTo(7);
        assertThat(registry.get("feedkit.counter.flush.failures")
                        .functionCounter()
                        .count())
                .isEqualTo(2);
        assertThat(registry.get("feedkit.counter.unwritten.age").timeGauge().value(TimeUnit.SECONDS))
                .isEqualTo(90);
        assertThat(value("feedkit.counter.cache.up")).isZero();
    }

    @Test
    @DisplayName("keep the last counts, and show no gauges, if the status of the counters fails")
    void failingStatus() {
        SimpleMeterRegistry another = new SimpleMeterRegistry();
        AtomicReference<WriteBehindStatus> status = new AtomicReference<>(
                WriteBehindStatus.builder().written(7).cacheReachable(true).build());
        FeedMetrics metrics = FeedMetrics.create(another);
        metrics.watchCounters(status::get);
        FunctionCounter writes = another.get("feedkit.counter.writes").functionCounter();
        assertThat(writes.count()).isEqualTo(7);
        status.set(null);
        assertThat(writes.count()).isEqualTo(7);
        assertThat(another.get("feedkit.counter.cache.up").gauge().value()).isNaN();
        assertThat(another.get("feedkit.counter.unwritten.age").timeGauge().value())
                .isNaN();
    }

    @Test
    @DisplayName("are of a bounded number, whatever names the host gives to parts of cards")
    void boundedTags() {
        for (int i = 0; i < TagValues.MOST + 50; i++) {
            feed.metrics.cardPartFailed(late("part-of-user-" + i));
        }
        feed.metrics.cardPartFailed(late("part-of-user-0"));
        assertThat(registry.get("feedkit.card.failures").counters()).hasSize(TagValues.MOST + 1);
        assertThat(count("feedkit.card.failures", "part", "other")).isEqualTo(50);
        assertThat(count("feedkit.card.failures", "part", "part-of-user-0")).isEqualTo(2);
    }

    private static CardPartFailed late(String part) {
        return CardPartFailed.builder(part, CardPartFailed.Kind.LATE).build();
    }

    @Test
    @DisplayName("are held by the registry alone")
    void references() {
        SimpleMeterRegistry another = new SimpleMeterRegistry();
        WriteBehindStatus status = WriteBehindStatus.builder().written(7).build();
        FeedMetrics.create(another).watchCounters(() -> status);
        WeakReference<Object> collected = new WeakReference<>(new Object());
        await().until(() -> {
            System.gc();
            return collected.get() == null;
        });
        assertThat(another.get("feedkit.counter.writes").functionCounter().count())
                .isEqualTo(7);
        assertThat(another.get("feedkit.counter.cache.up").gauge().value()).isZero();
        assertThat(another.get("feedkit.queue.blocked").gauge().value()).isZero();
    }

    @Test
    @DisplayName("have names in lower case, units, descriptions, and no ids in tags")
    void conventions() {
        feed.work();
        feed.trouble();
        List<Meter.Id> ids = registry.getMeters().stream()
                .map(Meter::getId)
                .filter(id -> !id.getName().endsWith(".histogram")) // made by this registry
                .toList();
        assertThat(ids).hasSizeGreaterThan(60).allSatisfy(id -> {
            assertThat(id.getName()).matches("feedkit(\\.[a-z]+)+");
            assertThat(id.getDescription()).isNotBlank();
            boolean isState = id.getName().matches(".*\\.(up|blocked)");
            assertThat(id.getBaseUnit() == null).as("no unit: %s", id).isEqualTo(isState);
            assertThat(id.getTags()).allSatisfy(tag -> {
                assertThat(tag.getKey()).matches("[a-z]+");
                assertThat(tag.getValue()).matches("[A-Za-z_]+").isNotIn(MeasuredFeed.USERS);
            });
        });
    }

    @Test
    @DisplayName("have the tags of the host, and vanish from the registry when they are closed")
    void tagsAndClose() {
        SimpleMeterRegistry another = new SimpleMeterRegistry();
        another.counter("of.the.host").increment();
        FeedMetrics metrics =
                FeedMetrics.builder(another).tags(Tags.of("engine", "home")).build();
        try (FeedEngine engine = FeedEngine.inMemory().listener(metrics).build()) {
            metrics.watch(engine);
            metrics.watchCounters(() -> WriteBehindStatus.builder().build());
            assertThat(another.getMeters())
                    .filteredOn(meter -> meter.getId().getName().startsWith("feedkit"))
                    .hasSizeGreaterThan(50)
                    .allMatch(meter -> meter.getId().getTags().contains(Tag.of("engine", "home")));
        }
        metrics.close();
        metrics.close();
        metrics.taskFinished(TaskFinished.builder(TaskKind.PUSH, "user-bob").build());
        metrics.cardPartFailed(late("sound")); // has a meter that does not exist yet
        assertThat(another.getMeters())
                .extracting(meter -> meter.getId().getName())
                .containsExactly("of.the.host");
    }

    @Test
    @DisplayName("of two engines in one registry are apart by their tags")
    void twoEngines() {
        SimpleMeterRegistry another = new SimpleMeterRegistry();
        FeedMetrics one =
                FeedMetrics.builder(another).tags(Tags.of("engine", "one")).build();
        FeedMetrics two =
                FeedMetrics.builder(another).tags(Tags.of("engine", "two")).build();
        try (FeedEngine first = FeedEngine.inMemory().workers(0).listener(one).build();
                FeedEngine second =
                        FeedEngine.inMemory().workers(0).listener(two).build()) {
            one.watch(first);
            two.watch(second);
            first.follow("user-ann", "user-bob");
            first.publish("user-bob", "p1");
            assertThat(another.get("feedkit.backlog.tasks")
                            .tags("engine", "one", "state", "due")
                            .gauge()
                            .value())
                    .isEqualTo(1);
            assertThat(another.get("feedkit.backlog.tasks")
                            .tags("engine", "two", "state", "due")
                            .gauge()
                            .value())
                    .isZero();
        }
    }

    @Test
    @DisplayName("watch one engine and one store of counters, and refuse bad settings")
    void refusals() {
        feed.metrics.watch(feed.engine); // again, which changes nothing
        try (FeedEngine other = FeedEngine.inMemory().build()) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> feed.metrics.watch(other))
                    .withMessageContaining("watch another engine");
        }
        assertThatIllegalStateException()
                .isThrownBy(() -> feed.metrics.watchCounters(
                        () -> WriteBehindStatus.builder().build()))
                .withMessageContaining("watch counters already");
        FeedMetrics.Builder builder =
                FeedMetrics.builder(registry).tags(Tags.empty()).refreshInterval(Duration.ofSeconds(1));
        assertThatIllegalStateException()
                .isThrownBy(() -> builder.tags(Tags.empty()))
                .withMessage("tags was set before");
        assertThatIllegalStateException()
                .isThrownBy(() -> builder.refreshInterval(Duration.ofSeconds(1)))
                .withMessage("refreshInterval was set before");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FeedMetrics.builder(registry).refreshInterval(Duration.ofMillis(999)))
                .withMessage("refreshInterval must be between PT1S and PT1M, but is PT0.999S");
    }
}

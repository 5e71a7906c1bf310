package io.feedkit.micrometer;

import static java.util.Objects.requireNonNull;

import io.feedkit.event.ArchiveStep;
import io.feedkit.event.CardPartFailed;
import io.feedkit.event.CopyStep;
import io.feedkit.event.FeedRead;
import io.feedkit.event.FollowChanged;
import io.feedkit.event.InboxRebuilt;
import io.feedkit.event.InboxRefreshed;
import io.feedkit.event.OperationEnd;
import io.feedkit.event.OperationStarted;
import io.feedkit.event.OperationStarted.Kind;
import io.feedkit.event.PostDelivered;
import io.feedkit.event.PostPublished;
import io.feedkit.event.TaskFailed;
import io.feedkit.event.TaskFinished;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.fanout.QueueTraffic;
import io.feedkit.fanout.TaskKind;
import io.feedkit.verify.FindingKind;
import io.feedkit.verify.VerifyReport;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * The meters of an engine's events. All but those whose tags a failure decides exist from the beginning, with zero, so
 * that a rate sees their first event. Thread-safe.
 */
final class EventMeters {

    /** What a client waits for: 5 ms to 5 s. */
    private static final Duration[] CALLS = millis(5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000);

    /** What a background task takes: 50 ms to an hour. */
    private static final Duration[] TASKS = millis(50, 250, 1000, 5000, 15_000, 60_000, 300_000, 900_000, 3_600_000);

    private final Meters meters;
    private final Timer publishes;
    private final Timer unreadCounts;
    private final Map<FanoutMode, Counter> published;
    private final Counter deleted;
    private final Map<ReadSource, Timer> reads;
    private final Counter postsFromInbox;
    private final Counter postsFromOutboxes;
    private final Counter outboxCalls;
    private final Counter added;
    private final Counter present;
    private final Counter belowFloor;
    private final Counter notLive;
    private final Map<TaskKind, Timer> tasks;
    private final Map<TaskKind, Counter> retried;
    private final Map<TaskKind, Counter> dead;
    private final Timer rebuilds;
    private final Counter refreshes;
    private final Counter inserted;
    private final Counter removed;
    private final Counter losses;
    private final Counter restoredByDelivery;
    private final Counter restoredByRefresh;
    private final Counter follows;
    private final Counter unfollows;
    private final Counter archived;
    private final Counter archiveFailures;
    private final Map<CopyStep.Outcome, Counter> copies;
    private final Map<FindingKind, Counter> findings;
    private final QueueMeters queue;
    private final TagValues exceptions = new TagValues();
    private final TagValues parts = new TagValues();

    EventMeters(Meters meters) {
        this.meters = meters;
        publishes = meters.timer("feedkit.publishes", "Calls that publish or import posts", CALLS);
        unreadCounts = meters.timer("feedkit.unread.counts", "Calls that count unread posts", CALLS);
        published = each(
                FanoutMode.class,
                mode -> meters.counter("feedkit.published.posts", "Posts that are new", "mode", Names.of(mode)));
        deleted = meters.counter("feedkit.deleted.posts", "Posts that were deleted");
        reads = each(
                ReadSource.class,
                source -> meters.timer("feedkit.reads", "Reads of a page", CALLS, "source", Names.of(source)));
        postsFromInbox = posts("inbox");
        postsFromOutboxes = posts("outbox");
        outboxCalls = meters.counter("feedkit.read.outbox.calls", "Calls of reads to the outbox");
        added = deliveries("added");
        present = deliveries("present");
        belowFloor = deliveries("below_floor");
        notLive = deliveries("not_live");
        tasks = each(
                TaskKind.class,
                kind -> meters.timer(
                        "feedkit.tasks",
                        "Time from the recording of a fan-out task to its end",
                        TASKS,
                        "kind",
                        Names.of(kind)));
        retried = each(TaskKind.class, kind -> failures(kind, false));
        dead = each(TaskKind.class, kind -> failures(kind, true));
        rebuilds = meters.timer("feedkit.rebuilds", "Builds of inboxes", CALLS);
        refreshes = meters.counter("feedkit.refreshes", "Comparisons of inboxes with the outboxes");
        inserted = refreshed("inserted");
        removed = refreshed("removed");
        losses = meters.counter("feedkit.suspected.losses", "Events after which deliveries may have been lost");
        restoredByDelivery = restored("delivery");
        restoredByRefresh = restored("refresh");
        follows = followChanges("follow");
        unfollows = followChanges("unfollow");
        archived = meters.counter("feedkit.archived.posts", "Posts that were moved to the archive");
        archiveFailures = meters.counter("feedkit.archive.failures", "Steps of the move to the archive that failed");
        copies = each(
                CopyStep.Outcome.class,
                outcome -> meters.counter("feedkit.inbox.copies", "Copies of inboxes", "outcome", Names.of(outcome)));
        findings = each(
                FindingKind.class,
                kind -> meters.counter(
                        "feedkit.verify.findings", "Differences that verify has found", "kind", Names.of(kind)));
        queue = new QueueMeters(meters);
    }

    private static Duration[] millis(long... millis) {
        return Arrays.stream(millis).mapToObj(Duration::ofMillis).toArray(Duration[]::new);
    }

    private static <E extends Enum<E>, M> Map<E, M> each(Class<E> type, Function<E, M> meter) {
        Map<E, M> all = new EnumMap<>(type);
        EnumSet.allOf(type).forEach(constant -> all.put(constant, meter.apply(constant)));
        return all;
    }

    private Counter posts(String source) {
        return meters.counter("feedkit.read.posts", "Posts of pages", "source", source);
    }

    private Counter deliveries(String outcome) {
        return meters.counter(
                "feedkit.deliveries", "Deliveries of a post to a follower by fan-out tasks", "outcome", outcome);
    }

    private Counter failures(TaskKind kind, boolean isDead) {
        return meters.counter(
                "feedkit.task.failures",
                "Failures of fan-out tasks",
                "kind",
                Names.of(kind),
                "dead",
                Boolean.toString(isDead));
    }

    private Counter refreshed(String change) {
        return meters.counter("feedkit.refreshed.posts", "Changes of inboxes by refreshes", "change", change);
    }

    private Counter restored(String path) {
        return meters.counter(
                "feedkit.restored.posts", "Posts that were inserted after a suspected loss", "path", path);
    }

    private Counter followChanges(String change) {
        return meters.counter("feedkit.follow.changes", "Follows and unfollows", "change", change);
    }

    OperationEnd started(OperationStarted event) {
        long begin = meters.now();
        return failure -> ended(event.kind(), meters.now() - begin, failure);
    }

    private void ended(Kind kind, long nanos, Optional<Throwable> failure) {
        if (failure.isPresent()) {
            meters.counter(
                            "feedkit.failures",
                            "Operations that threw an exception",
                            "operation",
                            Names.of(kind),
                            "exception",
                            exceptions.limited(Names.of(failure.get())))
                    .increment();
        } else if (kind == Kind.PUBLISH) {
            publishes.record(nanos, TimeUnit.NANOSECONDS);
        } else if (kind == Kind.COUNT_UNREAD) {
            unreadCounts.record(nanos, TimeUnit.NANOSECONDS);
        }
    }

    void published(PostPublished event) {
        of(published, event.mode()).increment();
    }

    void deleted() {
        deleted.increment();
    }

    void delivered(PostDelivered event) {
        added.increment(event.readers().size());
        present.increment(event.present());
        belowFloor.increment(event.belowFloor());
        notLive.increment(event.notLive());
        if (event.afterSuspectedLoss()) {
            restoredByDelivery.increment(event.readers().size());
        }
    }

    void taskFinished(TaskFinished event) {
        of(tasks, event.kind()).record(event.age());
    }

    void taskFailed(TaskFailed event) {
        of(event.dead() ? dead : retried, event.kind()).increment();
    }

    void read(FeedRead event) {
        of(reads, ReadSource.of(event)).record(event.took());
        postsFromInbox.increment(event.fromInbox());
        postsFromOutboxes.increment(event.fromOutboxes());
        outboxCalls.increment(event.outboxCalls());
    }

    void cardPartFailed(CardPartFailed event) {
        meters.counter(
                        "feedkit.card.failures",
                        "Parts of cards that failed or were late",
                        "part",
                        parts.limited(event.part()),
                        "kind",
                        Names.of(event.kind()))
                .increment();
    }

    void rebuilt(InboxRebuilt event) {
        rebuilds.record(event.took());
    }

    void refreshed(InboxRefreshed event) {
        refreshes.increment();
        inserted.increment(event.added());
        removed.increment(event.removed());
        if (event.afterSuspectedLoss()) {
            restoredByRefresh.increment(event.added());
        }
    }

    void deliveryLossSuspected() {
        losses.increment();
    }

    void queueTraffic(QueueTraffic event) {
        queue.add(event);
    }

    void followChanged(FollowChanged event) {
        (event.following() ? follows : unfollows).increment();
    }

    void archived(ArchiveStep event) {
        archived.increment(event.moved());
        if (event.failure().isPresent()) {
            archiveFailures.increment();
        }
    }

    void copied(CopyStep event) {
        of(copies, event.outcome()).increment();
    }

    void verified(VerifyReport report) {
        report.counts().forEach((kind, count) -> of(findings, kind).increment(count));
    }

    private static <E extends Enum<E>, M> M of(Map<E, M> all, E constant) {
        return requireNonNull(all.get(constant));
    }
}

package io.feedkit.internal;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.feedkit.event.InboxRebuilt;
import io.feedkit.spi.Inbox.Opening;
import io.feedkit.spi.Position;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeoutException;

/**
 * Builds inboxes from the outboxes.
 *
 * <p>(1) The inbox is opened as building under a new generation, and accepts pushes from then on. (2) Only then the newest posts of all followees are collected:
 * a post appended before is found here, a post appended later is pushed into the building inbox. (3) The posts are merged and the tombstones checked, so that a
 * delete in between is not undone. (4) The inbox goes live. Steps 3 and 4 name the generation, so a builder that was overtaken changes nothing.
 *
 * <p>A reader's inbox is built by one builder at a time: threads of this engine that want the same one wait for it, unless they are building one themselves; other engines' are told that it is busy.
 * The number of builders of this engine is bounded. Whoever cannot build reads from the outboxes. Thread-safe.
 */
public final class InboxBuilder {

    private record Build(String reader, boolean replace) {}

    /** A build under way. */
    private record Building(Thread thread, CompletableFuture<Boolean> live) {}

    /** Whether there is a live inbox now, and what is told of it when nobody waits for this any more. */
    private record Outcome(boolean live, Optional<InboxRebuilt> event) {
        static final Outcome NOT_BUILT = new Outcome(false, Optional.empty());
        static final Outcome LIVE_BEFORE = new Outcome(true, Optional.empty());
    }

    private final Parts parts;
    private final Semaphore permits;
    private final long leaseMillis;
    private final Map<Build, Building> building = new ConcurrentHashMap<>();

    public InboxBuilder(Parts parts) {
        this.parts = parts;
        this.permits = new Semaphore(parts.settings().concurrentRebuilds());
        this.leaseMillis = parts.settings().fanout().lease().toMillis();
    }

    /**
     * Builds a reader's inbox, or waits for the thread that is at it. Who follows nobody gets none, unless it replaces one: so feeds of made-up readers leave nothing in the store.
     *
     * @param replace whether to build anew if there is a live inbox
     * @return whether there is a live inbox now
     */
    public boolean build(String reader, boolean replace) {
        Build build = new Build(reader, replace);
        Building mine = new Building(Thread.currentThread(), new CompletableFuture<>());
        Building other = building.putIfAbsent(build, mine);
        if (other != null) {
            return !isBuilding(mine.thread()) && await(other.live());
        }
        Outcome outcome = Outcome.NOT_BUILT;
        try {
            outcome = buildIfPermitted(reader, replace);
        } finally {
            building.remove(build, mine);
            mine.live().complete(outcome.live());
        }
        outcome.event().ifPresent(event -> parts.events().tell(listener -> listener.rebuilt(event)));
        return outcome.live();
    }

    /** Whether a thread is building some inbox already: a follow graph of the host's that reads feeds would wait for itself. */
    private boolean isBuilding(Thread thread) {
        return building.values().stream().anyMatch(each -> each.thread() == thread);
    }

    private Outcome buildIfPermitted(String reader, boolean replace) {
        if (!permits.tryAcquire()) {
            return Outcome.NOT_BUILT;
        }
        try {
            return replace || parts.followees().any(reader) ? openAndBuild(reader, replace) : Outcome.NOT_BUILT;
        } finally {
            permits.release();
        }
    }

    private boolean await(CompletableFuture<Boolean> other) {
        try {
            return other.get(leaseMillis, MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException | TimeoutException e) {
            return false;
        }
    }

    private Outcome openAndBuild(String reader, boolean replace) {
        long start = System.nanoTime();
        Opening opening = parts.inbox().open(reader, leaseMillis, replace);
        if (opening.status() != Opening.Status.OPENED) {
            return opening.status() == Opening.Status.LIVE ? Outcome.LIVE_BEFORE : Outcome.NOT_BUILT;
        }
        long generation = opening.generation();
        long mark = parts.outbox().settledMark();
        FolloweeSet followees = parts.followees().load(reader);
        NewestPosts newest = NewestPosts.collect(
                parts.outbox(),
                followees.authors(),
                Position.LOWEST,
                parts.settings().limits().cap());
        if (!parts.inbox().merge(reader, generation, newest.posts(), newest.floor())) {
            return Outcome.NOT_BUILT;
        }
        Tombstones.retractDeleted(parts, reader, newest.posts());
        if (!parts.inbox().complete(reader, generation, mark, followees.checksum())) {
            return Outcome.NOT_BUILT;
        }
        return new Outcome(
                true,
                Optional.of(
                        new InboxRebuilt(reader, newest.posts().size(), Duration.ofNanos(System.nanoTime() - start))));
    }
}

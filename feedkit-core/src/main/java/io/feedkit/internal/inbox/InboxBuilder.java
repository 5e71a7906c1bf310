package io.feedkit.internal.inbox;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.GuardedListener;
import io.feedkit.internal.inbox.BuildSteps.Outcome;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeoutException;

/**
 * Builds inboxes by {@link BuildSteps}.
 *
 * <p>A reader's inbox is built by one builder at a time. Threads of this engine that need the inbox wait for the
 * builder, unless they are building an inbox themselves. The store answers threads of other engines that the inbox is
 * busy. The number of builders of this engine is bounded. A thread that cannot build reads from the outboxes.
 * Thread-safe.
 */
public final class InboxBuilder {

    private record Build(String reader, boolean replace) {}

    /** A build under way. */
    private record Building(Thread thread, CompletableFuture<Boolean> live) {}

    private final BuildSteps steps;
    private final GuardedListener listener;
    private final Semaphore permits;
    private final long leaseMillis;
    private final Map<Build, Building> building = new ConcurrentHashMap<>();

    public InboxBuilder(EngineSettings settings, BuildSteps steps, GuardedListener listener) {
        this.steps = steps;
        this.listener = listener;
        this.permits = new Semaphore(settings.inboxes().concurrentRebuilds());
        this.leaseMillis = settings.fanout().tasks().lease().toMillis();
    }

    /**
     * Builds a reader's inbox, or waits for the thread that is building it. A reader who follows nobody gets no inbox
     * unless it replaces one, so reads for made-up readers leave nothing in the store.
     *
     * @param replace whether to rebuild a live inbox
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
        outcome.event().ifPresent(event -> listener.notify(listener -> listener.rebuilt(event)));
        return outcome.live();
    }

    /** Whether this engine builds fewer inboxes than it may at the same time. */
    boolean hasRoom() {
        return permits.availablePermits() > 0;
    }

    /**
     * Whether a thread is building an inbox already. If a host's follow graph reads feeds, such a thread would wait for
     * itself.
     */
    private boolean isBuilding(Thread thread) {
        return building.values().stream().anyMatch(each -> each.thread() == thread);
    }

    private Outcome buildIfPermitted(String reader, boolean replace) {
        if (!permits.tryAcquire()) {
            return Outcome.NOT_BUILT;
        }
        try {
            return steps.build(reader, replace);
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
}

package io.feedkit.internal.relay;

import io.feedkit.internal.check.FailureReasons;
import io.feedkit.internal.fanout.TaskSource;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.WarningLimiter;
import io.feedkit.queue.FanoutQueue;
import io.feedkit.queue.FanoutQueue.Lane;
import io.feedkit.queue.FanoutQueue.Received;
import io.feedkit.queue.FanoutQueue.Subscription;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.LentTask;
import io.feedkit.spi.FanoutLog.Loan;
import io.feedkit.spi.FanoutLog.Progress;
import io.feedkit.spi.FanoutLog.Release;
import io.feedkit.spi.KeyRange;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The source of tasks for which messages arrive. A message is acknowledged as soon as its task is taken: from then on
 * the lease protects the task, and the message is not needed. A task that is unfinished at the end of a worker's turn
 * stays with this engine, with a fresh lease. Each worker has at most one part of a huge task, so that other processes
 * get the other parts.
 *
 * <p>While the queue cannot be used, tasks are claimed from the log. They are also claimed there now and then if no
 * message arrives: the relays may have stopped, or the connection may be broken, unnoticed. Thread-safe.
 */
final class QueuedTasks implements TaskSource {

    private static final Logger log = LoggerFactory.getLogger(QueuedTasks.class);

    /** How many messages each worker may hold before it takes their tasks. */
    private static final int SMALL_EACH = 128;

    /** How many unfinished tasks each worker keeps. The others go back to the log. */
    private static final int KEPT_EACH = 64;

    /** The room for new tasks besides unfinished ones, so that small tasks do not wait for large ones. */
    private static final int FEWEST_NEW = 8;

    /** A message, and where it came from. */
    private record Arrival(Subscription from, Received message) {}

    /** The subscriptions while the workers run. */
    private record Open(Subscription small, Subscription bulk) {}

    private final String engine;
    private final String identity;
    private final FanoutQueue queue;
    private final FanoutLog fanoutLog;
    private final QueueHealth health;
    private final TrafficCounter traffic;
    private final int workers;
    private final long leaseMillis;
    private final long idleNanos;
    private final WarningLimiter warnings;

    private final ReentrantLock lock = new ReentrantLock();
    private volatile Optional<Open> open = Optional.empty();
    private final Queue<Claim> unfinished = new ConcurrentLinkedQueue<>();
    private final Queue<Claim> unfinishedParts = new ConcurrentLinkedQueue<>();
    private final Queue<Arrival> untaken = new ConcurrentLinkedQueue<>();
    private volatile long arrivedAt = System.nanoTime();
    private volatile boolean direct;
    private volatile Runnable wake = () -> {};

    QueuedTasks(
            EngineSettings settings,
            String identity,
            FanoutLog fanoutLog,
            FanoutQueue queue,
            QueueHealth health,
            TrafficCounter traffic) {
        this.engine = settings.name();
        this.identity = identity;
        this.warnings = new WarningLimiter(settings.clock());
        this.queue = queue;
        this.fanoutLog = fanoutLog;
        this.health = health;
        this.traffic = traffic;
        this.workers = settings.fanout().workers();
        this.leaseMillis = settings.fanout().tasks().lease().toMillis();
        this.idleNanos = Relay.idleRest(settings).toNanos();
    }

    @Override
    public void start(Runnable arrived) {
        lock.lock();
        try {
            if (open.isEmpty()) {
                wake = arrived;
                Subscription small = queue.receive(Lane.SMALL, SMALL_EACH * workers, arrived);
                try {
                    open = Optional.of(new Open(small, queue.receive(Lane.BULK, workers, arrived)));
                } catch (RuntimeException e) {
                    small.close();
                    throw e;
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Gives back the messages and the unfinished tasks, for other engines. */
    @Override
    public void stop() {
        Optional<Open> before;
        lock.lock();
        try {
            before = open;
            open = Optional.empty();
        } finally {
            lock.unlock();
        }
        before.ifPresent(subscriptions -> {
            subscriptions.small().close();
            subscriptions.bulk().close();
        });
        untaken.clear();
        List<Claim> left = new ArrayList<>(poll(unfinished, Integer.MAX_VALUE));
        left.addAll(poll(unfinishedParts, Integer.MAX_VALUE));
        try {
            release(left);
        } catch (Exception e) {
            log.debug(
                    "{}: cannot release {} tasks; they are due when their leases end",
                    engine,
                    left.size(),
                    FailureReasons.printable(e));
        }
    }

    private void release(List<Claim> claims) {
        if (!claims.isEmpty()) {
            fanoutLog.release(claims.stream()
                    .map(claim -> new Release(claim, claim.task().after(), 0))
                    .toList());
        }
    }

    @Override
    public List<Claim> claim(int max, long leaseMillis) {
        List<Claim> claims = new ArrayList<>(poll(unfinishedParts, 1));
        boolean wantsPart = claims.isEmpty();
        claims.addAll(poll(unfinished, max - claims.size() - Math.min(FEWEST_NEW, max / 2)));
        try {
            claims.addAll(received(max - claims.size(), wantsPart));
            if (isDirect()) {
                List<Claim> claimed = fanoutLog.claim(Math.max(1, max - claims.size()), leaseMillis);
                direct = !claimed.isEmpty();
                claims.addAll(claimed);
            }
        } catch (Throwable e) {
            keepOrRelease(claims, health.isOpen());
            throw e;
        }
        return claims;
    }

    private static <T> List<T> poll(Queue<T> queue, int most) {
        List<T> polled = new ArrayList<>();
        while (polled.size() < most) {
            T next = queue.poll();
            if (next == null) {
                break;
            }
            polled.add(next);
        }
        return polled;
    }

    /**
     * Whether to claim from the log. After a claim there has found tasks, further claims follow until one finds none.
     */
    private boolean isDirect() {
        boolean open = health.isOpen();
        traffic.state(open);
        if (!open) {
            return true;
        }
        long now = System.nanoTime();
        if (now - arrivedAt >= idleNanos) {
            arrivedAt = now;
            return true;
        }
        return direct;
    }

    /** Takes the tasks for which messages have arrived. If that fails, the messages wait for the next attempt. */
    private List<Claim> received(int max, boolean wantsPart) {
        List<Arrival> arrivals = arrivals(max, wantsPart);
        List<Arrival> own = new ArrayList<>();
        List<Arrival> foreign = new ArrayList<>();
        List<Arrival> unreadable = new ArrayList<>();
        List<Loan> loans = new ArrayList<>();
        for (Arrival arrival : arrivals) {
            Optional<TaskMessage> message = read(arrival.message());
            if (message.isEmpty()) {
                unreadable.add(arrival);
            } else if (message.get().identity().equals(identity)) {
                own.add(arrival);
                loans.add(message.get().loan());
            } else {
                foreign.add(arrival);
            }
        }
        if (!unreadable.isEmpty()) {
            refuse(unreadable, "not a message of version 1");
            traffic.unreadable(unreadable.size());
        }
        if (!foreign.isEmpty()) {
            refuseForeign(foreign);
        }
        List<Claim> claims = loans.isEmpty() ? List.of() : take(loans, own);
        if (!arrivals.isEmpty()) {
            arrivedAt = System.nanoTime();
            direct = false;
        }
        if (!loans.isEmpty()) {
            if (!claims.isEmpty()) {
                health.delivered();
            }
            traffic.received(claims.size(), loans.size() - claims.size());
        }
        return claims;
    }

    /** Parses a message; empty if the queue cannot provide its text, or the text cannot be parsed. */
    private static Optional<TaskMessage> read(Received message) {
        try {
            return Optional.ofNullable(message.text()).flatMap(TaskMessage::read);
        } catch (RuntimeException e) {
            return Optional.empty();
        }
    }

    private static void refuse(List<Arrival> arrivals, String reason) {
        bySubscription(arrivals).forEach((from, messages) -> from.refuse(messages, reason));
    }

    /**
     * Moves messages of another source of truth to the dead letters, where an operator can see them. If they were put
     * back, they would circulate forever. Their loans run out, and then their own relay sends them again.
     */
    private void refuseForeign(List<Arrival> foreign) {
        refuse(foreign, "a task of another source of truth than " + identity);
        traffic.foreign(foreign.size());
        log.atLevel(warnings.level())
                .log(
                        "{}: the queue has tasks of another source of truth than {}, such as {}; give each deployment "
                                + "its own queue names; {} messages were moved to the dead letters; those of the next "
                                + "minutes are logged at DEBUG",
                        engine,
                        identity,
                        foreign.get(0).message().text(),
                        foreign.size());
    }

    private List<Arrival> arrivals(int max, boolean wantsPart) {
        List<Arrival> arrivals = new ArrayList<>(poll(untaken, max));
        open.ifPresent(from -> {
            if (arrivals.size() < max) {
                from.small()
                        .poll(max - arrivals.size())
                        .forEach(message -> arrivals.add(new Arrival(from.small(), message)));
            }
            if (wantsPart) {
                from.bulk().poll(1).forEach(message -> arrivals.add(new Arrival(from.bulk(), message)));
            }
        });
        return arrivals;
    }

    private List<Claim> take(List<Loan> loans, List<Arrival> arrivals) {
        List<Claim> claims;
        try {
            claims = fanoutLog.take(loans, leaseMillis).stream()
                    .flatMap(Optional::stream)
                    .toList();
        } catch (Throwable e) {
            untaken.addAll(arrivals);
            throw e;
        }
        bySubscription(arrivals).forEach(Subscription::acknowledge);
        return claims;
    }

    private static Map<Subscription, List<Received>> bySubscription(List<Arrival> arrivals) {
        Map<Subscription, List<Received>> messages = new LinkedHashMap<>();
        for (Arrival arrival : arrivals) {
            messages.computeIfAbsent(arrival.from(), from -> new ArrayList<>()).add(arrival.message());
        }
        return messages;
    }

    /**
     * Gives lent tasks to this engine's workers without a message, because the queue has not delivered one. If there is
     * no room for a task, it goes back to the log, where any engine can claim it.
     */
    void claimDirectly(List<LentTask> undelivered) {
        List<Loan> own = new ArrayList<>();
        List<Loan> others = new ArrayList<>();
        int room = open.isPresent() ? KEPT_EACH * workers - unfinished.size() : 0;
        for (LentTask lent : undelivered) {
            boolean part = !lent.task().range().equals(KeyRange.ALL);
            (part || own.size() >= room ? others : own).add(lent.loan());
        }
        if (!others.isEmpty()) {
            fanoutLog.returnLoans(others);
        }
        if (!own.isEmpty()) {
            keepOrRelease(
                    fanoutLog.take(own, leaseMillis).stream()
                            .flatMap(Optional::stream)
                            .toList(),
                    true);
        }
        wake.run();
    }

    @Override
    public void putBack(List<Progress> tasks) {
        List<Boolean> ours = fanoutLog.checkpoint(tasks, leaseMillis);
        List<Claim> still = new ArrayList<>();
        for (int i = 0; i < tasks.size(); i++) {
            Progress progress = tasks.get(i);
            if (ours.get(i)) {
                Claim claim = progress.claim();
                still.add(new Claim(claim.task().at(progress.after()), claim.lease()));
            }
        }
        keepOrRelease(still, health.isOpen());
    }

    /**
     * Keeps tasks if {@code mayKeep}, up to the room that there is. Gives the others back to the log, where any engine
     * can claim them.
     */
    private void keepOrRelease(List<Claim> claims, boolean mayKeep) {
        List<Claim> others = new ArrayList<>();
        lock.lock();
        try {
            boolean keeps = mayKeep && open.isPresent();
            for (Claim claim : claims) {
                boolean part = !claim.task().range().equals(KeyRange.ALL);
                Queue<Claim> kept = part ? unfinishedParts : unfinished;
                if (keeps && kept.size() < workers * (part ? 1 : KEPT_EACH)) {
                    kept.add(claim);
                } else {
                    others.add(claim);
                }
            }
        } finally {
            lock.unlock();
        }
        release(others);
    }
}

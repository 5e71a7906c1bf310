package io.feedkit.internal.relay;

import io.feedkit.fanout.QueueTraffic;
import io.feedkit.internal.fanout.TaskSource;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.GuardedListener;
import io.feedkit.queue.FanoutQueue;
import io.feedkit.queue.QueuedFanout;
import io.feedkit.spi.FanoutLog;
import java.time.Duration;
import java.util.Optional;

/** The queue of an engine, if it has one. Thread-safe. */
public final class EngineQueue implements AutoCloseable {

    private final TaskSource source;
    private final Duration loan;
    private final Optional<TrafficCounter> traffic;
    private final Optional<Relay> relay;

    /**
     * The queue of an engine.
     *
     * @param identity the identity of the source of truth that has the log
     * @throws IllegalArgumentException if there is a queue, and the log cannot lend tasks
     */
    public EngineQueue(EngineSettings settings, String identity, FanoutLog log, GuardedListener listener) {
        if (settings.fanout().queued().isEmpty()) {
            source = TaskSource.of(log);
            loan = Duration.ZERO;
            traffic = Optional.empty();
            relay = Optional.empty();
            return;
        }
        if (!log.canLend()) {
            throw new IllegalArgumentException(
                    "fanoutQueue needs a store that lends tasks, but this store cannot: leave fanoutQueue out");
        }
        QueuedFanout queued = settings.fanout().queued().get();
        FanoutQueue queue = new GuardedQueue(queued.queue(), settings);
        QueueHealth health = new QueueHealth(queue, settings, queued.loan());
        TrafficCounter counter = new TrafficCounter(health, listener);
        QueuedTasks tasks = new QueuedTasks(settings, identity, log, queue, health, counter);
        source = tasks;
        loan = queued.loan();
        traffic = Optional.of(counter);
        if (queued.isRelay()) {
            MessageSender sender = new MessageSender(identity, log, queue);
            Lending lending = new Lending(settings, log, sender, health, counter, tasks);
            relay = Optional.of(new Relay(settings, log, lending, listener));
        } else {
            relay = Optional.empty();
        }
    }

    /** How long tasks are lent; zero if there is no queue. */
    public Duration loan() {
        return loan;
    }

    /** The source of the workers' tasks. */
    public TaskSource source() {
        return source;
    }

    /** The engine's traffic since it was built. */
    public QueueTraffic traffic() {
        return traffic.map(TrafficCounter::total).orElse(QueueTraffic.NONE);
    }

    public void start() {
        relay.ifPresent(Relay::start);
    }

    /** Wakes the relay: there may be a task. */
    public void wake() {
        relay.ifPresent(Relay::wake);
    }

    /** Wakes the relay, and makes it look again soon: a task may become visible shortly. */
    public void wakeSoon() {
        relay.ifPresent(Relay::wakeSoon);
    }

    @Override
    public void close() {
        relay.ifPresent(Relay::close);
    }
}

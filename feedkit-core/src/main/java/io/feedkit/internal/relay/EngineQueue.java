package io.feedkit.internal.relay;

import io.feedkit.fanout.QueueTraffic;
import io.feedkit.internal.fanout.TaskSource;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.GuardedListener;
import io.feedkit.queue.FanoutQueue;
import io.feedkit.spi.FanoutLog;
import java.time.Duration;
import java.util.Optional;

/** The queue of an engine, if it has one. Thread-safe. */
public final class EngineQueue implements AutoCloseable {

    private final TaskSource source;
    private final Duration loan;
    private final Optional<TrafficCounter> traffic;
    private final Optional<Relay> relay;

    public EngineQueue(EngineSettings settings, FanoutLog log, GuardedListener listener) {
        EngineSettings.Lending lending = settings.lending();
        if (lending.queue().isEmpty()) {
            source = TaskSource.of(log);
            loan = Duration.ZERO;
            traffic = Optional.empty();
            relay = Optional.empty();
            return;
        }
        FanoutQueue queue = lending.queue().get();
        QueueHealth health = new QueueHealth(queue, settings);
        TrafficCounter counter = new TrafficCounter(queue, listener);
        source = new QueuedTasks(settings, log, queue, health, counter);
        loan = lending.loan();
        traffic = Optional.of(counter);
        relay = lending.relay()
                ? Optional.of(new Relay(settings, lending, log, queue, health, counter, listener))
                : Optional.empty();
    }

    /** How long tasks are lent; zero if there is no queue. */
    public Duration loan() {
        return loan;
    }

    /** Where the workers get their tasks from. */
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

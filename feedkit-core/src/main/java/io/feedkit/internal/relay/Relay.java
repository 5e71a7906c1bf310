package io.feedkit.internal.relay;

import io.feedkit.internal.fanout.RoundThreads;
import io.feedkit.internal.fanout.RoundThreads.Work;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.GuardedListener;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FanoutLog.Watch;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread that lends tasks of the log to the queue. Any number of relays may work on one log. Thread-safe. */
public final class Relay implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Relay.class);

    /** How soon the relay tries again when the window was full: the workers make room. */
    private static final Duration FIRST_REST = Duration.ofMillis(10);

    private final EngineSettings settings;
    private final FanoutLog fanoutLog;
    private final Lending lending;
    private final RoundThreads thread;
    private Watch watch = () -> {};

    Relay(EngineSettings settings, FanoutLog fanoutLog, Lending lending, GuardedListener listener) {
        this.settings = settings;
        this.fanoutLog = fanoutLog;
        this.lending = lending;
        this.thread = new RoundThreads(
                log, settings, listener, new Work("relay", "relay", 1, FIRST_REST, this::longestRest, lending::round));
    }

    /**
     * The relay polls the log as often as workers do while a loan that it made, or the first lease after that loan, may
     * run out. Otherwise it polls less often.
     */
    private Duration longestRest() {
        return lending.hasRecentLoan() ? settings.fanout().pollInterval() : idleRest(settings);
    }

    /** The pause after which idle relays and workers poll the log, if nothing wakes them. */
    static Duration idleRest(EngineSettings settings) {
        return settings.fanout().pollInterval().multipliedBy(20);
    }

    public void start() {
        watch = fanoutLog.watch(thread::wake);
        thread.start();
    }

    /** Wakes the relay: there may be a task. */
    public void wake() {
        thread.wake();
    }

    /** Wakes the relay, and makes it look again soon: a task may become visible shortly. */
    public void wakeSoon() {
        thread.wakeSoon();
    }

    /** Stops the relay. Messages that it has sent stay in the queue. */
    @Override
    public void close() {
        watch.close();
        thread.close();
    }
}

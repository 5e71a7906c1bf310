package io.feedkit.internal.relay;

import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.WarningLimiter;
import io.feedkit.queue.FanoutQueue;
import io.feedkit.queue.FanoutQueue.Status;
import java.time.Clock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the queue can be used now. After messages were not confirmed, the relay waits before it tries again, each
 * time longer. Meanwhile the workers claim from the log. Thread-safe.
 */
final class QueueHealth {

    private static final Logger log = LoggerFactory.getLogger(QueueHealth.class);

    private static final long FIRST_PAUSE_MILLIS = 100;
    private static final long LONGEST_PAUSE_MILLIS = 5_000;

    private record Pause(long begin, long millis) {

        boolean isOver(long now) {
            return now < begin || now - begin >= millis;
        }
    }

    private static final Pause NONE = new Pause(0, 0);

    private final FanoutQueue queue;
    private final String engine;
    private final Clock clock;
    private final WarningLimiter warnings;
    private volatile Pause pause = NONE;

    QueueHealth(FanoutQueue queue, EngineSettings settings) {
        this.queue = queue;
        this.engine = settings.name();
        this.clock = settings.clock();
        this.warnings = new WarningLimiter(clock);
    }

    boolean isOpen() {
        return queue.status() == Status.OPEN && pause.isOver(clock.millis());
    }

    void confirmed() {
        pause = NONE;
    }

    /** Records that messages were not confirmed. Called by the relay's thread. */
    void failed(int messages) {
        long next = Math.min(LONGEST_PAUSE_MILLIS, Math.max(FIRST_PAUSE_MILLIS, 2 * pause.millis()));
        pause = new Pause(clock.millis(), next);
        log.atLevel(warnings.level())
                .log(
                        "{}: {} messages were not confirmed by the fan-out queue, so their tasks wait in the log; "
                                + "failures of the next minutes are logged at DEBUG",
                        engine,
                        messages);
    }
}

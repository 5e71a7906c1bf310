package io.feedkit.internal.relay;

import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.WarningLimiter;
import io.feedkit.queue.FanoutQueue;
import io.feedkit.queue.FanoutQueue.Status;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the queue can be used now. After messages were not confirmed, the relay waits before it tries again, each
 * time longer. Meanwhile the workers claim from the log. Thread-safe.
 */
final class QueueHealth {

    private static final Logger log = LoggerFactory.getLogger(QueueHealth.class);

    private final FanoutQueue queue;
    private final String engine;
    private final GrowingPause pause;
    private final WarningLimiter warnings;

    QueueHealth(FanoutQueue queue, EngineSettings settings) {
        this.queue = queue;
        this.engine = settings.name();
        this.pause = new GrowingPause(settings.clock());
        this.warnings = new WarningLimiter(settings.clock());
    }

    boolean isOpen() {
        return queue.status() == Status.OPEN && pause.isOver();
    }

    void confirmed() {
        pause.end();
    }

    /** Records that messages were not confirmed. Called by the relay's thread. */
    void failed(int messages) {
        pause.begin();
        log.atLevel(warnings.level())
                .log(
                        "{}: {} messages were not confirmed by the fan-out queue, so their tasks wait in the log; "
                                + "failures of the next minutes are logged at DEBUG",
                        engine,
                        messages);
    }
}

package io.feedkit.redis.internal.format;

import java.time.Clock;
import java.util.Optional;

/**
 * The time argument of scripts: the time of the store's clock if one is set; otherwise it is empty, and scripts ask the
 * server.
 */
public final class ScriptClock {

    private static final byte[] SERVERS = {};

    private final Optional<Clock> clock;

    public ScriptClock(Optional<Clock> clock) {
        this.clock = clock;
    }

    public byte[] now() {
        return clock.map(set -> Arguments.millis(set.millis())).orElse(SERVERS);
    }
}

package io.feedkit.redis.internal.format;

import java.time.Clock;
import java.util.Optional;

/** The time as scripts get it: the store's clock if one is set; otherwise nothing, and the script asks the server. */
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

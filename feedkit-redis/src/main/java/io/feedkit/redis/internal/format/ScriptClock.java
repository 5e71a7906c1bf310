package io.feedkit.redis.internal.format;

import java.time.Clock;
import java.util.Optional;

/** What scripts are told of the time: the store's clock if it has one set, and else nothing, for then it is the server's. */
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

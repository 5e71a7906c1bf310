package io.feedkit.testkit.internal;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** The clock of the store under test, as a {@link Clock} for engines. */
public final class KitClock extends Clock {

    private final Kit kit;

    public KitClock(Kit kit) {
        this.kit = kit;
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(kit.now());
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }
}

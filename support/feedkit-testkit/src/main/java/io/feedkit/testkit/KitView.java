package io.feedkit.testkit;

import io.feedkit.testkit.internal.Kit;
import java.time.Duration;

/**
 * Gives rules in other packages access to a kit. The kit's methods are protected, because leaf tests override them and
 * other code does not call them.
 */
class KitView implements Kit {

    private final CompatibilityKit kit;

    KitView(CompatibilityKit kit) {
        this.kit = kit;
    }

    @Override
    public final void pass(Duration duration) {
        kit.pass(duration);
    }

    @Override
    public final long now() {
        return kit.now();
    }

    @Override
    public final Duration shortTime() {
        return kit.shortTime();
    }

    @Override
    public final Duration longTime() {
        return kit.longTime();
    }

    @Override
    public final boolean waits() {
        return kit.waits();
    }

    @Override
    public final int threads() {
        return kit.threads();
    }

    @Override
    public final int rounds() {
        return kit.rounds();
    }
}

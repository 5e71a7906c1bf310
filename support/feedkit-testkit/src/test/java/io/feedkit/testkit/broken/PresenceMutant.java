package io.feedkit.testkit.broken;

import io.feedkit.spi.PresenceStore;
import io.feedkit.testkit.SettableClock;
import io.feedkit.testkit.forwarding.ForwardingPresenceStore;
import java.util.function.BiFunction;

/**
 * A presence store that breaks the contract in one way.
 *
 * @param name what it does wrong
 * @param caughtBy the test that must fail, as its nested class and method
 * @param breaking makes the broken store of a sound one
 */
record PresenceMutant(String name, String caughtBy, BiFunction<PresenceStore, SettableClock, PresenceStore> breaking) {

    @Override
    public String toString() {
        return name;
    }

    /** A sound store, to be overridden where it is to be broken. */
    abstract static class Broken implements ForwardingPresenceStore {
        final PresenceStore sound;

        Broken(PresenceStore sound) {
            this.sound = sound;
        }

        @Override
        public PresenceStore delegate() {
            return sound;
        }
    }
}

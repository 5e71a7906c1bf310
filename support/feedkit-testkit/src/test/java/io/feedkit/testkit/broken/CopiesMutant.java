package io.feedkit.testkit.broken;

import io.feedkit.health.StoreDescription;
import io.feedkit.spi.InboxCopies;
import io.feedkit.testkit.SettableClock;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * A store of copies that breaks the contract in one way.
 *
 * @param name what it does wrong
 * @param caughtBy the test that must fail, as its nested class and method
 * @param breaking makes the broken store of a sound one
 */
record CopiesMutant(String name, String caughtBy, BiFunction<InboxCopies, SettableClock, InboxCopies> breaking) {

    @Override
    public String toString() {
        return name;
    }

    /** A sound store, to be overridden where it is to be broken. */
    static class Sound implements InboxCopies {
        final InboxCopies sound;

        Sound(InboxCopies sound) {
            this.sound = sound;
        }

        @Override
        public List<StoreDescription> describe() {
            return sound.describe();
        }

        @Override
        public void claim(String identity) {
            sound.claim(identity);
        }

        @Override
        public void store(List<Part> parts, long lifetimeMillis) {
            sound.store(parts, lifetimeMillis);
        }

        @Override
        public void publish(List<Head> heads, long lifetimeMillis) {
            sound.publish(heads, lifetimeMillis);
        }

        @Override
        public List<Optional<Head>> heads(List<String> readers) {
            return sound.heads(readers);
        }

        @Override
        public List<List<Part>> parts(List<Head> heads) {
            return sound.parts(heads);
        }

        @Override
        public void drop(List<String> readers) {
            sound.drop(readers);
        }

        final Optional<Head> head(String reader) {
            return sound.heads(List.of(reader)).get(0);
        }
    }
}

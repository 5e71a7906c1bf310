package io.feedkit.testkit.broken;

import io.feedkit.live.LiveBus;
import io.feedkit.live.LiveBus.Listener;
import io.feedkit.live.LiveBus.Registration;
import io.feedkit.testkit.forwarding.ForwardingLiveBus;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A bus that does not work as one should.
 *
 * @param name what it does
 * @param caughtBy the test that must fail, as its nested class and method
 * @param breaking makes the bus of a sound one
 */
record BusMutant(String name, String caughtBy, Breaking breaking) {

    /** Breaks a bus. */
    @FunctionalInterface
    interface Breaking {

        /**
         * Breaks a bus.
         *
         * @param sound the sound bus
         * @param separate the bus of another deployment
         * @param process 0 or 1, because two processes may break differently
         */
        LiveBus apply(BusView sound, LiveBus separate, int process);
    }

    @Override
    public String toString() {
        return name;
    }

    /** A sound bus, to be overridden where it is to be broken. */
    abstract static class ABus implements ForwardingLiveBus {
        final BusView sound;

        ABus(BusView sound) {
            this.sound = sound;
        }

        @Override
        public LiveBus delegate() {
            return sound;
        }
    }

    /** A bus that does something else with the messages that arrive. */
    abstract static class Receiving extends ABus {

        private final List<Listener> listeners = new CopyOnWriteArrayList<>();
        private boolean listening;

        Receiving(BusView sound) {
            super(sound);
        }

        /** A message arrived, for all listeners. One call at a time. */
        abstract void arrived(String message);

        final void deliver(String message) {
            listeners.forEach(listener -> listener.received(message));
        }

        private synchronized void next(String message) {
            arrived(message);
        }

        @Override
        public Registration listen(Listener listener) {
            // Another object each time: one listener may have several registrations.
            Listener added = new Listener() {
                @Override
                public void received(String message) {
                    listener.received(message);
                }
            };
            listeners.add(added);
            synchronized (this) {
                if (!listening) {
                    listening = true;
                    Registration unused = sound.listen(this::next);
                }
            }
            return () -> listeners.remove(added);
        }
    }
}

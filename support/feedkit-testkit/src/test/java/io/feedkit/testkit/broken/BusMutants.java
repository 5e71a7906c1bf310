package io.feedkit.testkit.broken;

import io.feedkit.live.LiveBus;
import io.feedkit.testkit.broken.BusMutant.ABus;
import io.feedkit.testkit.broken.BusMutant.Receiving;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Buses that lose, repeat, delay or mix up messages. Engines have to survive each of them, although each fails the
 * tests of delivery.
 */
final class BusMutants {

    /** After how many messages a bus begins to fail: after its listeners are connected, and amid a test. */
    private static final int SOME = 20;

    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(4);

    static final List<BusMutant> UNRELIABLE = List.of(
            failing("drops every seventh message", sound -> new Receiving(sound) {
                private int count;

                @Override
                void arrived(String message) {
                    if (++count % 7 != 0) {
                        deliver(message);
                    }
                }
            }),
            failing("repeats messages, at once and later", sound -> new Receiving(sound) {
                private final Deque<String> old = new ArrayDeque<>();

                @Override
                void arrived(String message) {
                    deliver(message);
                    deliver(message);
                    old.add(message);
                    if (old.size() > SOME) {
                        deliver(old.remove());
                    }
                }
            }),
            failing("swaps messages with the next ones", sound -> new Receiving(sound) {
                private final Deque<String> held = new ArrayDeque<>();

                @Override
                void arrived(String message) {
                    if (held.isEmpty()) {
                        held.add(message);
                    } else {
                        deliver(message);
                        deliver(held.remove());
                    }
                }
            }),
            failing("delivers five messages at a time, backwards", sound -> new Receiving(sound) {
                private final Deque<String> held = new ArrayDeque<>();

                @Override
                void arrived(String message) {
                    held.push(message);
                    while (held.size() >= 5) {
                        new ArrayList<>(held).forEach(this::deliver);
                        held.clear();
                    }
                }
            }),
            failing("goes silent", sound -> new Receiving(sound) {
                private int count;

                @Override
                void arrived(String message) {
                    if (++count <= SOME) {
                        deliver(message);
                    }
                }
            }),
            failing("comes back after a pause, without what was sent in it", sound -> new Pausing(sound, false)),
            failing("comes back after a pause, with what was sent in it", sound -> new Pausing(sound, true)),
            new BusMutant(
                    "delivers each message to one of two engines",
                    "Delivery.everyListener",
                    (sound, separate, process) -> new Receiving(sound) {
                        @Override
                        void arrived(String message) {
                            if (Math.floorMod(message.hashCode(), 2) == process) {
                                deliver(message);
                            }
                        }
                    }),
            failing("does not return messages to their sender", sound -> new Receiving(sound) {
                private final Set<String> own = ConcurrentHashMap.newKeySet();

                @Override
                public void send(String message) {
                    own.add(message);
                    super.send(message);
                }

                @Override
                void arrived(String message) {
                    if (!own.contains(message)) {
                        deliver(message);
                    }
                }
            }),
            new BusMutant(
                    "delivers the messages of another deployment",
                    "Delivery.separate",
                    (sound, separate, process) -> new ABus(sound) {
                        @Override
                        public Registration listen(Listener listener) {
                            Registration own = sound.listen(listener);
                            Registration foreign = separate.listen(listener);
                            return () -> {
                                own.close();
                                foreign.close();
                            };
                        }
                    }));

    static final List<BusMutant> ALL =
            Stream.of(UNRELIABLE, BusContractMutants.ALL).flatMap(List::stream).toList();

    private BusMutants() {}

    static BusMutant named(String name) {
        return ALL.stream()
                .filter(mutant -> mutant.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no bus that " + name));
    }

    private static BusMutant failing(String name, Function<BusView, LiveBus> breaking) {
        return new BusMutant(name, "Delivery.everyListener", (sound, separate, process) -> breaking.apply(sound));
    }

    /** Delivers nothing for a while. */
    private static final class Pausing extends Receiving {
        private final boolean keeps;
        private final List<String> kept = new ArrayList<>();
        private int count;
        private long since;

        Pausing(BusView sound, boolean keeps) {
            super(sound);
            this.keeps = keeps;
        }

        @Override
        void arrived(String message) {
            count++;
            if (count == SOME) {
                since = System.nanoTime();
            }
            if (count >= SOME && System.nanoTime() - since < PAUSE_NANOS) {
                if (keeps) {
                    kept.add(message);
                }
                return;
            }
            kept.forEach(this::deliver);
            kept.clear();
            deliver(message);
        }
    }
}

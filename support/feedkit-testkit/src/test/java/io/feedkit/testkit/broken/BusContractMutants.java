package io.feedkit.testkit.broken;

import io.feedkit.live.LiveBus;
import io.feedkit.live.LiveBus.Listener;
import io.feedkit.live.LiveBus.Registration;
import io.feedkit.testkit.broken.BusMutant.ABus;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Buses that break other parts of the contract: texts, registrations, outages, the end, concurrency. */
final class BusContractMutants {

    static final List<BusMutant> ALL = List.of(
            changing(
                    "truncates the longest messages",
                    message -> message.substring(0, Math.min(6999, message.length()))),
            changing("strips spaces at the ends", message -> message.isBlank() ? "x" : message.strip()),
            changing("escapes quotes", message -> message.replace("'", "''")),
            mutant("drops a message that equals one before", "Delivery.equalMessages", sound -> new ABus(sound) {
                private final Set<String> sent = ConcurrentHashMap.newKeySet();

                @Override
                public void send(String message) {
                    if (sent.add(message)) {
                        sound.send(message);
                    }
                }
            }),
            mutant("serves a hundred listeners", "Delivery.manyListeners", sound -> new ABus(sound) {
                private final AtomicInteger count = new AtomicInteger();

                @Override
                public Registration listen(Listener listener) {
                    return count.incrementAndGet() > 100 ? () -> {} : sound.listen(listener);
                }
            }),
            mutant("never ends a registration", "Registrations.closes", sound -> new ABus(sound) {
                @Override
                public Registration listen(Listener listener) {
                    Registration unused = sound.listen(listener);
                    return () -> {};
                }
            }),
            mutant("keeps one registration of a listener", "Registrations.registeredTwice", sound -> new ABus(sound) {
                private final Map<Listener, Registration> registrations = new ConcurrentHashMap<>();

                @Override
                public Registration listen(Listener listener) {
                    registrations.computeIfAbsent(listener, sound::listen);
                    return () -> {
                        Registration registration = registrations.remove(listener);
                        if (registration != null) {
                            registration.close();
                        }
                    };
                }
            }),
            mutant("stops with its last listener", "Registrations.again", sound -> new ABus(sound) {
                private final AtomicInteger open = new AtomicInteger();
                private volatile boolean stopped;

                @Override
                public Registration listen(Listener listener) {
                    open.incrementAndGet();
                    Registration registration = stopped ? () -> {} : sound.listen(listener);
                    return () -> {
                        stopped |= open.decrementAndGet() == 0;
                        registration.close();
                    };
                }
            }),
            mutant("ignores registrations from a listener", "Registrations.fromListener", Deaf::new),
            mutant("does not report that it cannot send", "Outages.sendFails", sound -> new ABus(sound) {
                @Override
                public void send(String message) {
                    if (sound.isReachable()) {
                        sound.send(message);
                    }
                }
            }),
            mutant("hangs in an outage", "Outages.sendFails", sound -> new ABus(sound) {
                @Override
                public void send(String message) {
                    long begin = System.nanoTime();
                    while (!sound.isReachable() && System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(3)) {
                        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
                    }
                    sound.send(message);
                }
            }),
            mutant("receives nothing after an outage", "Outages.goesOn", sound -> new ABus(sound) {
                private final List<Registration> registrations = new CopyOnWriteArrayList<>();

                @Override
                public void send(String message) {
                    if (!sound.isReachable()) {
                        registrations.forEach(Registration::close);
                    }
                    sound.send(message);
                }

                @Override
                public Registration listen(Listener listener) {
                    Registration registration = sound.listen(listener);
                    registrations.add(registration);
                    return registration;
                }
            }),
            mutant("cannot listen in an outage", "Outages.beginsLater", sound -> new ABus(sound) {
                @Override
                public Registration listen(Listener listener) {
                    if (!sound.isReachable()) {
                        throw new IllegalStateException("unreachable");
                    }
                    return sound.listen(listener);
                }
            }),
            mutant("drops who listens in an outage", "Outages.beginsLater", sound -> new ABus(sound) {
                @Override
                public Registration listen(Listener listener) {
                    return sound.isReachable() ? sound.listen(listener) : () -> {};
                }
            }),
            mutant("delivers after its end", "Closing.closed", sound -> new ABus(sound) {
                @Override
                public Registration listen(Listener listener) {
                    return sound.sound().listen(listener);
                }
            }),
            mutant("sends after its end", "Closing.closed", sound -> new ABus(sound) {
                @Override
                public void send(String message) {
                    sound.sound().send(message);
                }
            }),
            mutant("throws from registrations after its end", "Closing.registrations", sound -> new ABus(sound) {
                @Override
                public Registration listen(Listener listener) {
                    Registration registration = sound.listen(listener);
                    return () -> {
                        if (!sound.isReachable()) {
                            throw new IllegalStateException("closed");
                        }
                        registration.close();
                    };
                }
            }),
            mutant("loses what one sends while another does", "Concurrency.manySenders", Overlapping::new),
            mutant("drops messages while a listener comes", "Concurrency.comeAndGo", Changing::new));

    private BusContractMutants() {}

    private static BusMutant mutant(String name, String caughtBy, Function<BusView, LiveBus> breaking) {
        return new BusMutant(name, caughtBy, (sound, separate, process) -> breaking.apply(sound));
    }

    private static BusMutant changing(String name, UnaryOperator<String> change) {
        return mutant(name, "Delivery.texts", sound -> new ABus(sound) {
            @Override
            public void send(String message) {
                sound.send(change.apply(message));
            }
        });
    }

    /** Ignores registrations that are made while it calls a listener. */
    private static final class Deaf extends ABus {
        private volatile boolean calling;

        Deaf(BusView sound) {
            super(sound);
        }

        @Override
        public Registration listen(Listener listener) {
            if (calling) {
                return () -> {};
            }
            return sound.listen(message -> {
                calling = true;
                try {
                    listener.received(message);
                } finally {
                    calling = false;
                }
            });
        }
    }

    private static final class Overlapping extends ABus {
        private final AtomicInteger senders = new AtomicInteger();
        private final AtomicInteger overlaps = new AtomicInteger();
        private final Gap gap = new Gap();

        Overlapping(BusView sound) {
            super(sound);
        }

        @Override
        public void send(String message) {
            boolean alone = senders.incrementAndGet() == 1;
            if (!alone) {
                overlaps.incrementAndGet();
            }
            gap.awaitRival(() -> overlaps.get() > 0);
            if (alone) {
                sound.send(message);
            }
            senders.decrementAndGet();
        }
    }

    private static final class Changing extends ABus {
        private final AtomicInteger changing = new AtomicInteger();
        private final AtomicInteger dropped = new AtomicInteger();
        private final Gap gap = new Gap();

        Changing(BusView sound) {
            super(sound);
        }

        @Override
        public void send(String message) {
            gap.awaitVictim();
            if (changing.get() > 0) {
                dropped.incrementAndGet();
            } else {
                sound.send(message);
            }
        }

        @Override
        public Registration listen(Listener listener) {
            changing.incrementAndGet();
            gap.awaitRival(() -> dropped.get() > 0);
            changing.decrementAndGet();
            return sound.listen(listener);
        }
    }
}

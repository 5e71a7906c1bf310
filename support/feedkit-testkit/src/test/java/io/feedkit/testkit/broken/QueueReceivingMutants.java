package io.feedkit.testkit.broken;

import io.feedkit.queue.FanoutQueue;
import io.feedkit.queue.FanoutQueue.Lane;
import io.feedkit.queue.FanoutQueue.Message;
import io.feedkit.queue.FanoutQueue.Received;
import io.feedkit.queue.FanoutQueue.Subscription;
import io.feedkit.testkit.broken.QueueMutant.AQueue;
import io.feedkit.testkit.broken.QueueMutant.ASubscription;
import io.feedkit.testkit.broken.QueueMutant.Broken;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Queues that deliver messages to the wrong subscription, too often or not again. */
final class QueueReceivingMutants {

    private static final int MANY = 1000;

    static final List<QueueMutant> ALL = List.of(
            subscription("never delivers again", "Acknowledging.unacknowledged", NeverAgain::new),
            subscription(
                    "loses what has arrived and nobody took",
                    "Acknowledging.untaken",
                    (queue, sound, lane) -> new ASubscription(sound) {
                        @Override
                        public void close() {
                            sound.acknowledge(sound.poll(MANY));
                            sound.close();
                        }
                    }),
            subscription(
                    "delivers again after an acknowledgement",
                    "Acknowledging.acknowledged",
                    (queue, sound, lane) -> new ASubscription(sound) {
                        private final List<Message> acknowledged = new CopyOnWriteArrayList<>();

                        @Override
                        public void acknowledge(Collection<? extends Received> messages) {
                            sound.acknowledge(messages);
                            messages.forEach(each -> acknowledged.add(new Message(lane, each.text())));
                        }

                        @Override
                        public void close() {
                            sound.close();
                            queue.send(acknowledged);
                            acknowledged.clear();
                        }
                    }),
            subscription("acknowledges what was received before, too", "Acknowledging.gaps", Cumulative::new),
            subscription(
                    "takes only the first acknowledgement of a batch",
                    "Acknowledging.acknowledged",
                    (queue, sound, lane) -> new ASubscription(sound) {
                        @Override
                        public void acknowledge(Collection<? extends Received> messages) {
                            sound.acknowledge(messages.stream().limit(1).toList());
                        }
                    }),
            new QueueMutant("takes acknowledgements after the end", "Acknowledging.afterTheEnd", AcknowledgedLate::new),
            subscription(
                    "drops what is refused", "Acknowledging.refused", (queue, sound, lane) -> new ASubscription(sound) {
                        @Override
                        public void refuse(Collection<? extends Received> messages, String reason) {
                            sound.acknowledge(messages);
                        }
                    }),
            subscription(
                    "delivers again what was refused",
                    "Acknowledging.refused",
                    (queue, sound, lane) -> new ASubscription(sound) {
                        @Override
                        public void refuse(Collection<? extends Received> messages, String reason) {
                            sound.refuse(messages, reason);
                            messages.forEach(each -> queue.send(List.of(new Message(lane, each.text()))));
                        }
                    }),
            subscription(
                    "refuses what was acknowledged",
                    "Acknowledging.repeated",
                    (queue, sound, lane) -> new ASubscription(sound) {
                        @Override
                        public void refuse(Collection<? extends Received> messages, String reason) {
                            messages.forEach(each -> queue.send(List.of(new Message(lane, each.text()))));
                            try (Subscription copies = queue.receive(lane, MANY, () -> {})) {
                                copies.refuse(copies.poll(MANY), reason);
                            }
                        }
                    }),
            subscription(
                    "delivers after the end",
                    "Closing.nothingReturned",
                    (queue, sound, lane) -> new ASubscription(sound) {
                        @Override
                        public void close() {
                            // open
                        }
                    }),
            new QueueMutant("calls after the end", "Closing.notTold", sound -> new AQueue(sound) {
                @Override
                public Subscription receive(Lane lane, int most, Runnable arrived) {
                    sound.receive(lane, 1, arrived);
                    return sound.receive(lane, most, arrived);
                }
            }),
            subscription(
                    "ends again what has ended",
                    "Closing.idempotent",
                    (queue, sound, lane) -> new ASubscription(sound) {
                        private final AtomicBoolean ended = new AtomicBoolean();

                        @Override
                        public void close() {
                            if (ended.getAndSet(true)) {
                                queue.close();
                            }
                            sound.close();
                        }
                    }),
            new QueueMutant("does not end its subscriptions", "Closing.queueCloses", StaysOpen::new),
            bounded("exceeds the bound", "Bound.acknowledged", most -> most + 1),
            bounded("receives one message less", "Bound.oneByOne", most -> most - 1),
            new QueueMutant("counts acknowledgements", "Bound.acknowledged", sound -> new Broken(sound) {
                @Override
                Subscription broken(Subscription subscription, Lane lane, int most) {
                    subscription.close();
                    return new Counting(sound.receive(lane, MANY, () -> {}), most);
                }
            }),
            subscription(
                    "keeps no room for what was refused",
                    "Bound.refused",
                    (queue, sound, lane) -> new ASubscription(sound) {
                        @Override
                        public void refuse(Collection<? extends Received> messages, String reason) {
                            // They stay.
                        }
                    }),
            new QueueMutant("does not tell what arrives", "Sending.sentToReceivers", sound -> new AQueue(sound) {
                @Override
                public Subscription receive(Lane lane, int most, Runnable arrived) {
                    return sound.receive(lane, most, () -> {});
                }
            }),
            new QueueMutant("does not tell what was there", "Receiving.beforeAndLater", sound -> new AQueue(sound) {
                @Override
                public Subscription receive(Lane lane, int most, Runnable arrived) {
                    AtomicBoolean begun = new AtomicBoolean();
                    Subscription subscription = sound.receive(lane, most, () -> {
                        if (begun.get()) {
                            arrived.run();
                        }
                    });
                    begun.set(true);
                    return subscription;
                }
            }),
            new QueueMutant("loses what nobody awaits", "Sending.sentToReceivers", sound -> new AQueue(sound) {
                @Override
                public Subscription receive(Lane lane, int most, Runnable arrived) {
                    try (Subscription first = sound.receive(lane, MANY, () -> {})) {
                        first.acknowledge(first.poll(MANY));
                    }
                    return sound.receive(lane, most, arrived);
                }
            }),
            subscription(
                    "returns more than it was asked for",
                    "Receiving.atMost",
                    (queue, sound, lane) -> new ASubscription(sound) {
                        @Override
                        public List<Received> poll(int max) {
                            return sound.poll(max + 1);
                        }
                    }),
            subscription(
                    "returns a message twice",
                    "Receiving.returnedOnce",
                    (queue, sound, lane) -> new ASubscription(sound) {
                        @Override
                        public List<Received> poll(int max) {
                            List<Received> some = new ArrayList<>(sound.poll(Math.max(1, max - 1)));
                            some.addAll(some.subList(0, Math.min(1, some.size())));
                            return some;
                        }
                    }),
            new QueueMutant("keeps messages from others", "Receiving.idleNeighbour", sound -> new AQueue(sound) {
                @Override
                public Subscription receive(Lane lane, int most, Runnable arrived) {
                    AtomicReference<Subscription> greedy = new AtomicReference<>();
                    greedy.set(sound.receive(lane, most == 2 ? MANY : most, () -> {
                        if (most == 2) {
                            greedy.get().poll(MANY);
                        }
                        arrived.run();
                    }));
                    return greedy.get();
                }
            }),
            new QueueMutant("lets a lane wait for the other", "Sending.lanesDoNotWait", OneLane::new),
            new QueueMutant("hides messages from other processes", "Receiving.anotherProcess", OwnMessages::new));

    private QueueReceivingMutants() {}

    private interface Breaking {
        Subscription broken(FanoutQueue sound, Subscription subscription, Lane lane);
    }

    private interface Bound {
        int of(int most);
    }

    private static QueueMutant subscription(String name, String caughtBy, Breaking breaking) {
        return new QueueMutant(name, caughtBy, sound -> new Broken(sound) {
            @Override
            Subscription broken(Subscription subscription, Lane lane, int most) {
                return breaking.broken(sound, subscription, lane);
            }
        });
    }

    private static QueueMutant bounded(String name, String caughtBy, Bound bound) {
        return new QueueMutant(name, caughtBy, sound -> new AQueue(sound) {
            @Override
            public Subscription receive(Lane lane, int most, Runnable arrived) {
                int other = bound.of(most);
                Subscription subscription = sound.receive(lane, Math.max(1, other), arrived);
                if (other == 0) {
                    subscription.close();
                }
                return subscription;
            }
        });
    }

    private static final class NeverAgain extends ASubscription {
        private final List<Received> returned = new CopyOnWriteArrayList<>();

        NeverAgain(FanoutQueue queue, Subscription sound, Lane lane) {
            super(sound);
        }

        @Override
        public List<Received> poll(int max) {
            List<Received> some = sound.poll(max);
            returned.addAll(some);
            return some;
        }

        @Override
        public void close() {
            sound.acknowledge(returned);
            sound.close();
        }
    }

    private static final class Cumulative extends ASubscription {
        private final List<Received> returned = new CopyOnWriteArrayList<>();

        Cumulative(FanoutQueue queue, Subscription sound, Lane lane) {
            super(sound);
        }

        @Override
        public List<Received> poll(int max) {
            List<Received> some = sound.poll(max);
            returned.addAll(some);
            return some;
        }

        @Override
        public void acknowledge(Collection<? extends Received> messages) {
            messages.forEach(message -> sound.acknowledge(returned.subList(0, returned.indexOf(message) + 1)));
        }
    }

    private static final class AcknowledgedLate extends Broken {
        private final Set<String> dropped = ConcurrentHashMap.newKeySet();

        AcknowledgedLate(FanoutQueue sound) {
            super(sound);
        }

        @Override
        Subscription broken(Subscription subscription, Lane lane, int most) {
            return new ASubscription(subscription) {
                private volatile boolean over;

                @Override
                public List<Received> poll(int max) {
                    return sound.poll(max).stream()
                            .filter(message -> !dropped.contains(message.text()))
                            .toList();
                }

                @Override
                public void acknowledge(Collection<? extends Received> messages) {
                    if (over) {
                        messages.forEach(message -> dropped.add(message.text()));
                    }
                    sound.acknowledge(messages);
                }

                @Override
                public void close() {
                    over = true;
                    sound.close();
                }
            };
        }
    }

    private static final class StaysOpen extends AQueue {
        private volatile boolean over;

        StaysOpen(FanoutQueue sound) {
            super(sound);
        }

        @Override
        public List<Sent> send(List<Message> messages) {
            return over ? messages.stream().map(message -> Sent.REFUSED).toList() : sound.send(messages);
        }

        @Override
        public Status status() {
            return over ? Status.UNREACHABLE : sound.status();
        }

        @Override
        public void close() {
            over = true;
        }
    }

    /** Takes it that every acknowledgement makes room. */
    private static final class Counting extends ASubscription {
        private final AtomicInteger room;

        Counting(Subscription sound, int most) {
            super(sound);
            this.room = new AtomicInteger(most);
        }

        @Override
        public List<Received> poll(int max) {
            List<Received> some = room.get() < 1 ? List.of() : sound.poll(Math.min(max, room.get()));
            room.addAndGet(-some.size());
            return some;
        }

        @Override
        public void acknowledge(Collection<? extends Received> messages) {
            sound.acknowledge(messages);
            room.addAndGet(messages.size());
        }
    }

    private static final class OneLane extends Broken {
        private final AtomicInteger held = new AtomicInteger();

        OneLane(FanoutQueue sound) {
            super(sound);
        }

        @Override
        Subscription broken(Subscription subscription, Lane lane, int most) {
            return new ASubscription(subscription) {
                @Override
                public List<Received> poll(int max) {
                    if (lane == Lane.SMALL && held.get() > 0) {
                        return List.of();
                    }
                    List<Received> some = sound.poll(max);
                    held.addAndGet(lane == Lane.BULK ? some.size() : 0);
                    return some;
                }
            };
        }
    }

    /** Delivers only what was sent through itself. */
    private static final class OwnMessages extends Broken {
        private final Set<String> own = ConcurrentHashMap.newKeySet();

        OwnMessages(FanoutQueue sound) {
            super(sound);
        }

        @Override
        public List<Sent> send(List<Message> messages) {
            messages.forEach(message -> own.add(message.text()));
            return sound.send(messages);
        }

        @Override
        Subscription broken(Subscription subscription, Lane lane, int most) {
            return new ASubscription(subscription) {
                @Override
                public List<Received> poll(int max) {
                    return sound.poll(max).stream()
                            .filter(message -> own.contains(message.text()))
                            .toList();
                }
            };
        }
    }
}

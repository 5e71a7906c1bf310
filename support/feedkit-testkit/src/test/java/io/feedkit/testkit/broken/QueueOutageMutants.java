package io.feedkit.testkit.broken;

import io.feedkit.queue.FanoutQueue;
import io.feedkit.queue.FanoutQueue.Lane;
import io.feedkit.queue.FanoutQueue.Message;
import io.feedkit.queue.FanoutQueue.Received;
import io.feedkit.queue.FanoutQueue.Sent;
import io.feedkit.queue.FanoutQueue.Status;
import io.feedkit.queue.FanoutQueue.Subscription;
import io.feedkit.testkit.broken.QueueMutant.AQueue;
import io.feedkit.testkit.broken.QueueMutant.ASubscription;
import io.feedkit.testkit.broken.QueueMutant.Broken;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Queues that do the wrong thing while they cannot be reached, and afterwards. */
final class QueueOutageMutants {

    static final List<QueueMutant> ALL = List.of(
            new QueueMutant("hangs in an outage", "Outages.answersInTime", sound -> new AQueue(sound) {
                @Override
                public List<Sent> send(List<Message> messages) {
                    long begin = System.nanoTime();
                    while (unreachable(sound) && System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(2)) {
                        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
                    }
                    return sound.send(messages);
                }
            }),
            new QueueMutant("throws in an outage", "Outages.answersInTime", sound -> new AQueue(sound) {
                @Override
                public List<Sent> send(List<Message> messages) {
                    if (unreachable(sound)) {
                        throw new IllegalStateException("unreachable");
                    }
                    return sound.send(messages);
                }
            }),
            new QueueMutant("throws when it is asked how it is", "Outages.answersInTime", sound -> new AQueue(sound) {
                @Override
                public Status status() {
                    if (unreachable(sound)) {
                        throw new IllegalStateException("unreachable");
                    }
                    return sound.status();
                }
            }),
            new QueueMutant(
                    "throws from acknowledgements when it is closed",
                    "Closing.queueCloses",
                    sound -> new Broken(sound) {
                        @Override
                        Subscription broken(Subscription subscription, Lane lane, int most) {
                            return new ASubscription(subscription) {
                                @Override
                                public void acknowledge(Collection<? extends Received> messages) {
                                    requireReachable();
                                    sound.acknowledge(messages);
                                }
                            };
                        }

                        private void requireReachable() {
                            if (unreachable(sound)) {
                                throw new IllegalStateException("closed");
                            }
                        }
                    }),
            new QueueMutant("throws from a second close", "Closing.queueCloses", sound -> new AQueue(sound) {
                @Override
                public void close() {
                    if (unreachable(sound)) {
                        throw new IllegalStateException("closed");
                    }
                    sound.close();
                }
            }),
            new QueueMutant("confirms in an outage", "Outages.answersInTime", sound -> new AQueue(sound) {
                @Override
                public List<Sent> send(List<Message> messages) {
                    sound.send(messages);
                    return Collections.nCopies(messages.size(), Sent.CONFIRMED);
                }
            }),
            new QueueMutant("is always open", "Outages.status", sound -> new AQueue(sound) {
                @Override
                public Status status() {
                    return Status.OPEN;
                }
            }),
            new QueueMutant("receives nothing after an outage", "Outages.goesOn", sound -> new Broken(sound) {
                private final List<Subscription> subscriptions = new CopyOnWriteArrayList<>();

                @Override
                Subscription broken(Subscription subscription, Lane lane, int most) {
                    subscriptions.add(subscription);
                    return subscription;
                }

                @Override
                public List<Sent> send(List<Message> messages) {
                    if (unreachable(sound)) {
                        subscriptions.forEach(Subscription::close);
                    }
                    return sound.send(messages);
                }
            }),
            new QueueMutant(
                    "never receives what it could not begin to", "Outages.beginsLater", sound -> new Broken(sound) {
                        @Override
                        Subscription broken(Subscription subscription, Lane lane, int most) {
                            if (unreachable(sound)) {
                                subscription.close();
                            }
                            return subscription;
                        }
                    }),
            new QueueMutant("counts messages of a lost connection", "Outages.comesAgain", sound -> new Broken(sound) {
                @Override
                Subscription broken(Subscription subscription, Lane lane, int most) {
                    return new ASubscription(subscription) {
                        private final AtomicInteger held = new AtomicInteger();

                        @Override
                        public List<Received> poll(int max) {
                            List<Received> some = held.get() < most ? sound.poll(max) : List.of();
                            held.addAndGet(some.size());
                            return some;
                        }

                        @Override
                        public void acknowledge(Collection<? extends Received> messages) {
                            held.addAndGet(-messages.size());
                            sound.acknowledge(messages);
                        }
                    };
                }
            }),
            new QueueMutant(
                    "takes old acknowledgements for new ones", "Outages.comesAgain", sound -> new Broken(sound) {
                        @Override
                        Subscription broken(Subscription subscription, Lane lane, int most) {
                            return new ByText(subscription);
                        }
                    }));

    private QueueOutageMutants() {}

    private static boolean unreachable(FanoutQueue sound) {
        return sound.status() == Status.UNREACHABLE;
    }

    private static final class ByText extends ASubscription {
        private final Map<String, Received> newest = new ConcurrentHashMap<>();

        ByText(Subscription sound) {
            super(sound);
        }

        @Override
        public List<Received> poll(int max) {
            List<Received> some = sound.poll(max);
            some.forEach(message -> newest.put(message.text(), message));
            return some;
        }

        @Override
        public void acknowledge(Collection<? extends Received> messages) {
            sound.acknowledge(
                    messages.stream().map(each -> newest.get(each.text())).toList());
        }
    }
}

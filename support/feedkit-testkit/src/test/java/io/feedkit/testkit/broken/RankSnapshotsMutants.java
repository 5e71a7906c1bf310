package io.feedkit.testkit.broken;

import static io.feedkit.testkit.broken.Mutant.rankSnapshots;

import io.feedkit.spi.RankSnapshots;
import io.feedkit.testkit.broken.Parts.SomeOrders;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Ranked orders that are lost, mixed up, cut, or kept too long or too short. */
final class RankSnapshotsMutants {

    static final List<Mutant> ALL = List.of(
            rankSnapshots("gives everybody a snapshot", "Snapshots.none", (orders, clock) -> new SomeOrders(orders) {
                private final Map<String, byte[]> byName = new ConcurrentHashMap<>();

                @Override
                public void save(String reader, String name, byte[] order, long lifetimeMillis) {
                    byName.put(name, order.clone());
                    sound.save(reader, name, order, lifetimeMillis);
                }

                @Override
                public Optional<byte[]> load(String reader, String name) {
                    return sound.load(reader, name).or(() -> Optional.ofNullable(byName.get(name)));
                }
            }),
            rankSnapshots("cuts large snapshots", "Snapshots.bytes", (orders, clock) -> new SomeOrders(orders) {
                @Override
                public void save(String reader, String name, byte[] order, long lifetimeMillis) {
                    sound.save(reader, name, Arrays.copyOf(order, Math.min(order.length, 65_535)), lifetimeMillis);
                }
            }),
            rankSnapshots(
                    "takes zeros at the end for padding", "Snapshots.bytes", (orders, clock) -> new SomeOrders(orders) {
                        @Override
                        public Optional<byte[]> load(String reader, String name) {
                            return sound.load(reader, name).map(order -> {
                                int end = order.length;
                                while (end > 0 && order[end - 1] == 0) {
                                    end--;
                                }
                                return Arrays.copyOf(order, end);
                            });
                        }
                    }),
            rankSnapshots(
                    "ignores the case of readers", "Snapshots.readers", (orders, clock) -> new SomeOrders(orders) {
                        @Override
                        public void save(String reader, String name, byte[] order, long lifetimeMillis) {
                            sound.save(reader.toLowerCase(Locale.ROOT), name, order, lifetimeMillis);
                        }

                        @Override
                        public Optional<byte[]> load(String reader, String name) {
                            return sound.load(reader.toLowerCase(Locale.ROOT), name);
                        }
                    }),
            rankSnapshots("keeps the first of a name", "Snapshots.replaced", (orders, clock) -> new SomeOrders(orders) {
                @Override
                public void save(String reader, String name, byte[] order, long lifetimeMillis) {
                    if (sound.load(reader, name).isEmpty()) {
                        sound.save(reader, name, order, lifetimeMillis);
                    }
                }
            }),
            rankSnapshots("keeps the caller's array", "Snapshots.copied", (orders, clock) -> new SomeOrders(orders) {
                private final Map<String, byte[]> kept = new ConcurrentHashMap<>();

                @Override
                public void save(String reader, String name, byte[] order, long lifetimeMillis) {
                    kept.put(reader + " " + name, order);
                    sound.save(reader, name, order, lifetimeMillis);
                }

                @Override
                public Optional<byte[]> load(String reader, String name) {
                    return sound.load(reader, name).map(order -> kept.getOrDefault(reader + " " + name, order));
                }
            }),
            rankSnapshots("keeps snapshots for ever", "Expiry.expires", (orders, clock) -> new SomeOrders(orders) {
                @Override
                public void save(String reader, String name, byte[] order, long lifetimeMillis) {
                    sound.save(reader, name, order, Duration.ofDays(9999).toMillis());
                }
            }),
            rankSnapshots("counts lifetimes in seconds", "Expiry.expires", (orders, clock) -> new SomeOrders(orders) {
                @Override
                public void save(String reader, String name, byte[] order, long lifetimeMillis) {
                    sound.save(reader, name, order, lifetimeMillis / 1000);
                }
            }),
            rankSnapshots(
                    "has one time for a reader: the last",
                    "Expiry.ownTimes",
                    (orders, clock) -> new SomeOrders(orders) {
                        private final Map<String, Long> ends = new ConcurrentHashMap<>();

                        @Override
                        public void save(String reader, String name, byte[] order, long lifetimeMillis) {
                            ends.put(reader, clock.millis() + lifetimeMillis);
                            sound.save(
                                    reader, name, order, Duration.ofDays(9999).toMillis());
                        }

                        @Override
                        public Optional<byte[]> load(String reader, String name) {
                            return ends.getOrDefault(reader, 0L) > clock.millis()
                                    ? sound.load(reader, name)
                                    : Optional.empty();
                        }
                    }),
            rankSnapshots("prolongs what is read", "Expiry.notRenewed", (orders, clock) -> new SomeOrders(orders) {
                private final Map<String, Long> lifetimes = new ConcurrentHashMap<>();

                @Override
                public void save(String reader, String name, byte[] order, long lifetimeMillis) {
                    lifetimes.put(reader, lifetimeMillis);
                    sound.save(reader, name, order, lifetimeMillis);
                }

                @Override
                public Optional<byte[]> load(String reader, String name) {
                    Optional<byte[]> found = sound.load(reader, name);
                    found.ifPresent(order -> sound.save(reader, name, order, lifetimes.getOrDefault(reader, 1L)));
                    return found;
                }
            }),
            rankSnapshots(
                    "saves nothing more once a reader has enough",
                    "Expiry.again",
                    (orders, clock) -> new SomeOrders(orders) {
                        private final Map<String, Integer> saved = new ConcurrentHashMap<>();

                        @Override
                        public void save(String reader, String name, byte[] order, long lifetimeMillis) {
                            if (saved.merge(reader, 1, Integer::sum) <= RankSnapshots.KEPT) {
                                sound.save(reader, name, order, lifetimeMillis);
                            }
                        }
                    }),
            rankSnapshots(
                    "keeps one snapshot of a reader", "Bounds.newestKept", (orders, clock) -> new SomeOrders(orders) {
                        @Override
                        public void save(String reader, String name, byte[] order, long lifetimeMillis) {
                            sound.forget(List.of(reader));
                            sound.save(reader, name, order, lifetimeMillis);
                        }
                    }),
            rankSnapshots("keeps as many as are saved", "Bounds.newestKept", (orders, clock) -> new SomeOrders(orders) {
                private final Map<String, byte[]> all = new ConcurrentHashMap<>();

                @Override
                public void save(String reader, String name, byte[] order, long lifetimeMillis) {
                    all.put(reader + " " + name, order.clone());
                    sound.save(reader, name, order, lifetimeMillis);
                }

                @Override
                public Optional<byte[]> load(String reader, String name) {
                    return Optional.ofNullable(all.get(reader + " " + name));
                }
            }),
            rankSnapshots(
                    "removes those first that end first",
                    "Bounds.newestNotLongest",
                    (orders, clock) -> new SomeOrders(orders) {
                        private final Map<String, byte[]> longest = new ConcurrentHashMap<>();

                        @Override
                        public void save(String reader, String name, byte[] order, long lifetimeMillis) {
                            if (lifetimeMillis > Duration.ofSeconds(60).toMillis()) {
                                longest.put(reader + " " + name, order.clone());
                            }
                            sound.save(reader, name, order, lifetimeMillis);
                        }

                        @Override
                        public Optional<byte[]> load(String reader, String name) {
                            return sound.load(reader, name)
                                    .or(() -> Optional.ofNullable(longest.get(reader + " " + name)));
                        }
                    }),
            rankSnapshots(
                    "counts a replaced snapshot twice",
                    "Bounds.replacedCountsOnce",
                    (orders, clock) -> new SomeOrders(orders) {
                        private final Map<String, Deque<String>> names = new ConcurrentHashMap<>();

                        @Override
                        public void save(String reader, String name, byte[] order, long lifetimeMillis) {
                            names.computeIfAbsent(reader, id -> new ArrayDeque<>())
                                    .addLast(name);
                            sound.save(reader, name, order, lifetimeMillis);
                        }

                        @Override
                        public Optional<byte[]> load(String reader, String name) {
                            Deque<String> saved = names.getOrDefault(reader, new ArrayDeque<>());
                            boolean isNewest = saved.stream()
                                    .skip(Math.max(0, saved.size() - RankSnapshots.KEPT))
                                    .anyMatch(name::equals);
                            return isNewest ? sound.load(reader, name) : Optional.empty();
                        }
                    }),
            rankSnapshots("forgets nobody", "Forgetting.forget", (orders, clock) -> new SomeOrders(orders) {
                @Override
                public void forget(Collection<String> readers) {
                    // remembered
                }
            }),
            rankSnapshots(
                    "forgets the first reader only", "Forgetting.forget", (orders, clock) -> new SomeOrders(orders) {
                        @Override
                        public void forget(Collection<String> readers) {
                            sound.forget(readers.stream().limit(1).toList());
                        }
                    }),
            rankSnapshots(
                    "forgets everybody if asked for nobody",
                    "Forgetting.idempotent",
                    (orders, clock) -> new SomeOrders(orders) {
                        @Override
                        public void forget(Collection<String> readers) {
                            sound.forget(readers.isEmpty() ? List.of("ann") : readers);
                        }
                    }),
            rankSnapshots(
                    "takes readers for patterns", "Forgetting.similar", (orders, clock) -> new SomeOrders(orders) {
                        @Override
                        public void forget(Collection<String> readers) {
                            sound.forget(readers);
                            sound.forget(List.of("a%", "a_"));
                        }
                    }),
            rankSnapshots(
                    "reads and writes a reader's snapshots in two steps",
                    "Concurrency.allKept",
                    (orders, clock) -> new SomeOrders(orders) {
                        private final Map<String, Gap> gaps = new ConcurrentHashMap<>();
                        private final Map<String, List<String>> lists = new ConcurrentHashMap<>();

                        @Override
                        public void save(String reader, String name, byte[] order, long lifetimeMillis) {
                            sound.save(reader, name, order, lifetimeMillis);
                            List<String> before = lists.getOrDefault(reader, List.of());
                            gaps.computeIfAbsent(reader, id -> new Gap())
                                    .awaitRival(() -> !lists.getOrDefault(reader, List.of())
                                            .equals(before));
                            List<String> after = new ArrayList<>(before);
                            after.add(name);
                            lists.put(reader, after);
                        }

                        @Override
                        public Optional<byte[]> load(String reader, String name) {
                            return lists.getOrDefault(reader, List.of()).contains(name)
                                    ? sound.load(reader, name)
                                    : Optional.empty();
                        }
                    }),
            rankSnapshots(
                    "writes a snapshot in two parts", "Concurrency.whole", (orders, clock) -> new SomeOrders(orders) {
                        private final Gap gap = new Gap();
                        private final AtomicInteger reads = new AtomicInteger();

                        @Override
                        public void save(String reader, String name, byte[] order, long lifetimeMillis) {
                            sound.save(reader, name, Arrays.copyOf(order, order.length / 2), lifetimeMillis);
                            int before = reads.get();
                            gap.awaitRival(() -> reads.get() != before);
                            sound.save(reader, name, order, lifetimeMillis);
                        }

                        @Override
                        public Optional<byte[]> load(String reader, String name) {
                            Optional<byte[]> found = sound.load(reader, name);
                            reads.incrementAndGet();
                            return found;
                        }
                    }));

    private RankSnapshotsMutants() {}
}

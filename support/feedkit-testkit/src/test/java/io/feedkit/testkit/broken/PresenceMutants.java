package io.feedkit.testkit.broken;

import io.feedkit.spi.PresenceStore;
import io.feedkit.spi.PresenceStore.OnlinePage;
import io.feedkit.spi.PresenceStore.Seen;
import io.feedkit.spi.PresenceStore.Sighting;
import io.feedkit.spi.PresenceStore.Status;
import io.feedkit.testkit.broken.PresenceMutant.Broken;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Presence stores that invent, lose or move readers. */
final class PresenceMutants {

    /** Long enough for every test, and short enough to be added to a time. */
    private static final long ALWAYS = 1L << 40;

    static final List<PresenceMutant> ALL = List.of(
            new PresenceMutant("never lets a reader go offline", "Online.lapses", (sound, clock) -> new Broken(sound) {
                @Override
                public void report(List<Sighting> sightings, long keptMillis) {
                    sound.report(
                            sightings.stream()
                                    .map(each -> each.onlineMillis() > 0
                                            ? new Sighting(each.reader(), each.seenAgoMillis(), ALWAYS)
                                            : each)
                                    .toList(),
                            keptMillis);
                }
            }),
            new PresenceMutant(
                    "takes the last report for the time online",
                    "Online.neverShortened",
                    (sound, clock) -> new Broken(sound) {
                        @Override
                        public void report(List<Sighting> sightings, long keptMillis) {
                            for (Sighting each : sightings) {
                                replace(sound, each, keptMillis);
                            }
                        }
                    }),
            new PresenceMutant(
                    "ignores a renewal while the reader is online",
                    "Online.renewed",
                    (sound, clock) -> new Broken(sound) {
                        @Override
                        public void report(List<Sighting> sightings, long keptMillis) {
                            sound.report(
                                    sightings.stream()
                                            .filter(each -> !statusOf(sound, each.reader())
                                                    .online())
                                            .toList(),
                                    keptMillis);
                        }
                    }),
            new PresenceMutant(
                    "takes everybody who was seen for online", "Online.onlySeen", (sound, clock) -> new Broken(sound) {
                        @Override
                        public List<Status> status(List<String> readers) {
                            return sound.status(readers).stream()
                                    .map(each -> new Status(each.lastSeen() > 0, each.lastSeen()))
                                    .toList();
                        }
                    }),
            new PresenceMutant("counts every report", "Online.count", (sound, clock) -> new Broken(sound) {
                private long reports;

                @Override
                public void report(List<Sighting> sightings, long keptMillis) {
                    reports += sightings.stream()
                            .filter(each -> each.onlineMillis() > 0)
                            .count();
                    sound.report(sightings, keptMillis);
                }

                @Override
                public long countOnline() {
                    return sound.countOnline() == 0 ? 0 : reports;
                }
            }),
            new PresenceMutant(
                    "takes every sighting for a present one", "LastSeen.ago", (sound, clock) -> new Broken(sound) {
                        @Override
                        public void report(List<Sighting> sightings, long keptMillis) {
                            sound.report(
                                    sightings.stream()
                                            .map(each -> new Sighting(each.reader(), 0, each.onlineMillis()))
                                            .toList(),
                                    keptMillis);
                        }
                    }),
            new PresenceMutant(
                    "lets the time at which a reader was seen fall",
                    "LastSeen.neverFalls",
                    (sound, clock) -> new Broken(sound) {
                        @Override
                        public void report(List<Sighting> sightings, long keptMillis) {
                            for (Sighting each : sightings) {
                                sound.forget(List.of(each.reader()));
                                sound.report(List.of(each), keptMillis);
                            }
                        }
                    }),
            new PresenceMutant("forgets readers who go offline", "LastSeen.kept", (sound, clock) -> new Broken(sound) {
                @Override
                public void report(List<Sighting> sightings, long keptMillis) {
                    sound.report(sightings, 1);
                }
            }),
            new PresenceMutant(
                    "keeps a reader for as long as the last report says",
                    "LastSeen.lateReport",
                    (sound, clock) -> new Broken(sound) {
                        private final Map<String, Long> keptUntil = new ConcurrentHashMap<>();

                        @Override
                        public void report(List<Sighting> sightings, long keptMillis) {
                            sound.report(sightings, keptMillis);
                            sightings.forEach(each ->
                                    keptUntil.put(each.reader(), clock.millis() - each.seenAgoMillis() + keptMillis));
                            keptUntil.forEach((reader, until) -> {
                                if (until <= clock.millis()
                                        && !statusOf(sound, reader).online()) {
                                    sound.forget(List.of(reader));
                                }
                            });
                        }
                    }),
            new PresenceMutant(
                    "looks at few readers for a page", "Listing.fewOnline", (sound, clock) -> new Broken(sound) {
                        @Override
                        public OnlinePage online(Seen below, int limit) {
                            return sound.online(below, 1);
                        }
                    }),
            new PresenceMutant("keeps readers for ever", "LastSeen.forgotten", (sound, clock) -> new Broken(sound) {
                @Override
                public void report(List<Sighting> sightings, long keptMillis) {
                    sound.report(sightings, ALWAYS);
                }
            }),
            new PresenceMutant(
                    "forgets readers who are online, but were seen long ago",
                    "LastSeen.onlineForLong",
                    (sound, clock) -> new Broken(sound) {
                        private final Map<String, Long> keptUntil = new ConcurrentHashMap<>();

                        @Override
                        public void report(List<Sighting> sightings, long keptMillis) {
                            sound.report(sightings, keptMillis);
                            sightings.forEach(each -> keptUntil.merge(
                                    each.reader(), clock.millis() - each.seenAgoMillis() + keptMillis, Math::max));
                            keptUntil.forEach((reader, until) -> {
                                if (until <= clock.millis()) {
                                    sound.forget(List.of(reader));
                                }
                            });
                        }
                    }),
            new PresenceMutant(
                    "answers for known readers only", "Batches.answersInOrder", (sound, clock) -> new Broken(sound) {
                        @Override
                        public List<Status> status(List<String> readers) {
                            return sound.status(readers).stream()
                                    .filter(each -> !each.equals(Status.UNKNOWN))
                                    .toList();
                        }
                    }),
            new PresenceMutant("answers backwards", "Batches.answersInOrder", (sound, clock) -> new Broken(sound) {
                @Override
                public List<Status> status(List<String> readers) {
                    List<Status> backwards = new ArrayList<>(sound.status(readers));
                    Collections.reverse(backwards);
                    return List.copyOf(backwards);
                }
            }),
            new PresenceMutant(
                    "takes the last report of a batch", "Batches.repeated", (sound, clock) -> new Broken(sound) {
                        @Override
                        public void report(List<Sighting> sightings, long keptMillis) {
                            Map<String, Sighting> last = new LinkedHashMap<>();
                            sightings.forEach(each -> last.put(each.reader(), each));
                            sound.report(List.copyOf(last.values()), keptMillis);
                        }
                    }),
            new PresenceMutant("cuts large batches short", "Batches.thousands", (sound, clock) -> new Broken(sound) {
                @Override
                public void report(List<Sighting> sightings, long keptMillis) {
                    sound.report(sightings.subList(0, Math.min(1000, sightings.size())), keptMillis);
                }
            }),
            new PresenceMutant(
                    "forgets readers with the same beginning",
                    "Batches.awkwardIds",
                    (sound, clock) -> new Broken(sound) {
                        @Override
                        public void forget(Collection<String> readers) {
                            sound.forget(readers);
                            sound.forget(
                                    readers.stream().map(reader -> reader + "a").toList());
                        }
                    }),
            new PresenceMutant("lists by name", "Listing.latestFirst", (sound, clock) -> new Broken(sound) {
                @Override
                public OnlinePage online(Seen below, int limit) {
                    OnlinePage page = sound.online(below, limit);
                    return new OnlinePage(
                            page.readers().stream()
                                    .sorted(Comparator.comparing(Seen::reader))
                                    .toList(),
                            page.next());
                }
            }),
            new PresenceMutant(
                    "begins each page with the last reader of the page before",
                    "Listing.pages",
                    (sound, clock) -> new Broken(sound) {
                        @Override
                        public OnlinePage online(Seen below, int limit) {
                            return sound.online(
                                    below.equals(Seen.TOP) ? below : new Seen(below.reader() + "!", below.lastSeen()),
                                    limit);
                        }
                    }),
            new PresenceMutant(
                    "continues below the time of the last reader", "Listing.ties", (sound, clock) -> new Broken(sound) {
                        @Override
                        public OnlinePage online(Seen below, int limit) {
                            OnlinePage page = sound.online(below, limit);
                            return new OnlinePage(
                                    page.readers(), page.next().map(next -> new Seen(" ", next.lastSeen())));
                        }
                    }),
            new PresenceMutant(
                    "ends the list where nobody on the page is online",
                    "Listing.onlyOnline",
                    (sound, clock) -> new Broken(sound) {
                        @Override
                        public OnlinePage online(Seen below, int limit) {
                            OnlinePage page = sound.online(below, limit);
                            return page.readers().isEmpty() ? new OnlinePage(List.of(), Optional.empty()) : page;
                        }
                    }),
            new PresenceMutant(
                    "moves a reader up with each renewal",
                    "Listing.renewedMeanwhile",
                    (sound, clock) -> new Broken(sound) {
                        @Override
                        public void report(List<Sighting> sightings, long keptMillis) {
                            sound.report(
                                    sightings.stream()
                                            .map(each -> each.seenAgoMillis() == 60_000
                                                    ? new Sighting(each.reader(), 0, each.onlineMillis())
                                                    : each)
                                            .toList(),
                                    keptMillis);
                        }
                    }),
            new PresenceMutant(
                    "moves a reader down who is seen again",
                    "Listing.seenMeanwhile",
                    (sound, clock) -> new Broken(sound) {
                        @Override
                        public void report(List<Sighting> sightings, long keptMillis) {
                            for (Sighting each : sightings) {
                                boolean again = statusOf(sound, each.reader()).online();
                                sound.forget(List.of(each.reader()));
                                long ago = again ? 60_000 : each.seenAgoMillis();
                                sound.report(
                                        List.of(new Sighting(each.reader(), ago, each.onlineMillis())), keptMillis);
                            }
                        }
                    }),
            new PresenceMutant("does not forget a reader", "Forgetting.forget", (sound, clock) -> new Broken(sound) {
                @Override
                public void forget(Collection<String> readers) {
                    // remembered
                }
            }),
            new PresenceMutant(
                    "forgets only that a reader is online", "Forgetting.forget", (sound, clock) -> new Broken(sound) {
                        private final Map<String, Long> seen = new HashMap<>();

                        @Override
                        public void forget(Collection<String> readers) {
                            readers.forEach(reader ->
                                    seen.put(reader, statusOf(sound, reader).lastSeen()));
                            sound.forget(readers);
                        }

                        @Override
                        public List<Status> status(List<String> readers) {
                            List<Status> found = new ArrayList<>(sound.status(readers));
                            for (int i = 0; i < found.size(); i++) {
                                Status each = found.get(i);
                                found.set(
                                        i,
                                        new Status(
                                                each.online(),
                                                Math.max(each.lastSeen(), seen.getOrDefault(readers.get(i), 0L))));
                            }
                            return List.copyOf(found);
                        }
                    }),
            new PresenceMutant(
                    "reads a time and raises it in two steps",
                    "Concurrency.latestStays",
                    (sound, clock) -> new Broken(sound) {
                        private final Map<String, Gap> gaps = new ConcurrentHashMap<>();

                        @Override
                        public void report(List<Sighting> sightings, long keptMillis) {
                            for (Sighting each : sightings) {
                                Status before = statusOf(sound, each.reader());
                                gaps.computeIfAbsent(each.reader(), reader -> new Gap())
                                        .awaitRival(() ->
                                                !statusOf(sound, each.reader()).equals(before));
                                if (before.lastSeen() < clock.millis() - each.seenAgoMillis()) {
                                    sound.forget(List.of(each.reader()));
                                }
                                sound.report(List.of(each), keptMillis);
                            }
                        }
                    }));

    private PresenceMutants() {}

    static PresenceMutant named(String name) {
        return ALL.stream()
                .filter(mutant -> mutant.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no presence store that " + name));
    }

    private static Status statusOf(PresenceStore store, String reader) {
        return store.status(List.of(reader)).get(0);
    }

    /** Replaces the time online, and keeps the time at which the reader was last seen. */
    private static void replace(PresenceStore store, Sighting sighting, long keptMillis) {
        long before = statusOf(store, sighting.reader()).lastSeen();
        store.forget(List.of(sighting.reader()));
        store.report(List.of(sighting), keptMillis);
        if (before > 0) {
            store.report(List.of(new Sighting(sighting.reader(), 0, 0)), keptMillis);
        }
    }
}

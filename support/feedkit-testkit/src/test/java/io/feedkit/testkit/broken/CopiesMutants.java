package io.feedkit.testkit.broken;

import io.feedkit.ForeignStoreException;
import io.feedkit.spi.InboxCopies.Head;
import io.feedkit.spi.InboxCopies.Part;
import io.feedkit.testkit.broken.CopiesMutant.Sound;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/** Stores of copies that lose, mix up, cut or keep copies. */
final class CopiesMutants {

    private static final int CUT = 4096;

    static final List<CopiesMutant> ALL = List.of(
            new CopiesMutant(
                    "belongs to the last source of truth that claims it",
                    "Owner.foreign",
                    (sound, clock) -> new Sound(sound) {
                        @Override
                        public void claim(String identity) {
                            // accepted
                        }
                    }),
            new CopiesMutant(
                    "reads its owner and sets it in two steps", "Owner.race", (sound, clock) -> new Sound(sound) {
                        private final AtomicReference<String> owner = new AtomicReference<>("");
                        private final Gap gap = new Gap();

                        @Override
                        public void claim(String identity) {
                            String before = owner.get();
                            gap.awaitRival(() -> !owner.get().equals(before));
                            if (!before.isEmpty() && !before.equals(identity)) {
                                throw new ForeignStoreException(
                                        "the copies of inboxes", before, identity, "use another store");
                            }
                            owner.set(identity);
                        }
                    }),
            new CopiesMutant(
                    "shows a copy once it has parts", "Copies.unpublished", (sound, clock) -> new Sound(sound) {
                        @Override
                        public void store(List<Part> parts, long lifetimeMillis) {
                            sound.store(parts, lifetimeMillis);
                            parts.forEach(part -> sound.publish(
                                    List.of(new Head(part.reader(), part.token(), new byte[0])), lifetimeMillis));
                        }
                    }),
            new CopiesMutant("loses the last part", "Copies.bytesOfAllSizes", (sound, clock) -> new Sound(sound) {
                @Override
                public List<List<Part>> parts(List<Head> heads) {
                    return sound.parts(heads).stream()
                            .map(parts -> parts.subList(0, Math.max(0, parts.size() - 1)))
                            .toList();
                }
            }),
            new CopiesMutant("cuts large parts", "Copies.bytesOfAllSizes", (sound, clock) -> new Sound(sound) {
                @Override
                public void store(List<Part> parts, long lifetimeMillis) {
                    sound.store(
                            parts.stream()
                                    .map(part ->
                                            new Part(part.reader(), part.token(), part.number(), cut(part.content())))
                                    .toList(),
                            lifetimeMillis);
                }
            }),
            new CopiesMutant("cuts large heads", "Copies.bytesOfAllSizes", (sound, clock) -> new Sound(sound) {
                @Override
                public void publish(List<Head> heads, long lifetimeMillis) {
                    sound.publish(
                            heads.stream()
                                    .map(head -> new Head(head.reader(), head.token(), cut(head.content())))
                                    .toList(),
                            lifetimeMillis);
                }
            }),
            new CopiesMutant(
                    "publishes a head while its parts are on their way",
                    "Copies.replaced",
                    (sound, clock) -> new Sound(sound) {
                        private final List<Part> late = new ArrayList<>();

                        @Override
                        public synchronized void store(List<Part> parts, long lifetimeMillis) {
                            sound.store(List.copyOf(late), lifetimeMillis);
                            late.clear();
                            late.addAll(parts);
                        }
                    }),
            new CopiesMutant(
                    "returns the parts of the first copy", "Copies.replaced", (sound, clock) -> new Sound(sound) {
                        private final Map<String, Long> first = new ConcurrentHashMap<>();

                        @Override
                        public void store(List<Part> parts, long lifetimeMillis) {
                            parts.forEach(part -> first.putIfAbsent(part.reader(), part.token()));
                            sound.store(parts, lifetimeMillis);
                        }

                        @Override
                        public List<List<Part>> parts(List<Head> heads) {
                            return sound.parts(heads.stream()
                                    .map(head -> new Head(
                                            head.reader(),
                                            first.getOrDefault(head.reader(), head.token()),
                                            head.content()))
                                    .toList());
                        }
                    }),
            new CopiesMutant("keeps the first head", "Copies.replaced", (sound, clock) -> new Sound(sound) {
                @Override
                public void publish(List<Head> heads, long lifetimeMillis) {
                    sound.publish(
                            heads.stream()
                                    .filter(head -> head(head.reader()).isEmpty())
                                    .toList(),
                            lifetimeMillis);
                }
            }),
            new CopiesMutant(
                    "has the parts of all copies in one place",
                    "Copies.tokensApart",
                    (sound, clock) -> new Sound(sound) {
                        private final Map<String, Set<Long>> tokens = new ConcurrentHashMap<>();

                        @Override
                        public void store(List<Part> parts, long lifetimeMillis) {
                            parts.forEach(part -> tokens.computeIfAbsent(part.reader(), reader -> new LinkedHashSet<>())
                                    .add(part.token()));
                            sound.store(parts, lifetimeMillis);
                        }

                        @Override
                        public List<List<Part>> parts(List<Head> heads) {
                            return heads.stream()
                                    .map(head -> tokens.getOrDefault(head.reader(), Set.of()).stream()
                                            .flatMap(token -> sound
                                                    .parts(List.of(new Head(head.reader(), token, head.content())))
                                                    .get(0)
                                                    .stream())
                                            .sorted(Comparator.comparing(Part::number))
                                            .toList())
                                    .toList();
                        }
                    }),
            new CopiesMutant("ignores the case of readers", "Copies.readersApart", (sound, clock) -> new Sound(sound) {
                @Override
                public void publish(List<Head> heads, long lifetimeMillis) {
                    sound.publish(
                            heads.stream()
                                    .map(head -> new Head(lower(head.reader()), head.token(), head.content()))
                                    .toList(),
                            lifetimeMillis);
                }

                @Override
                public List<Optional<Head>> heads(List<String> readers) {
                    return sound.heads(
                            readers.stream().map(CopiesMutants::lower).toList());
                }
            }),
            new CopiesMutant(
                    "sorts the numbers of parts as texts", "Copies.lostParts", (sound, clock) -> new Sound(sound) {
                        @Override
                        public List<List<Part>> parts(List<Head> heads) {
                            return sound.parts(heads).stream()
                                    .map(parts -> parts.stream()
                                            .sorted(Comparator.comparing(part -> Integer.toString(part.number())))
                                            .toList())
                                    .toList();
                        }
                    }),
            new CopiesMutant("shows no head without parts", "Copies.withoutParts", (sound, clock) -> new Sound(sound) {
                @Override
                public List<Optional<Head>> heads(List<String> readers) {
                    return sound.heads(readers).stream()
                            .map(found -> found.filter(
                                    head -> !sound.parts(List.of(head)).get(0).isEmpty()))
                            .toList();
                }
            }),
            new CopiesMutant(
                    "appends parts that are stored again", "Copies.repeated", (sound, clock) -> new Sound(sound) {
                        private final Set<String> stored = ConcurrentHashMap.newKeySet();

                        @Override
                        public void store(List<Part> parts, long lifetimeMillis) {
                            sound.store(
                                    parts.stream()
                                            .map(part ->
                                                    stored.add(part.reader() + " " + part.token() + " " + part.number())
                                                            ? part
                                                            : new Part(
                                                                    part.reader(),
                                                                    part.token(),
                                                                    part.number() + 1000,
                                                                    part.content()))
                                            .toList(),
                                    lifetimeMillis);
                        }
                    }),
            new CopiesMutant("answers backwards", "Copies.manyReaders", (sound, clock) -> new Sound(sound) {
                @Override
                public List<Optional<Head>> heads(List<String> readers) {
                    List<Optional<Head>> answers = new ArrayList<>(sound.heads(readers));
                    Collections.reverse(answers);
                    return answers;
                }
            }),
            new CopiesMutant("answers once for each reader", "Copies.manyReaders", (sound, clock) -> new Sound(sound) {
                @Override
                public List<Optional<Head>> heads(List<String> readers) {
                    return sound.heads(List.copyOf(new LinkedHashSet<>(readers)));
                }
            }),
            new CopiesMutant("keeps heads for ever", "Copies.expire", (sound, clock) -> new Sound(sound) {
                @Override
                public void publish(List<Head> heads, long lifetimeMillis) {
                    sound.publish(heads, Duration.ofDays(9999).toMillis());
                }
            }),
            new CopiesMutant("keeps parts for ever", "Copies.expire", (sound, clock) -> new Sound(sound) {
                @Override
                public void store(List<Part> parts, long lifetimeMillis) {
                    sound.store(parts, Duration.ofDays(9999).toMillis());
                }
            }),
            new CopiesMutant("lets parts end before their time", "Copies.expire", (sound, clock) -> new Sound(sound) {
                @Override
                public void store(List<Part> parts, long lifetimeMillis) {
                    sound.store(parts, lifetimeMillis / 4);
                }
            }),
            new CopiesMutant(
                    "lets the first lifetime of a reader last", "Copies.expire", (sound, clock) -> new Sound(sound) {
                        private final Map<String, Long> ends = new ConcurrentHashMap<>();

                        @Override
                        public void publish(List<Head> heads, long lifetimeMillis) {
                            heads.forEach(head -> ends.putIfAbsent(head.reader(), clock.millis() + lifetimeMillis));
                            sound.publish(heads, lifetimeMillis);
                        }

                        @Override
                        public List<Optional<Head>> heads(List<String> readers) {
                            return sound.heads(readers).stream()
                                    .map(found -> found.filter(
                                            head -> clock.millis() < ends.getOrDefault(head.reader(), Long.MAX_VALUE)))
                                    .toList();
                        }
                    }),
            new CopiesMutant("leaves the head of a dropped copy", "Copies.dropped", (sound, clock) -> new Sound(sound) {
                @Override
                public void drop(List<String> readers) {
                    // kept
                }
            }),
            new CopiesMutant("hides the copies after a drop", "Copies.dropped", (sound, clock) -> new Sound(sound) {
                private final Set<String> dropped = ConcurrentHashMap.newKeySet();

                @Override
                public void drop(List<String> readers) {
                    dropped.addAll(readers);
                    sound.drop(readers);
                }

                @Override
                public List<Optional<Head>> heads(List<String> readers) {
                    return sound.heads(readers).stream()
                            .map(found -> found.filter(head -> !dropped.contains(head.reader())))
                            .toList();
                }
            }),
            new CopiesMutant("drops the copies of all readers", "Copies.dropped", (sound, clock) -> new Sound(sound) {
                private final Set<String> known = new HashSet<>();

                @Override
                public synchronized void publish(List<Head> heads, long lifetimeMillis) {
                    heads.forEach(head -> known.add(head.reader()));
                    sound.publish(heads, lifetimeMillis);
                }

                @Override
                public synchronized void drop(List<String> readers) {
                    sound.drop(List.copyOf(known));
                }
            }),
            new CopiesMutant(
                    "removes parts that wait for their head", "Races.twoCopiers", (sound, clock) -> new Sound(sound) {
                        private final Map<Long, Gap> rounds = new ConcurrentHashMap<>();
                        private final Set<Long> removed = ConcurrentHashMap.newKeySet();
                        private final Set<Long> waiting = ConcurrentHashMap.newKeySet();

                        @Override
                        public void store(List<Part> parts, long lifetimeMillis) {
                            sound.store(parts, lifetimeMillis);
                            parts.forEach(part -> waiting.add(part.token()));
                        }

                        @Override
                        public void publish(List<Head> heads, long lifetimeMillis) {
                            Head head = heads.get(0);
                            Optional<Long> before = head(head.reader()).map(Head::token);
                            rounds.computeIfAbsent((head.token() - 1) / 4, round -> new Gap())
                                    .awaitRival(() -> !head(head.reader())
                                            .map(Head::token)
                                            .equals(before));
                            waiting.remove(head.token());
                            removed.addAll(waiting);
                            sound.publish(heads, lifetimeMillis);
                        }

                        @Override
                        public List<List<Part>> parts(List<Head> heads) {
                            return sound.parts(heads).stream()
                                    .map(parts -> parts.stream()
                                            .filter(part -> !removed.contains(part.token()))
                                            .toList())
                                    .toList();
                        }
                    }),
            new CopiesMutant("reads a head in two steps", "Races.readWhileWritten", (sound, clock) -> new Sound(sound) {
                private final Gap gap = new Gap();

                @Override
                public void publish(List<Head> heads, long lifetimeMillis) {
                    gap.awaitVictim();
                    sound.publish(heads, lifetimeMillis);
                }

                @Override
                public List<Optional<Head>> heads(List<String> readers) {
                    List<Optional<Head>> tokens = sound.heads(readers);
                    String reader = readers.get(0);
                    Optional<Long> before = tokens.get(0).map(Head::token);
                    gap.awaitRival(() -> !head(reader).map(Head::token).equals(before));
                    List<Optional<Head>> contents = sound.heads(readers);
                    return Stream.iterate(0, i -> i < readers.size(), i -> i + 1)
                            .map(i -> tokens.get(i)
                                    .flatMap(token -> contents.get(i)
                                            .map(content ->
                                                    new Head(token.reader(), token.token(), content.content()))))
                            .toList();
                }
            }));

    private CopiesMutants() {}

    static CopiesMutant named(String name) {
        return ALL.stream()
                .filter(mutant -> mutant.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no store of copies that " + name));
    }

    private static byte[] cut(byte[] content) {
        return Arrays.copyOf(content, Math.min(content.length, CUT));
    }

    private static String lower(String reader) {
        return reader.toLowerCase(Locale.ROOT);
    }
}

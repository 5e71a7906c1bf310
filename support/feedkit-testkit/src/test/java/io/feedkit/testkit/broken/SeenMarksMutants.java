package io.feedkit.testkit.broken;

import static io.feedkit.testkit.broken.Mutant.seenMarks;

import io.feedkit.spi.SeenMarks;
import io.feedkit.spi.SeenMarks.Seen;
import io.feedkit.spi.SeenPosts;
import io.feedkit.testkit.broken.Parts.SomeMarks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/** Seen marks that lose or move marks. */
final class SeenMarksMutants {

    static final List<Mutant> ALL = List.of(
            seenMarks("lets a mark fall", "Marks.neverFalls", (marks, clock) -> new SomeMarks(marks) {
                @Override
                public void markSeen(List<Seen> seen) {
                    seen.forEach(each -> overwrite(sound, each));
                }
            }),
            seenMarks("lists only the first readers", "Marks.listedReaders", (marks, clock) -> new SomeMarks(marks) {
                @Override
                public void forEachReader(Predicate<List<String>> visitor) {
                    sound.forEachReader(readers -> {
                        boolean unused = visitor.test(readers);
                        return false;
                    });
                }
            }),
            seenMarks("compares marks by their times only", "Marks.ties", (marks, clock) -> new SomeMarks(marks) {
                @Override
                public void markSeen(List<Seen> seen) {
                    seen.stream()
                            .filter(each -> mark(sound, each.reader()).upTo().millis()
                                    <= each.posts().upTo().millis())
                            .forEach(each -> overwrite(sound, each));
                }
            }),
            seenMarks(
                    "does not let a mark fall that is replaced",
                    "Marks.replaced",
                    (marks, clock) -> new SomeMarks(marks) {
                        @Override
                        public void reset(List<Seen> seen) {
                            sound.markSeen(seen);
                        }
                    }),
            seenMarks("forgets the listed posts", "Marks.listed", (marks, clock) -> new SomeMarks(marks) {
                @Override
                public void markSeen(List<Seen> seen) {
                    sound.markSeen(seen.stream()
                            .map(each -> new Seen(
                                    each.reader(), SeenPosts.upTo(each.posts().upTo())))
                            .toList());
                }
            }),
            seenMarks("cuts long lists short", "Marks.longestList", (marks, clock) -> new SomeMarks(marks) {
                @Override
                public void markSeen(List<Seen> seen) {
                    sound.markSeen(seen.stream()
                            .filter(each -> each.posts().size() <= 16)
                            .toList());
                }
            }),
            seenMarks(
                    "takes the highest mark with its list alone",
                    "Marks.devices",
                    (marks, clock) -> new SomeMarks(marks) {
                        @Override
                        public void markSeen(List<Seen> seen) {
                            seen.stream()
                                    .filter(each -> mark(sound, each.reader())
                                                    .upTo()
                                                    .compareTo(each.posts().upTo())
                                            <= 0)
                                    .forEach(each -> overwrite(sound, each));
                        }
                    }),
            seenMarks("takes the last mark of a batch", "Batches.repeated", (marks, clock) -> new SomeMarks(marks) {
                @Override
                public void markSeen(List<Seen> seen) {
                    Map<String, Seen> last = new ConcurrentHashMap<>();
                    seen.forEach(each -> last.put(each.reader(), each));
                    sound.markSeen(List.copyOf(last.values()));
                }
            }),
            seenMarks("forgets marks with age", "Marks.lasts", (marks, clock) -> new SomeMarks(marks) {
                private final Map<String, Long> marked = new ConcurrentHashMap<>();

                @Override
                public void markSeen(List<Seen> seen) {
                    seen.forEach(each -> marked.put(each.reader(), clock.millis()));
                    sound.markSeen(seen);
                }

                @Override
                public List<SeenPosts> lastSeen(List<String> readers) {
                    long oldest = clock.millis() - Duration.ofDays(30).toMillis();
                    return readers.stream()
                            .map(reader ->
                                    marked.getOrDefault(reader, 0L) < oldest ? SeenPosts.NOTHING : mark(sound, reader))
                            .toList();
                }
            }),
            seenMarks(
                    "answers for known readers only", "Batches.answersInOrder", (marks, clock) -> new SomeMarks(marks) {
                        @Override
                        public List<SeenPosts> lastSeen(List<String> readers) {
                            return sound.lastSeen(readers).stream()
                                    .filter(position -> !position.equals(SeenPosts.NOTHING))
                                    .toList();
                        }
                    }),
            seenMarks("answers backwards", "Batches.answersInOrder", (marks, clock) -> new SomeMarks(marks) {
                @Override
                public List<SeenPosts> lastSeen(List<String> readers) {
                    List<SeenPosts> marks = new ArrayList<>(sound.lastSeen(readers));
                    Collections.reverse(marks);
                    return List.copyOf(marks);
                }
            }),
            seenMarks("does not forget a reader", "Forgetting.forget", (marks, clock) -> new SomeMarks(marks) {
                @Override
                public void forget(Collection<String> readers) {
                    // remembered
                }
            }),
            seenMarks(
                    "forgets readers with the same beginning",
                    "Batches.awkwardIds",
                    (marks, clock) -> new SomeMarks(marks) {
                        @Override
                        public void forget(Collection<String> readers) {
                            sound.forget(readers);
                            sound.forget(readers.stream()
                                    .map(reader -> reader + ":b")
                                    .toList());
                        }
                    }),
            seenMarks(
                    "reads a mark and raises it in two steps",
                    "Concurrency.highestStays",
                    (marks, clock) -> new SomeMarks(marks) {
                        private final Map<String, Gap> gaps = new ConcurrentHashMap<>();

                        @Override
                        public void markSeen(List<Seen> seen) {
                            for (Seen each : seen) {
                                if (raises(each)) {
                                    gaps.computeIfAbsent(each.reader(), reader -> new Gap())
                                            .awaitRival(() -> !raises(each));
                                    overwrite(sound, each);
                                }
                            }
                        }

                        private boolean raises(Seen seen) {
                            return seen.posts()
                                            .upTo()
                                            .compareTo(
                                                    mark(sound, seen.reader()).upTo())
                                    > 0;
                        }
                    }));

    private SeenMarksMutants() {}

    private static SeenPosts mark(SeenMarks marks, String reader) {
        return marks.lastSeen(List.of(reader)).get(0);
    }

    private static void overwrite(SeenMarks marks, Seen seen) {
        marks.forget(List.of(seen.reader()));
        marks.markSeen(List.of(seen));
    }
}

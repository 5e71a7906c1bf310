package io.feedkit.testkit.broken;

import static io.feedkit.testkit.broken.Mutant.seenMarks;

import io.feedkit.spi.Position;
import io.feedkit.spi.SeenMarks;
import io.feedkit.spi.SeenMarks.Seen;
import io.feedkit.testkit.broken.Parts.SomeMarks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Seen marks that lose or move marks. */
final class SeenMarksMutants {

    static final List<Mutant> ALL = List.of(
            seenMarks("lets a mark fall", "Marks.neverFalls", (marks, clock) -> new SomeMarks(marks) {
                @Override
                public void markSeen(List<Seen> seen) {
                    seen.forEach(each -> overwrite(sound, each));
                }
            }),
            seenMarks("compares marks by their times only", "Marks.ties", (marks, clock) -> new SomeMarks(marks) {
                @Override
                public void markSeen(List<Seen> seen) {
                    seen.stream()
                            .filter(each -> mark(sound, each.reader()).millis()
                                    <= each.position().millis())
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
                public List<Position> lastSeen(List<String> readers) {
                    long oldest = clock.millis() - Duration.ofDays(30).toMillis();
                    return readers.stream()
                            .map(reader ->
                                    marked.getOrDefault(reader, 0L) < oldest ? Position.LOWEST : mark(sound, reader))
                            .toList();
                }
            }),
            seenMarks(
                    "answers for known readers only", "Batches.answersInOrder", (marks, clock) -> new SomeMarks(marks) {
                        @Override
                        public List<Position> lastSeen(List<String> readers) {
                            return sound.lastSeen(readers).stream()
                                    .filter(position -> !position.equals(Position.LOWEST))
                                    .toList();
                        }
                    }),
            seenMarks("answers backwards", "Batches.answersInOrder", (marks, clock) -> new SomeMarks(marks) {
                @Override
                public List<Position> lastSeen(List<String> readers) {
                    List<Position> marks = new ArrayList<>(sound.lastSeen(readers));
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
                            return seen.position().compareTo(mark(sound, seen.reader())) > 0;
                        }
                    }));

    private SeenMarksMutants() {}

    private static Position mark(SeenMarks marks, String reader) {
        return marks.lastSeen(List.of(reader)).get(0);
    }

    private static void overwrite(SeenMarks marks, Seen seen) {
        marks.forget(List.of(seen.reader()));
        marks.markSeen(List.of(seen));
    }
}

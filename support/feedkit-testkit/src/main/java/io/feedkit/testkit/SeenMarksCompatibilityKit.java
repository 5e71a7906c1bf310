package io.feedkit.testkit;

import static io.feedkit.testkit.internal.Samples.AWKWARD_IDS;
import static io.feedkit.testkit.internal.Samples.oldestFirst;
import static io.feedkit.testkit.internal.Samples.posts;
import static io.feedkit.testkit.internal.Samples.shuffled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.Post;
import io.feedkit.spi.Position;
import io.feedkit.spi.SeenMarks;
import io.feedkit.spi.SeenMarks.Seen;
import io.feedkit.testkit.internal.Race;
import io.feedkit.testkit.internal.Samples;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The contract of {@link SeenMarks} as tests. A backend binds it as shown for {@link InboxCompatibilityKit}. */
public abstract class SeenMarksCompatibilityKit extends CompatibilityKit {

    private SeenMarks seenMarks;

    /** For leaf tests. */
    protected SeenMarksCompatibilityKit() {}

    /**
     * Gives the marks under test.
     *
     * @return the marks, the same within a test
     */
    protected abstract SeenMarks seenMarks();

    @BeforeEach
    void openMarks() {
        seenMarks = seenMarks();
    }

    private static Position at(int n) {
        return Position.of(Samples.post("bob", n));
    }

    private void mark(String reader, Position position) {
        seenMarks.markSeen(List.of(new Seen(reader, position)));
    }

    private Position mark(String reader) {
        List<Position> marks = seenMarks.lastSeen(List.of(reader));
        assertThat(marks).as("answers for one reader").hasSize(1);
        return marks.get(0);
    }

    @Nested
    @DisplayName("Marks")
    class Marks {

        @Test
        @DisplayName("a reader without a mark has seen nothing")
        void none() {
            assertThat(mark("ann")).isEqualTo(Position.LOWEST);
        }

        @Test
        @DisplayName("a mark rises")
        void rises() {
            mark("ann", at(3));
            assertThat(mark("ann")).isEqualTo(at(3));
            mark("ann", at(5));
            assertThat(mark("ann")).isEqualTo(at(5));
        }

        @Test
        @DisplayName("a mark never falls: a lower position and the same one change nothing")
        void neverFalls() {
            mark("ann", at(5));
            mark("ann", at(3));
            mark("ann", at(5));
            mark("ann", Position.LOWEST);
            assertThat(mark("ann")).isEqualTo(at(5));
        }

        @Test
        @DisplayName("positions of one time are ordered by id, then by author, by bytes")
        void ties() {
            List<Post> posts = oldestFirst(Samples.ties());
            for (int i = 0; i < posts.size(); i++) {
                String reader = "reader-" + i;
                mark(reader, Position.of(posts.get(i)));
                posts.subList(0, i).forEach(lower -> mark(reader, Position.of(lower)));
                assertThat(mark(reader)).isEqualTo(Position.of(posts.get(i)));
            }
        }

        @Test
        @DisplayName("a mark need not be a post, and may be of the earliest or the latest time")
        void anyPosition() {
            Position bareTime = new Position(Samples.EPOCH, "", "");
            mark("ann", bareTime);
            assertThat(mark("ann")).isEqualTo(bareTime);
            Position next = new Position(Samples.EPOCH, "x".repeat(64), "y".repeat(64)).next();
            mark("ann", next);
            assertThat(mark("ann")).isEqualTo(next);
            Position latest = Position.of(new Post("bob", "1", Post.LATEST));
            mark("ann", latest);
            assertThat(mark("ann")).isEqualTo(latest);
            Position earliest = Position.of(new Post("bob", "1", Post.EARLIEST));
            mark("cid", earliest);
            assertThat(mark("cid")).isEqualTo(earliest);
        }

        @Test
        @DisplayName("a mark is not forgotten with age")
        void lasts() {
            mark("ann", at(5));
            pass(longTime());
            assertThat(mark("ann")).isEqualTo(at(5));
        }
    }

    @Nested
    @DisplayName("Batches")
    class Batches {

        @Test
        @DisplayName("answer i is for reader i, also for unknown and repeated readers")
        void answersInOrder() {
            seenMarks.markSeen(List.of(new Seen("ann", at(1)), new Seen("cid", at(2))));
            assertThat(seenMarks.lastSeen(List.of("cid", "nobody", "ann", "cid")))
                    .containsExactly(at(2), Position.LOWEST, at(1), at(2));
        }

        @Test
        @DisplayName("a reader who occurs more than once keeps the highest")
        void repeated() {
            seenMarks.markSeen(List.of(new Seen("ann", at(1)), new Seen("ann", at(4)), new Seen("ann", at(2))));
            seenMarks.markSeen(List.of(new Seen("cid", at(4)), new Seen("cid", at(1))));
            assertThat(seenMarks.lastSeen(List.of("ann", "cid"))).containsExactly(at(4), at(4));
        }

        @Test
        @DisplayName("empty batches do nothing")
        void empty() {
            mark("ann", at(1));
            seenMarks.markSeen(List.of());
            seenMarks.forget(List.of());
            assertThat(seenMarks.lastSeen(List.of())).isEmpty();
            assertThat(mark("ann")).isEqualTo(at(1));
        }

        @Test
        @DisplayName("awkward reader ids are kept apart")
        void awkwardIds() {
            List<Seen> seen = new ArrayList<>();
            List<Position> expected = new ArrayList<>();
            for (int i = 0; i < AWKWARD_IDS.size(); i++) {
                seen.add(new Seen(AWKWARD_IDS.get(i), at(i)));
                expected.add(at(i));
            }
            seenMarks.markSeen(seen);
            assertThat(seenMarks.lastSeen(AWKWARD_IDS)).isEqualTo(expected);
            seenMarks.forget(List.of("a"));
            expected.set(AWKWARD_IDS.indexOf("a"), Position.LOWEST);
            assertThat(seenMarks.lastSeen(AWKWARD_IDS)).isEqualTo(expected);
        }

        @Test
        @DisplayName("answers are immutable")
        void immutableAnswers() {
            List<Position> marks = seenMarks.lastSeen(List.of("ann"));
            assertThatThrownBy(marks::clear).isInstanceOf(UnsupportedOperationException.class);
        }
    }

    @Nested
    @DisplayName("Forgetting")
    class Forgetting {

        @Test
        @DisplayName("a forgotten reader has seen nothing, and can be marked anew, also lower")
        void forget() {
            mark("ann", at(5));
            mark("cid", at(5));
            seenMarks.forget(List.of("ann"));
            assertThat(seenMarks.lastSeen(List.of("ann", "cid"))).containsExactly(Position.LOWEST, at(5));
            mark("ann", at(2));
            assertThat(mark("ann")).isEqualTo(at(2));
        }

        @Test
        @DisplayName("it is idempotent, and takes unknown and repeated readers")
        void idempotent() {
            mark("ann", at(5));
            seenMarks.forget(List.of("ann", "nobody", "ann"));
            seenMarks.forget(List.of("ann"));
            assertThat(mark("ann")).isEqualTo(Position.LOWEST);
        }
    }

    @Tag("concurrency")
    @Nested
    @DisplayName("Concurrency")
    class Concurrency {

        @Test
        @DisplayName("of racing marks the highest stays, whichever thread has it")
        void highestStays() {
            for (int round = 0; round < rounds(); round++) {
                String reader = "reader-" + round;
                int shift = round;
                Race.run(threads(), thread -> {
                    mark(reader, at((thread + shift) % threads()));
                    return true;
                });
                assertThat(mark(reader)).isEqualTo(at(threads() - 1));
            }
        }

        @Test
        @DisplayName("a mark is never seen to fall")
        void neverSeenToFall() {
            List<Post> posts = shuffled(posts("bob", 300), 1);
            AtomicReference<Position> highest = new AtomicReference<>(Position.LOWEST);
            Race.beside(50, 6, step -> mark("ann", Position.of(posts.get(step))), look -> {
                Position seen = mark("ann");
                assertThat(seen).isGreaterThanOrEqualTo(highest.getAndSet(seen));
            });
            assertThat(mark("ann")).isEqualTo(at(300));
        }
    }
}

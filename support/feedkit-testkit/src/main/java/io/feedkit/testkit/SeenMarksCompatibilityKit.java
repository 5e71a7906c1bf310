package io.feedkit.testkit;

import static io.feedkit.testkit.internal.Samples.AWKWARD_IDS;
import static io.feedkit.testkit.internal.Samples.oldestFirst;
import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static io.feedkit.testkit.internal.Samples.shuffled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.Post;
import io.feedkit.spi.Position;
import io.feedkit.spi.SeenMarks;
import io.feedkit.spi.SeenMarks.Seen;
import io.feedkit.spi.SeenPosts;
import io.feedkit.spi.SeenPosts.Listed;
import io.feedkit.testkit.internal.Listing;
import io.feedkit.testkit.internal.Race;
import io.feedkit.testkit.internal.Samples;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The contract of {@link SeenMarks} as tests. A backend binds it as shown for {@link InboxCompatibilityKit}.
 *
 * @since 0.1.0
 */
public abstract class SeenMarksCompatibilityKit extends CompatibilityKit {

    private SeenMarks seenMarks;

    /** For leaf tests. */
    protected SeenMarksCompatibilityKit() {}

    /**
     * Returns the marks under test.
     *
     * @return the marks, the same within a test
     */
    protected abstract SeenMarks seenMarks();

    @BeforeEach
    void openMarks() {
        seenMarks = seenMarks();
    }

    private static SeenPosts at(int n) {
        return at(Position.of(Samples.post("bob", n)));
    }

    private static SeenPosts at(Position place) {
        return SeenPosts.upTo(place);
    }

    /** All posts up to a time, and these posts, listed below the time or above it. */
    private static SeenPosts listing(long millis, Post... posts) {
        return SeenPosts.of(
                new Position(millis, "", ""),
                Listed.first(millis - SeenPosts.LOOKBACK_MILLIS),
                Stream.of(posts).map(Listed::of).toList());
    }

    /** The longest possible list, of the longest possible ids. */
    private static SeenPosts longest() {
        List<Listed> listed = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            listed.add(new Listed(Samples.EPOCH - 1000L * i, i));
        }
        Position place = new Position(Samples.EPOCH, "~".repeat(64), "y".repeat(64)).next();
        return SeenPosts.of(place, Listed.first(0), listed);
    }

    private void mark(String reader, SeenPosts posts) {
        seenMarks.markSeen(List.of(new Seen(reader, posts)));
    }

    private SeenPosts mark(String reader) {
        List<SeenPosts> marks = seenMarks.lastSeen(List.of(reader));
        assertThat(marks).as("answers for one reader").hasSize(1);
        return marks.get(0);
    }

    @Nested
    @DisplayName("Marks")
    class Marks {

        @Test
        @DisplayName("a reader without a mark has seen nothing")
        void none() {
            assertThat(mark("ann")).isEqualTo(SeenPosts.NOTHING);
        }

        @Test
        @DisplayName("all readers with a mark are listed, however many they are")
        void listedReaders() {
            List<String> readers =
                    IntStream.range(0, 1100).mapToObj(i -> "reader" + i).toList();
            seenMarks.markSeen(
                    readers.stream().map(reader -> new Seen(reader, at(1))).toList());
            AWKWARD_IDS.forEach(reader -> mark(reader, at(1)));
            mark("gone", at(1));
            seenMarks.forget(List.of("gone"));
            Listing.by(seenMarks::forEachReader)
                    .ifPresent(listed -> assertThat(listed)
                            .containsAll(readers)
                            .containsAll(AWKWARD_IDS)
                            .doesNotContain("gone"));
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
            mark("ann", SeenPosts.NOTHING);
            mark("ann", at(Position.LOWEST));
            assertThat(mark("ann")).isEqualTo(at(5));
        }

        @Test
        @DisplayName("a mark can be replaced, by a lower one too, or removed, and rises again from there")
        void replaced() {
            mark("ann", listing(Samples.EPOCH + 10, post("bob", 3)));
            seenMarks.reset(List.of(new Seen("cid", at(2)), new Seen("ann", at(9)), new Seen("ann", at(1))));
            assertThat(seenMarks.lastSeen(List.of("ann", "cid"))).containsExactly(at(1), at(2));
            mark("ann", at(4));
            assertThat(mark("ann")).isEqualTo(at(4));
            seenMarks.reset(List.of(new Seen("ann", SeenPosts.NOTHING), new Seen("nobody", SeenPosts.NOTHING)));
            assertThat(seenMarks.lastSeen(List.of("ann", "nobody", "cid")))
                    .containsExactly(SeenPosts.NOTHING, SeenPosts.NOTHING, at(2));
            mark("ann", at(3));
            assertThat(mark("ann")).isEqualTo(at(3));
            seenMarks.reset(List.of());
        }

        @Test
        @DisplayName("a mark that is replaced while a lower one is reported never returns to its old value")
        void replacedMeanwhile() {
            for (int round = 0; round < 20; round++) {
                mark("ann", listing(Samples.EPOCH + 100, post("bob", 3)));
                Race.run(2, thread -> {
                    if (thread == 0) {
                        seenMarks.reset(List.of(new Seen("ann", at(1))));
                    } else {
                        mark("ann", at(5));
                    }
                    return true;
                });
                assertThat(mark("ann")).isIn(at(1), at(5));
            }
        }

        @Test
        @DisplayName("positions of one time are ordered by id, then by author, by bytes")
        void ties() {
            List<Post> posts = oldestFirst(Samples.ties());
            for (int i = 0; i < posts.size(); i++) {
                String reader = "reader-" + i;
                mark(reader, at(Position.of(posts.get(i))));
                posts.subList(0, i).forEach(lower -> mark(reader, at(Position.of(lower))));
                assertThat(mark(reader)).isEqualTo(at(Position.of(posts.get(i))));
            }
        }

        @Test
        @DisplayName("a mark need not be a post, and may be of the earliest or the latest time")
        void anyPosition() {
            SeenPosts bareTime = at(new Position(Samples.EPOCH, "", ""));
            mark("ann", bareTime);
            assertThat(mark("ann")).isEqualTo(bareTime);
            SeenPosts next = at(new Position(Samples.EPOCH, "x".repeat(64), "y".repeat(64)).next());
            mark("ann", next);
            assertThat(mark("ann")).isEqualTo(next);
            SeenPosts latest = at(Position.of(new Post("bob", "1", Post.LATEST)));
            mark("ann", latest);
            assertThat(mark("ann")).isEqualTo(latest);
            SeenPosts earliest = at(Position.of(new Post("bob", "1", Post.EARLIEST)));
            mark("cid", earliest);
            assertThat(mark("cid")).isEqualTo(earliest);
        }

        @Test
        @DisplayName("listed posts are kept, below the place and above it")
        void listed() {
            SeenPosts posts = listing(Samples.EPOCH + 10, post("bob", 3), post("amy", 3), post("bob", 60_000));
            mark("ann", posts);
            assertThat(mark("ann")).isEqualTo(posts);
            assertThat(mark("ann").contains(post("amy", 3))).isTrue();
            assertThat(mark("ann").contains(post("cid", 3))).isFalse();
            assertThat(mark("ann").contains(post("bob", 60_000))).isTrue();
        }

        @Test
        @DisplayName("the longest list of the longest ids is kept")
        void longestList() {
            mark("ann", longest());
            assertThat(longest().toBytes()).hasSizeBetween(SeenPosts.MOST_BYTES - 10, SeenPosts.MOST_BYTES);
            assertThat(mark("ann")).isEqualTo(longest());
        }

        @Test
        @DisplayName("the marks of several devices are merged, in whatever order they report")
        void devices() {
            SeenPosts phone = listing(Samples.EPOCH + 10, post("bob", 3));
            SeenPosts tablet = listing(Samples.EPOCH + 20, post("bob", 3), post("amy", 4));
            SeenPosts laptop = listing(Samples.EPOCH + 20, post("cid", 5), post("cid", 99));
            SeenPosts all = phone.and(tablet).and(laptop);
            List<SeenPosts> reports = List.of(phone, tablet, laptop);
            for (int first = 0; first < 3; first++) {
                String reader = "reader-" + first;
                for (int i = 0; i < 6; i++) {
                    mark(reader, reports.get((first + i * (1 + first % 2)) % 3));
                }
                assertThat(mark(reader)).as("beginning with %d", first).isEqualTo(all);
            }
            for (Post post : List.of(post("bob", 3), post("amy", 4), post("cid", 5), post("cid", 99))) {
                assertThat(all.contains(post)).as("%s", post).isTrue();
            }
        }

        @Test
        @DisplayName("a mark does not expire")
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
                    .containsExactly(at(2), SeenPosts.NOTHING, at(1), at(2));
        }

        @Test
        @DisplayName("a reader who occurs more than once gets the highest mark")
        void repeated() {
            seenMarks.markSeen(List.of(new Seen("ann", at(1)), new Seen("ann", at(4)), new Seen("ann", at(2))));
            seenMarks.markSeen(List.of(new Seen("cid", at(4)), new Seen("cid", at(1))));
            assertThat(seenMarks.lastSeen(List.of("ann", "cid"))).containsExactly(at(4), at(4));
            SeenPosts one = listing(Samples.EPOCH + 10, post("bob", 3));
            SeenPosts other = listing(Samples.EPOCH + 10, post("bob", 4));
            seenMarks.markSeen(List.of(new Seen("dan", one), new Seen("dan", other)));
            assertThat(mark("dan")).isEqualTo(one.and(other));
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
            List<SeenPosts> expected = new ArrayList<>();
            for (int i = 0; i < AWKWARD_IDS.size(); i++) {
                seen.add(new Seen(AWKWARD_IDS.get(i), at(i)));
                expected.add(at(i));
            }
            seenMarks.markSeen(seen);
            assertThat(seenMarks.lastSeen(AWKWARD_IDS)).isEqualTo(expected);
            seenMarks.forget(List.of("a"));
            expected.set(AWKWARD_IDS.indexOf("a"), SeenPosts.NOTHING);
            assertThat(seenMarks.lastSeen(AWKWARD_IDS)).isEqualTo(expected);
        }

        @Test
        @DisplayName("answers are immutable")
        void immutableAnswers() {
            List<SeenPosts> marks = seenMarks.lastSeen(List.of("ann"));
            assertThatThrownBy(marks::clear)
                    .as("changing an answer, which must be an immutable snapshot")
                    .isInstanceOf(UnsupportedOperationException.class);
        }
    }

    @Nested
    @DisplayName("Forgetting")
    class Forgetting {

        @Test
        @DisplayName("a reader whose mark was deleted has none, and can get a new one, also a lower one")
        void forget() {
            mark("ann", at(5));
            mark("cid", at(5));
            seenMarks.forget(List.of("ann"));
            assertThat(seenMarks.lastSeen(List.of("ann", "cid"))).containsExactly(SeenPosts.NOTHING, at(5));
            mark("ann", at(2));
            assertThat(mark("ann")).isEqualTo(at(2));
        }

        @Test
        @DisplayName("it is idempotent, and takes unknown and repeated readers")
        void idempotent() {
            mark("ann", at(5));
            seenMarks.forget(List.of("ann", "nobody", "ann"));
            seenMarks.forget(List.of("ann"));
            assertThat(mark("ann")).isEqualTo(SeenPosts.NOTHING);
        }
    }

    @Tag("concurrency")
    @Nested
    @DisplayName("Concurrency")
    class Concurrency {

        @Test
        @DisplayName("after concurrent marks the highest stays")
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
        @DisplayName("after concurrent marks that list different posts, all listed posts stay")
        void listsComeTogether() {
            for (int round = 0; round < rounds(); round++) {
                String reader = "lists-" + round;
                Race.run(threads(), thread -> {
                    mark(reader, listing(Samples.EPOCH + 100, post("bob", thread)));
                    return true;
                });
                SeenPosts all = mark(reader);
                for (int thread = 0; thread < threads(); thread++) {
                    assertThat(all.contains(post("bob", thread)))
                            .as("seen mark of thread %d", thread)
                            .isTrue();
                }
            }
        }

        @Test
        @DisplayName("a mark is never seen to fall")
        void neverSeenToFall() {
            List<Post> posts = shuffled(posts("bob", 300), 1);
            AtomicReference<Position> highest = new AtomicReference<>(Position.LOWEST);
            Race.beside(50, 6, step -> mark("ann", at(Position.of(posts.get(step)))), look -> {
                Position seen = mark("ann").upTo();
                assertThat(seen).isGreaterThanOrEqualTo(highest.getAndSet(seen));
            });
            assertThat(mark("ann")).isEqualTo(at(300));
        }
    }
}

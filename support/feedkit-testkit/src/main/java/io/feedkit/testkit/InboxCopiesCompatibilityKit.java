package io.feedkit.testkit;

import static io.feedkit.testkit.internal.Samples.AWKWARD_IDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.ForeignStoreException;
import io.feedkit.spi.InboxCopies;
import io.feedkit.spi.InboxCopies.Head;
import io.feedkit.spi.InboxCopies.Part;
import io.feedkit.testkit.internal.Race;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The contract of {@link InboxCopies} as tests. A backend binds it as shown for {@link InboxCompatibilityKit}.
 *
 * @since 0.1.0
 */
public abstract class InboxCopiesCompatibilityKit extends CompatibilityKit {

    private InboxCopies copies;

    /** For leaf tests. */
    protected InboxCopiesCompatibilityKit() {}

    /**
     * Returns the store under test.
     *
     * @return the store, the same within a test
     */
    protected abstract InboxCopies copies();

    /**
     * Returns the store as another process sees it.
     *
     * @return another object with the same data; the same object if the data is in this process
     */
    protected InboxCopies anotherProcess() {
        return copies();
    }

    @BeforeEach
    void openCopies() {
        copies = copies();
    }

    private long longLife() {
        return longTime().toMillis();
    }

    /** Bytes of all values; those after the first 256 differ by the seed. */
    private static byte[] bytes(long seed, int size) {
        byte[] bytes = new byte[size];
        new Random(seed).nextBytes(bytes);
        for (int i = 0; i < Math.min(size, 256); i++) {
            bytes[i] = (byte) i;
        }
        return bytes;
    }

    private static Part part(String reader, long token, int number) {
        return new Part(reader, token, number, bytes(token * 31 + number, 300));
    }

    private static List<Part> parts(String reader, long token, int count) {
        return IntStream.range(0, count)
                .mapToObj(number -> part(reader, token, number))
                .toList();
    }

    private static Head head(String reader, long token) {
        return new Head(reader, token, bytes(token, 300));
    }

    private void copy(String reader, long token, int count) {
        copies.store(parts(reader, token, count), longLife());
        copies.publish(List.of(head(reader, token)), longLife());
    }

    private static boolean same(Head one, Head other) {
        return one.reader().equals(other.reader())
                && one.token() == other.token()
                && Arrays.equals(one.content(), other.content());
    }

    private static boolean same(Part one, Part other) {
        return one.reader().equals(other.reader())
                && one.token() == other.token()
                && one.number() == other.number()
                && Arrays.equals(one.content(), other.content());
    }

    private static void assertParts(List<Part> actual, List<Part> expected) {
        assertThat(actual).hasSameSizeAs(expected);
        for (int i = 0; i < expected.size(); i++) {
            assertThat(same(actual.get(i), expected.get(i)))
                    .as("part %s", expected.get(i).number())
                    .isTrue();
        }
    }

    /** Expects that every process finds a copy. */
    private void assertCopy(String reader, long token, int count) {
        for (InboxCopies process : List.of(copies, anotherProcess())) {
            Optional<Head> found = process.heads(List.of(reader)).get(0);
            assertThat(found)
                    .hasValueSatisfying(head -> assertThat(same(head, head(reader, token)))
                            .as("head of %s", reader)
                            .isTrue());
            assertParts(process.parts(List.of(found.orElseThrow())).get(0), parts(reader, token, count));
        }
    }

    private void assertNone(String reader) {
        assertThat(copies.heads(List.of(reader))).containsExactly(Optional.empty());
        assertThat(anotherProcess().heads(List.of(reader))).containsExactly(Optional.empty());
    }

    @Nested
    @DisplayName("Owner")
    class Owner {

        @Test
        @DisplayName("claiming again for the same source of truth changes nothing")
        void again() {
            copies.claim("source-1");
            copy("ann", 1, 2);
            copies.claim("source-1");
            anotherProcess().claim("source-1");
            assertCopy("ann", 1, 2);
        }

        @Test
        @DisplayName("copies of another source of truth are refused by name and value")
        void foreign() {
            copies.claim("source-1");
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> anotherProcess().claim("source-2"))
                        .isInstanceOfSatisfying(ForeignStoreException.class, refused -> {
                            assertThat(refused.found()).isEqualTo("source-1");
                            assertThat(refused.expected()).isEqualTo("source-2");
                            assertThat(refused).hasMessageContainingAll("copies", "source-1", "source-2");
                        });
            }
            copies.claim("source-1");
        }

        @Test
        @Tag("concurrency")
        @DisplayName("of sources of truth that claim new copies at the same time, one owns them")
        void race() {
            List<Boolean> owners = Race.run(threads(), thread -> {
                try {
                    anotherProcess().claim("source-" + thread);
                    return true;
                } catch (ForeignStoreException e) {
                    return false;
                }
            });
            assertThat(owners).containsOnlyOnce(true);
            copies.claim("source-" + owners.indexOf(true));
        }
    }

    @Nested
    @DisplayName("Copies")
    class Copies {

        @Test
        @DisplayName("a reader has none before the head is published, also with parts")
        void unpublished() {
            copies.store(parts("ann", 1, 3), longLife());
            assertNone("ann");
            assertNone("nobody");
        }

        @Test
        @DisplayName("all bytes come back, also of the largest head and parts")
        void bytesOfAllSizes() {
            List<Part> parts = IntStream.range(0, InboxCopies.MOST_PARTS)
                    .mapToObj(number -> new Part(
                            "ann",
                            Long.MIN_VALUE,
                            number,
                            bytes(number, number == 7 ? InboxCopies.MOST_BYTES : number)))
                    .toList();
            Head head = new Head("ann", Long.MIN_VALUE, bytes(1, InboxCopies.MOST_BYTES));
            copies.store(parts, longLife());
            copies.publish(List.of(head), longLife());
            Head found = anotherProcess().heads(List.of("ann")).get(0).orElseThrow();
            assertThat(same(found, head)).isTrue();
            assertParts(anotherProcess().parts(List.of(found)).get(0), parts);
        }

        @Test
        @DisplayName("a new copy replaces the one before as a whole")
        void replaced() {
            copy("ann", 1, 5);
            copy("ann", 2, 2);
            assertCopy("ann", 2, 2);
        }

        @Test
        @DisplayName("the parts of a copy that is not published yet do not show in the one before")
        void tokensApart() {
            copy("ann", 1, 3);
            copies.store(parts("ann", 2, 5), longLife());
            assertCopy("ann", 1, 3);
        }

        @Test
        @DisplayName("readers have copies of their own, whatever their ids, also with the same token")
        void readersApart() {
            List<String> readers = new ArrayList<>(AWKWARD_IDS);
            for (int i = 0; i < readers.size(); i++) {
                copy(readers.get(i), 7, 1 + i % 3);
            }
            for (int i = 0; i < readers.size(); i++) {
                assertCopy(readers.get(i), 7, 1 + i % 3);
            }
        }

        @Test
        @DisplayName("parts come in the order of their numbers, and lost ones are left out")
        void lostParts() {
            copies.store(List.of(part("ann", 1, 11), part("ann", 1, 2), part("ann", 1, 0)), longLife());
            copies.publish(List.of(head("ann", 1)), longLife());
            Head found = copies.heads(List.of("ann")).get(0).orElseThrow();
            assertParts(
                    copies.parts(List.of(found)).get(0),
                    List.of(part("ann", 1, 0), part("ann", 1, 2), part("ann", 1, 11)));
        }

        @Test
        @DisplayName("a head without parts has none")
        void withoutParts() {
            copies.publish(List.of(head("ann", 1)), longLife());
            assertCopy("ann", 1, 0);
        }

        @Test
        @DisplayName("storing and publishing again changes nothing")
        void repeated() {
            copy("ann", 1, 3);
            copies.store(parts("ann", 1, 3), longLife());
            copies.publish(List.of(head("ann", 1)), longLife());
            assertCopy("ann", 1, 3);
        }

        @Test
        @DisplayName("many readers are answered in the order of the request, each as often as asked for")
        void manyReaders() {
            List<Head> heads = new ArrayList<>();
            List<Part> parts = new ArrayList<>();
            List<String> asked = new ArrayList<>();
            for (int n = 0; n < 300; n++) {
                heads.add(head("reader-" + n, n));
                parts.addAll(parts("reader-" + n, n, 2));
                asked.add("reader-" + (299 - n));
                asked.add("unknown-" + n);
            }
            asked.add("reader-5");
            copies.store(parts, longLife());
            copies.publish(heads, longLife());
            List<Optional<Head>> found = copies.heads(asked);
            assertThat(found).hasSize(601);
            for (int i = 0; i < asked.size(); i++) {
                String reader = asked.get(i);
                assertThat(found.get(i).map(Head::reader))
                        .isEqualTo(Optional.of(reader).filter(known -> known.startsWith("reader")));
            }
            List<Head> present = found.stream().flatMap(Optional::stream).toList();
            List<List<Part>> answers = copies.parts(present);
            for (int i = 0; i < present.size(); i++) {
                assertParts(
                        answers.get(i),
                        parts(present.get(i).reader(), present.get(i).token(), 2));
            }
        }

        @Test
        @DisplayName("empty batches do nothing")
        void empty() {
            copies.store(List.of(), longLife());
            copies.publish(List.of(), longLife());
            copies.drop(List.of());
            assertThat(copies.heads(List.of())).isEmpty();
            assertThat(copies.parts(List.of())).isEmpty();
        }

        @Test
        @DisplayName("heads and parts expire after their own times, and a new copy begins anew")
        void expire() {
            long time = shortTime().toMillis();
            copies.store(parts("ann", 1, 2), 3 * time);
            copies.publish(List.of(head("ann", 1)), time);
            copies.publish(List.of(head("ben", 2)), 3 * time);
            copies.store(parts("ben", 2, 2), time);
            assertCopy("ann", 1, 2);
            pass(shortTime().plusMillis(1));
            assertNone("ann");
            assertCopy("ben", 2, 0);
            copies.publish(List.of(head("ann", 1)), time);
            assertCopy("ann", 1, 2);
            copy("ann", 3, 1);
            pass(shortTime());
            assertCopy("ann", 3, 1);
        }

        @Test
        @DisplayName("a dropped copy is gone for every process, again and again, and the reader can be copied anew")
        void dropped() {
            copy("ann", 1, 2);
            copy("ben", 2, 2);
            for (int i = 0; i < 2; i++) {
                copies.drop(List.of("ann", "nobody"));
                assertNone("ann");
                assertCopy("ben", 2, 2);
            }
            copy("ann", 3, 1);
            assertCopy("ann", 3, 1);
        }
    }

    @Nested
    @Tag("concurrency")
    @DisplayName("Races")
    class Races {

        @Test
        @DisplayName("of copies that are made at the same time, the head that stays has all its parts")
        void twoCopiers() {
            for (int round = 0; round < rounds(); round++) {
                int first = round * threads() + 1;
                List<Boolean> unused = Race.run(threads(), thread -> {
                    InboxCopies process = anotherProcess();
                    process.store(parts("ann", first + thread, 3), longLife());
                    process.publish(List.of(head("ann", first + thread)), longLife());
                    return true;
                });
                long token = copies.heads(List.of("ann")).get(0).orElseThrow().token();
                assertThat(token).isBetween((long) first, (long) first + threads() - 1);
                assertCopy("ann", token, 3);
            }
        }

        @Test
        @DisplayName("a reader of copies never gets parts of another copy")
        void readWhileWritten() {
            copy("ann", 1, 3);
            Race.beside(rounds(), 2, step -> copy("ann", 2 + step, 3), look -> {
                Head found = anotherProcess().heads(List.of("ann")).get(0).orElseThrow();
                assertThat(same(found, head("ann", found.token()))).isTrue();
                anotherProcess()
                        .parts(List.of(found))
                        .get(0)
                        .forEach(part -> assertThat(same(part, part("ann", found.token(), part.number())))
                                .isTrue());
            });
        }
    }
}

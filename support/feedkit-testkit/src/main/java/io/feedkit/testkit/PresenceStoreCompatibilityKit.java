package io.feedkit.testkit;

import static io.feedkit.testkit.internal.Samples.AWKWARD_IDS;
import static io.feedkit.testkit.internal.Samples.shuffled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.spi.PresenceStore;
import io.feedkit.spi.PresenceStore.OnlinePage;
import io.feedkit.spi.PresenceStore.Seen;
import io.feedkit.spi.PresenceStore.Sighting;
import io.feedkit.spi.PresenceStore.Status;
import io.feedkit.testkit.internal.Race;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The contract of {@link PresenceStore} as tests. A backend binds it as shown for {@link InboxCompatibilityKit}.
 *
 * @since 0.1.0
 */
public abstract class PresenceStoreCompatibilityKit extends CompatibilityKit {

    private PresenceStore store;

    /** For leaf tests. */
    protected PresenceStoreCompatibilityKit() {}

    /**
     * Returns the store under test.
     *
     * @return the store, the same within a test
     */
    protected abstract PresenceStore presence();

    /**
     * Lets the store remove readers whom it may forget, if it does not do that in its calls.
     */
    protected void removeExpired() {}

    @BeforeEach
    void openStore() {
        store = presence();
    }

    /** The time for which last seen is kept, unless a test is about it. */
    private long keptMillis() {
        return 10 * shortTime().toMillis();
    }

    private Sighting online(String reader) {
        return new Sighting(reader, 0, shortTime().toMillis());
    }

    private void report(Sighting... sightings) {
        store.report(List.of(sightings), keptMillis());
    }

    private Status status(String reader) {
        List<Status> found = store.status(List.of(reader));
        assertThat(found).as("answers for one reader").hasSize(1);
        return found.get(0);
    }

    private List<Seen> walk(int limit) {
        return walk(limit, () -> {});
    }

    private List<Seen> walk(int limit, Runnable betweenPages) {
        List<Seen> all = new ArrayList<>();
        Seen below = Seen.TOP;
        for (int call = 0; call < 100_000; call++) {
            OnlinePage page = store.online(below, limit);
            assertThat(page.readers()).as("readers of a page").hasSizeLessThanOrEqualTo(limit);
            all.addAll(page.readers());
            if (page.next().isEmpty()) {
                return all;
            }
            assertThat(LATEST_FIRST.compare(below, page.next().get()))
                    .as("the next place, compared with the place before")
                    .isNegative();
            below = page.next().get();
            betweenPages.run();
        }
        throw new AssertionError("the list of online readers does not end");
    }

    private static final Comparator<Seen> LATEST_FIRST =
            Comparator.comparingLong(Seen::lastSeen).thenComparing(Seen::reader).reversed();

    private static List<String> readers(List<Seen> seen) {
        return seen.stream().map(Seen::reader).toList();
    }

    @Nested
    @DisplayName("Online")
    class Online {

        @Test
        @DisplayName("nothing is known of a reader who was never reported")
        void unknown() {
            assertThat(status("ann")).isEqualTo(Status.UNKNOWN);
            assertThat(store.countOnline()).isZero();
            assertThat(walk(10)).isEmpty();
        }

        @Test
        @DisplayName("a reader is online for the reported time, and offline after it")
        void lapses() {
            report(online("ann"));
            pass(shortTime().dividedBy(2));
            assertThat(status("ann").online()).isTrue();
            pass(shortTime().dividedBy(2));
            assertThat(status("ann").online()).isFalse();
            assertThat(store.countOnline()).isZero();
            assertThat(walk(10)).isEmpty();
        }

        @Test
        @DisplayName("a later report lets the reader be online for longer")
        void renewed() {
            report(online("ann"));
            for (int i = 0; i < 5; i++) {
                pass(shortTime().dividedBy(2));
                report(new Sighting("ann", shortTime().toMillis(), shortTime().toMillis()));
            }
            pass(shortTime().dividedBy(2));
            assertThat(status("ann").online()).isTrue();
            assertThat(store.countOnline()).isEqualTo(1);
            assertThat(readers(walk(10))).containsExactly("ann");
        }

        @Test
        @DisplayName("a report of a shorter time ends nothing, also one of no time")
        void neverShortened() {
            report(new Sighting("ann", 0, 2 * shortTime().toMillis()));
            report(new Sighting("ann", 0, 1), new Sighting("ann", 0, 0));
            pass(shortTime());
            assertThat(status("ann").online()).isTrue();
            assertThat(store.countOnline()).isEqualTo(1);
        }

        @Test
        @DisplayName("a reader who is only reported as seen is not online")
        void onlySeen() {
            report(new Sighting("ann", 0, 0));
            assertThat(status("ann").online()).isFalse();
            assertThat(status("ann").lastSeen()).isPositive();
            assertThat(store.countOnline()).isZero();
            assertThat(walk(10)).isEmpty();
        }

        @Test
        @DisplayName("the count has each online reader once")
        void count() {
            report(online("ann"), online("bob"), online("ann"));
            report(online("bob"), new Sighting("cid", 0, 0));
            assertThat(store.countOnline()).isEqualTo(2);
        }
    }

    @Nested
    @DisplayName("LastSeen")
    class LastSeen {

        @Test
        @DisplayName("is the time of the report, less the time that has passed since, by the store's clock")
        void ago() {
            long before = now();
            report(new Sighting("ann", 1500, 0));
            assertThat(status("ann").lastSeen()).isBetween(before - 1500, now() - 1500);
        }

        @Test
        @DisplayName("never falls: an older sighting changes nothing, and a report may arrive twice")
        void neverFalls() {
            report(new Sighting("ann", 1000, 0));
            long seen = status("ann").lastSeen();
            report(new Sighting("ann", shortTime().toMillis(), shortTime().toMillis()));
            assertThat(status("ann").lastSeen()).isEqualTo(seen);
            report(new Sighting("ann", 0, 0), new Sighting("ann", 5000, 0));
            assertThat(status("ann").lastSeen()).isGreaterThan(seen);
        }

        @Test
        @DisplayName("outlasts the time online, for as long as it is kept")
        void kept() {
            report(online("ann"));
            long seen = status("ann").lastSeen();
            pass(shortTime().multipliedBy(5));
            assertThat(status("ann")).isEqualTo(new Status(false, seen));
        }

        @Test
        @DisplayName("is not kept for a shorter time because of a report that comes late")
        void lateReport() {
            report(new Sighting("ann", 0, 0));
            long seen = status("ann").lastSeen();
            report(new Sighting("ann", keptMillis() - 1, 1));
            pass(Duration.ofMillis(keptMillis() - 1));
            report(online("bob"));
            removeExpired();
            assertThat(status("ann").lastSeen()).isEqualTo(seen);
        }

        @Test
        @DisplayName("of offline readers is removed some time after it was to be kept, however many they are")
        void forgotten() {
            List<String> gone =
                    IntStream.range(0, 1500).mapToObj(i -> "gone-" + i).toList();
            List<String> others =
                    IntStream.range(0, 1500).mapToObj(i -> "other-" + i).toList();
            store.report(
                    gone.stream()
                            .map(PresenceStoreCompatibilityKit.this::online)
                            .toList(),
                    keptMillis());
            pass(Duration.ofMillis(keptMillis()).plusMillis(1));
            for (int round = 0; round < 3; round++) {
                store.report(
                        others.stream()
                                .map(PresenceStoreCompatibilityKit.this::online)
                                .toList(),
                        keptMillis());
            }
            removeExpired();
            assertThat(store.status(gone)).containsOnly(Status.UNKNOWN);
            assertThat(store.countOnline()).isEqualTo(1500);
            assertThat(readers(walk(400))).hasSameElementsAs(others);
        }

        @Test
        @DisplayName("is no reason to forget a reader who is still online")
        void onlineForLong() {
            long longOnline = 5 * keptMillis();
            report(new Sighting("ann", 0, longOnline), new Sighting("bob", 2 * keptMillis(), longOnline));
            for (int i = 0; i < 4; i++) {
                pass(Duration.ofMillis(keptMillis()));
                report(online("cid"));
                assertThat(store.status(List.of("ann", "bob")))
                        .extracting(Status::online)
                        .containsExactly(true, true);
                assertThat(readers(walk(2))).containsExactlyInAnyOrder("ann", "bob", "cid");
                assertThat(store.countOnline()).isEqualTo(3);
            }
        }

        @Test
        @DisplayName("of a reader who was forgotten and comes back is the new time")
        void comesBack() {
            report(online("ann"));
            pass(Duration.ofMillis(keptMillis()).plusMillis(1));
            report(new Sighting("ann", 2000, shortTime().toMillis()));
            assertThat(status("ann").lastSeen()).isBetween(now() - 3000, now() - 2000);
            assertThat(readers(walk(10))).containsExactly("ann");
        }
    }

    @Nested
    @DisplayName("Batches")
    class Batches {

        @Test
        @DisplayName("answer i is for reader i, also for unknown and repeated readers")
        void answersInOrder() {
            report(online("ann"), new Sighting("cid", 500, 0));
            assertThat(store.status(List.of("cid", "nobody", "ann", "cid")))
                    .extracting(Status::online)
                    .containsExactly(false, false, true, false);
            assertThat(store.status(List.of("cid", "nobody", "ann")))
                    .extracting(each -> each.lastSeen() > 0)
                    .containsExactly(true, false, true);
        }

        @Test
        @DisplayName("a reader who occurs more than once gets the latest times")
        void repeated() {
            report(
                    new Sighting("ann", 3000, 0),
                    new Sighting("ann", 1000, 2 * shortTime().toMillis()),
                    new Sighting("ann", 2000, 1));
            assertThat(status("ann").lastSeen()).isBetween(now() - 1500, now() - 1000);
            pass(shortTime());
            assertThat(status("ann").online()).isTrue();
        }

        @Test
        @DisplayName("thousands of readers are reported, asked about, counted and listed together")
        void thousands() {
            List<String> ids =
                    IntStream.range(0, 3000).mapToObj(i -> "reader-" + i).toList();
            store.report(
                    ids.stream().map(PresenceStoreCompatibilityKit.this::online).toList(), keptMillis());
            assertThat(store.status(ids)).hasSize(3000).allMatch(Status::online);
            assertThat(store.countOnline()).isEqualTo(3000);
            assertThat(readers(walk(1000))).hasSize(3000).hasSameElementsAs(ids);
            store.forget(ids.subList(0, 2999));
            assertThat(readers(walk(1000))).containsExactly("reader-2999");
        }

        @Test
        @DisplayName("empty batches do nothing")
        void empty() {
            report(online("ann"));
            store.report(List.of(), keptMillis());
            store.forget(List.of());
            assertThat(store.status(List.of())).isEmpty();
            assertThat(status("ann").online()).isTrue();
        }

        @Test
        @DisplayName("awkward reader ids are kept apart, and listed by their bytes")
        void awkwardIds() {
            List<String> half = AWKWARD_IDS.subList(0, AWKWARD_IDS.size() / 2);
            store.report(
                    half.stream()
                            .map(PresenceStoreCompatibilityKit.this::online)
                            .toList(),
                    keptMillis());
            List<Status> found = store.status(AWKWARD_IDS);
            for (int i = 0; i < AWKWARD_IDS.size(); i++) {
                assertThat(found.get(i).online())
                        .as("%s is online", AWKWARD_IDS.get(i))
                        .isEqualTo(i < half.size());
            }
            assertThat(walk(3)).isSortedAccordingTo(LATEST_FIRST);
            assertThat(readers(walk(3))).containsExactlyInAnyOrderElementsOf(half);
            store.forget(List.of("a"));
            assertThat(readers(walk(3))).hasSize(half.size() - 1).doesNotContain("a");
        }

        @Test
        @DisplayName("answers are immutable")
        void immutableAnswers() {
            report(online("ann"));
            List<Status> found = store.status(List.of("ann"));
            assertThatThrownBy(found::clear)
                    .as("changing an answer, which must be an immutable snapshot")
                    .isInstanceOf(UnsupportedOperationException.class);
        }
    }

    @Nested
    @DisplayName("Listing")
    class Listing {

        /** Reports readers who were seen a second apart, the first one last. */
        private void reportApart(int count) {
            for (int i = count - 1; i >= 0; i--) {
                report(new Sighting("reader-" + i, 1000L * i, 5 * shortTime().toMillis()));
            }
        }

        @Test
        @DisplayName("begins with the reader who was seen last")
        void latestFirst() {
            reportApart(5);
            report(new Sighting("reader-3", 500, 5 * shortTime().toMillis()));
            assertThat(readers(walk(10))).containsExactly("reader-0", "reader-3", "reader-1", "reader-2", "reader-4");
            assertThat(walk(10))
                    .allSatisfy(seen -> assertThat(seen.lastSeen())
                            .isEqualTo(status(seen.reader()).lastSeen()));
        }

        @Test
        @DisplayName("has pages of any size, each below the one before")
        void pages() {
            reportApart(23);
            List<Seen> whole = walk(1000);
            assertThat(whole).hasSize(23).isSortedAccordingTo(LATEST_FIRST);
            for (int limit : new int[] {1, 2, 7, 22, 23, 24}) {
                assertThat(walk(limit)).as("pages of %d", limit).isEqualTo(whole);
            }
        }

        @Test
        @DisplayName("orders many readers of one time by the bytes of their ids, the highest first")
        void ties() {
            List<Sighting> sightings = new ArrayList<>();
            for (int i = 0; i < 700; i++) {
                sightings.add(online(i % 2 == 0 ? "r-" + i : "R-" + i));
            }
            store.report(shuffled(sightings, 1), keptMillis());
            List<Seen> all = walk(1000);
            assertThat(all).hasSize(700).isSortedAccordingTo(LATEST_FIRST);
            assertThat(walk(13)).isEqualTo(all);
        }

        @Test
        @DisplayName("leaves out readers who are offline, wherever they are in the list")
        void onlyOnline() {
            long longOnline = 5 * shortTime().toMillis();
            for (int i = 0; i < 60; i++) {
                report(new Sighting("reader-" + i, 1000L * i, i % 20 == 19 ? longOnline : 1));
            }
            pass(Duration.ofMillis(10));
            for (int limit : new int[] {1, 2, 100}) {
                assertThat(readers(walk(limit))).containsExactly("reader-19", "reader-39", "reader-59");
            }
        }

        @Test
        @DisplayName("takes few calls, although few readers are online")
        void fewOnline() {
            List<Sighting> sightings = new ArrayList<>();
            for (int i = 0; i < 400; i++) {
                sightings.add(
                        new Sighting("reader-" + i, i, i == 399 ? shortTime().toMillis() : 0));
            }
            store.report(sightings, keptMillis());
            List<String> listed = new ArrayList<>();
            Optional<Seen> next = Optional.of(Seen.TOP);
            for (int call = 0; call < 10 && next.isPresent(); call++) {
                OnlinePage page = store.online(next.get(), 10);
                listed.addAll(readers(page.readers()));
                next = page.next();
            }
            assertThat(listed).as("readers found in ten calls").containsExactly("reader-399");
        }

        @Test
        @DisplayName("continues at a place whose reader is gone, and at one that nobody ever had")
        void anyPlace() {
            reportApart(4);
            List<Seen> all = walk(10);
            store.forget(List.of("reader-1"));
            assertThat(readers(store.online(all.get(1), 10).readers())).containsExactly("reader-2", "reader-3");
            Seen between = new Seen("nobody", all.get(2).lastSeen() + 1);
            assertThat(readers(store.online(between, 10).readers())).containsExactly("reader-2", "reader-3");
            assertThat(readers(store.online(new Seen("~", 1), 10).readers())).isEmpty();
        }

        @Test
        @DisplayName("is not changed by renewals while it is walked")
        void renewedMeanwhile() {
            reportApart(30);
            List<Seen> walked = walk(4, () -> {
                for (int i = 0; i < 30; i++) {
                    report(new Sighting("reader-" + i, 60_000, 6 * shortTime().toMillis()));
                }
            });
            assertThat(readers(walked))
                    .containsExactlyElementsOf(
                            IntStream.range(0, 30).mapToObj(i -> "reader-" + i).toList());
        }

        @Test
        @DisplayName("has a reader who is seen meanwhile once or not at all, and everybody else once")
        void seenMeanwhile() {
            reportApart(30);
            AtomicLong page = new AtomicLong();
            List<String> walked = readers(walk(4, () -> {
                report(new Sighting(
                        "reader-" + 7 * (page.get() % 4), 0, 5 * shortTime().toMillis()));
                page.incrementAndGet();
            }));
            assertThat(walked).doesNotHaveDuplicates();
            Set<String> moved = Set.of("reader-0", "reader-7", "reader-14", "reader-21");
            for (int i = 0; i < 30; i++) {
                assertThat(walked.contains("reader-" + i) || moved.contains("reader-" + i))
                        .as("reader-%d is listed", i)
                        .isTrue();
            }
        }
    }

    @Nested
    @DisplayName("Forgetting")
    class Forgetting {

        @Test
        @DisplayName("removes all that is known of a reader, who can come back")
        void forget() {
            report(online("ann"), online("bob"));
            store.forget(List.of("ann"));
            assertThat(store.status(List.of("ann", "bob")))
                    .extracting(Status::online)
                    .containsExactly(false, true);
            assertThat(status("ann")).isEqualTo(Status.UNKNOWN);
            assertThat(store.countOnline()).isEqualTo(1);
            assertThat(readers(walk(10))).containsExactly("bob");
            report(new Sighting("ann", 9000, shortTime().toMillis()));
            assertThat(status("ann").lastSeen()).isBetween(now() - 9500, now() - 9000);
            assertThat(store.countOnline()).isEqualTo(2);
        }

        @Test
        @DisplayName("is idempotent, and takes unknown and repeated readers")
        void idempotent() {
            report(online("ann"));
            store.forget(List.of("ann", "nobody", "ann"));
            store.forget(List.of("ann"));
            assertThat(status("ann")).isEqualTo(Status.UNKNOWN);
        }
    }

    @Tag("concurrency")
    @Nested
    @DisplayName("Concurrency")
    class Concurrency {

        @Test
        @DisplayName("of concurrent reports of a reader the latest times stay")
        void latestStays() {
            for (int round = 0; round < rounds(); round++) {
                String reader = "reader-" + round;
                int shift = round;
                long began = now();
                Race.run(threads(), thread -> {
                    int order = (thread + shift) % threads();
                    report(new Sighting(
                            reader, 1000L * order, order * shortTime().toMillis()));
                    return true;
                });
                assertThat(status(reader).lastSeen()).isGreaterThanOrEqualTo(began);
                assertThat(status(reader).online()).isTrue();
            }
            pass(shortTime().multipliedBy(threads() - 2));
            assertThat(store.countOnline()).isEqualTo(rounds());
        }

        @Test
        @DisplayName("concurrent batches of the same readers are all recorded")
        void batches() {
            Race.run(threads(), thread -> {
                for (int round = 0; round < 5; round++) {
                    List<Sighting> sightings = new ArrayList<>();
                    for (int i = 0; i < 200; i++) {
                        sightings.add(online("reader-" + (i + 50 * thread)));
                    }
                    store.report(shuffled(sightings, thread + 10L * round), keptMillis());
                }
                return true;
            });
            long expected = 200 + 50L * (threads() - 1);
            assertThat(store.countOnline()).isEqualTo(expected);
            assertThat(new HashSet<>(readers(walk(60)))).hasSize((int) expected);
        }

        @Test
        @DisplayName("no reader is listed twice or left out while others come and go")
        void listedBesideReports() {
            for (int i = 0; i < 40; i++) {
                report(new Sighting("calm-" + i, 1000L * i, 5 * shortTime().toMillis()));
            }
            Race.beside(
                    20,
                    5,
                    step -> {
                        report(online("busy-" + step % 7));
                        store.forget(List.of("busy-" + (step + 3) % 7));
                    },
                    look -> {
                        List<String> walked = readers(walk(9));
                        assertThat(walked).doesNotHaveDuplicates();
                        assertThat(walked.stream().filter(reader -> reader.startsWith("calm-")))
                                .hasSize(40);
                    });
        }
    }
}

package io.feedkit.testkit;

import static io.feedkit.testkit.internal.Samples.AWKWARD_IDS;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.spi.RankSnapshots;
import io.feedkit.testkit.internal.Race;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The contract of {@link RankSnapshots} as tests. A backend binds it as shown for {@link InboxCompatibilityKit}.
 *
 * @since 0.1.0
 */
public abstract class RankSnapshotsCompatibilityKit extends CompatibilityKit {

    private static final Duration TICK = Duration.ofMillis(2);

    private RankSnapshots snapshots;

    /** For leaf tests. */
    protected RankSnapshotsCompatibilityKit() {}

    /**
     * Returns the snapshots under test.
     *
     * @return the snapshots, the same within a test
     */
    protected abstract RankSnapshots rankSnapshots();

    @BeforeEach
    void openSnapshots() {
        snapshots = rankSnapshots();
    }

    private static String name(int n) {
        return String.format("%016x", n * 0x9E3779B97F4A7C15L);
    }

    private static byte[] order(int n) {
        return ("order " + n).getBytes(US_ASCII);
    }

    private void save(String reader, int n) {
        save(reader, n, shortTime());
    }

    /** Saves a snapshot that is newer than all others. */
    private void save(String reader, int n, Duration lifetime) {
        snapshots.save(reader, name(n), order(n), lifetime.toMillis());
        pass(TICK);
    }

    private void assertKept(String reader, int n) {
        assertThat(snapshots.load(reader, name(n)))
                .as("snapshot %d of %s", n, reader)
                .contains(order(n));
    }

    private void assertGone(String reader, int n) {
        assertThat(snapshots.load(reader, name(n)))
                .as("snapshot %d of %s", n, reader)
                .isEmpty();
    }

    @Nested
    @DisplayName("Snapshots")
    class Snapshots {

        @Test
        @DisplayName("a reader without snapshots has none, of any name")
        void none() {
            assertGone("ann", 1);
            save("ann", 1);
            assertGone("ann", 2);
            assertGone("cid", 1);
        }

        @Test
        @DisplayName("a snapshot is returned as it was saved, for any bytes and lengths up to the bound")
        void bytes() {
            byte[] all = new byte[256];
            for (int i = 0; i < all.length; i++) {
                all[i] = (byte) i;
            }
            byte[] largest = new byte[RankSnapshots.MOST_BYTES];
            new Random(1).nextBytes(largest);
            List<byte[]> contents = List.of(new byte[] {0}, new byte[] {-1}, new byte[300], all, largest);
            for (int i = 0; i < contents.size(); i++) {
                snapshots.save("ann", name(i), contents.get(i), shortTime().toMillis());
            }
            for (int i = 0; i < contents.size(); i++) {
                assertThat(snapshots.load("ann", name(i)))
                        .as("%d bytes", contents.get(i).length)
                        .contains(contents.get(i));
            }
        }

        @Test
        @DisplayName("snapshots of one name are kept apart by their readers, with awkward ids too")
        void readers() {
            for (int i = 0; i < AWKWARD_IDS.size(); i++) {
                snapshots.save(
                        AWKWARD_IDS.get(i), name(1), order(i), shortTime().toMillis());
            }
            for (int i = 0; i < AWKWARD_IDS.size(); i++) {
                assertThat(snapshots.load(AWKWARD_IDS.get(i), name(1)))
                        .as(AWKWARD_IDS.get(i))
                        .contains(order(i));
            }
        }

        @Test
        @DisplayName("saving a name again replaces the snapshot, and its time")
        void replaced() {
            save("ann", 1);
            save("ann", 2);
            snapshots.save("ann", name(1), order(7), shortTime().multipliedBy(2).toMillis());
            assertThat(snapshots.load("ann", name(1))).contains(order(7));
            assertKept("ann", 2);
            pass(shortTime());
            assertThat(snapshots.load("ann", name(1))).contains(order(7));
        }

        @Test
        @DisplayName("arrays are copied: callers may change them afterwards")
        void copied() {
            byte[] order = order(1);
            snapshots.save("ann", name(1), order, shortTime().toMillis());
            Arrays.fill(order, (byte) 9);
            assertKept("ann", 1);
            snapshots.load("ann", name(1)).ifPresent(loaded -> Arrays.fill(loaded, (byte) 9));
            assertKept("ann", 1);
        }
    }

    @Nested
    @DisplayName("Expiry")
    class Expiry {

        @Test
        @DisplayName("a snapshot is kept until its time has passed, and then is gone")
        void expires() {
            save("ann", 1);
            pass(shortTime().dividedBy(2));
            assertKept("ann", 1);
            pass(shortTime().dividedBy(2));
            assertGone("ann", 1);
        }

        @Test
        @DisplayName("each snapshot of a reader has its own time, whichever was saved last")
        void ownTimes() {
            save("ann", 1, shortTime().multipliedBy(3));
            save("ann", 2);
            save("cid", 3);
            save("cid", 4, shortTime().multipliedBy(3));
            pass(shortTime());
            assertKept("ann", 1);
            assertGone("ann", 2);
            assertGone("cid", 3);
            assertKept("cid", 4);
            save("ann", 5, shortTime().multipliedBy(9));
            save("cid", 6);
            pass(shortTime().multipliedBy(2));
            assertGone("ann", 1);
            assertKept("ann", 5);
            assertGone("cid", 4);
            assertGone("cid", 6);
        }

        @Test
        @DisplayName("reading a snapshot does not prolong its time")
        void notRenewed() {
            save("ann", 1);
            for (int i = 0; i < 4; i++) {
                pass(shortTime().dividedBy(4).minus(TICK));
                snapshots.load("ann", name(1));
            }
            pass(TICK.multipliedBy(4));
            assertGone("ann", 1);
        }

        @Test
        @DisplayName("a new snapshot can be saved after others have expired")
        void again() {
            for (int n = 0; n < RankSnapshots.KEPT; n++) {
                save("ann", n);
            }
            pass(shortTime());
            save("ann", 100);
            assertKept("ann", 100);
            assertGone("ann", 1);
        }
    }

    @Nested
    @DisplayName("Bounds")
    class Bounds {

        @Test
        @DisplayName("the newest of a reader are kept, and older ones are removed")
        void newestKept() {
            int saved = 2 * RankSnapshots.KEPT + 1;
            save("cid", 0);
            for (int n = 0; n < saved; n++) {
                save("ann", n);
                for (int kept = Math.max(0, n - RankSnapshots.KEPT + 1); kept <= n; kept++) {
                    assertKept("ann", kept);
                }
                if (n >= RankSnapshots.KEPT) {
                    assertGone("ann", n - RankSnapshots.KEPT);
                }
            }
            assertKept("cid", 0);
        }

        @Test
        @DisplayName("the newest are those saved last, however long they are kept")
        void newestNotLongest() {
            save("ann", 0, shortTime().multipliedBy(9));
            for (int n = 1; n <= RankSnapshots.KEPT; n++) {
                save("ann", n);
            }
            assertGone("ann", 0);
            assertKept("ann", 1);
        }

        @Test
        @DisplayName("a snapshot that is replaced takes no other one's place")
        void replacedCountsOnce() {
            for (int n = 0; n < RankSnapshots.KEPT; n++) {
                save("ann", n);
            }
            for (int i = 0; i < RankSnapshots.KEPT; i++) {
                save("ann", 3);
            }
            for (int n = 0; n < RankSnapshots.KEPT; n++) {
                assertKept("ann", n);
            }
        }
    }

    @Nested
    @DisplayName("Forgetting")
    class Forgetting {

        @Test
        @DisplayName("all snapshots of the readers are removed, and no others; new ones can be saved")
        void forget() {
            save("ann", 1);
            save("ann", 2);
            save("cid", 1);
            save("dan", 1);
            snapshots.forget(List.of("ann", "dan"));
            assertGone("ann", 1);
            assertGone("ann", 2);
            assertGone("dan", 1);
            assertKept("cid", 1);
            save("ann", 1);
            assertKept("ann", 1);
            assertGone("ann", 2);
        }

        @Test
        @DisplayName("it is idempotent, and takes unknown and repeated readers, and none")
        void idempotent() {
            save("ann", 1);
            snapshots.forget(List.of());
            assertKept("ann", 1);
            snapshots.forget(List.of("ann", "nobody", "ann"));
            snapshots.forget(List.of("ann"));
            assertGone("ann", 1);
        }

        @Test
        @DisplayName("readers with similar ids keep theirs")
        void similar() {
            AWKWARD_IDS.forEach(reader ->
                    snapshots.save(reader, name(1), order(1), shortTime().toMillis()));
            snapshots.forget(List.of("a", "%", "_"));
            for (String reader : AWKWARD_IDS) {
                assertThat(snapshots.load(reader, name(1)).isPresent())
                        .as(reader)
                        .isEqualTo(!List.of("a", "%", "_").contains(reader));
            }
        }
    }

    @Tag("concurrency")
    @Nested
    @DisplayName("Concurrency")
    class Concurrency {

        @Test
        @DisplayName("snapshots that are saved at the same time are all kept")
        void allKept() {
            int threads = Math.min(threads(), RankSnapshots.KEPT);
            for (int round = 0; round < rounds(); round++) {
                String reader = "reader-" + round;
                Race.run(threads, thread -> {
                    snapshots.save(
                            reader, name(thread), order(thread), shortTime().toMillis());
                    return true;
                });
                for (int thread = 0; thread < threads; thread++) {
                    assertKept(reader, thread);
                }
            }
        }

        @Test
        @DisplayName("a snapshot that is saved while it is removed or read is there as a whole, or not at all")
        void whole() {
            byte[][] contents = new byte[2][40_000];
            Arrays.fill(contents[1], (byte) 1);
            Race.beside(
                    20,
                    3,
                    step -> {
                        snapshots.save(
                                "ann", name(1), contents[step % 2], shortTime().toMillis());
                        if (step % 5 == 4) {
                            snapshots.forget(List.of("ann"));
                        }
                    },
                    look -> {
                        Optional<byte[]> found = snapshots.load("ann", name(1));
                        found.ifPresent(order -> assertThat(order).isIn(contents[0], contents[1]));
                    });
        }
    }
}

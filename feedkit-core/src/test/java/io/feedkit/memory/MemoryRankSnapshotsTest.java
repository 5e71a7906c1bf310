package io.feedkit.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.spi.RankSnapshots;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Ranked orders in memory")
class MemoryRankSnapshotsTest {

    private final SettableClock clock = new SettableClock(1_000);
    private final MemoryRankSnapshots snapshots = new MemoryRankSnapshots(clock);

    private static String name(int n) {
        return String.format("%016x", n);
    }

    @Test
    @DisplayName("take no more memory than the bound, whoever many walks begin; the oldest go first")
    void bounded() {
        byte[] large = new byte[RankSnapshots.MOST_BYTES];
        for (int i = 0; i < 1000; i++) {
            snapshots.save("reader-" + i, name(i), large, 1_000_000);
            assertThat(snapshots.size()[1]).isLessThanOrEqualTo(MemoryRankSnapshots.MOST_BYTES_OF_ALL);
        }
        assertThat(snapshots.size()[0]).isBetween(250L, 256L);
        assertThat(snapshots.load("reader-999", name(999))).contains(large);
        assertThat(snapshots.load("reader-0", name(0))).isEmpty();
    }

    @Test
    @DisplayName("hold the memory of at least 9,000 walks of usual size")
    void many() {
        byte[] usual = new byte[6500];
        for (int i = 0; i < 12_000; i++) {
            snapshots.save("reader-" + i, name(i), usual, 1_000_000);
        }
        assertThat(snapshots.size()[0]).isBetween(9000L, 11_000L);
    }

    @Test
    @DisplayName("give their memory back when they have expired, are replaced, or are removed")
    void released() {
        for (int i = 0; i < 100; i++) {
            snapshots.save("reader-" + i % 10, name(i), new byte[1000], 10_000);
        }
        assertThat(snapshots.size()[0]).isEqualTo(80);
        snapshots.save("reader-1", name(91), new byte[10], 10_000);
        assertThat(snapshots.size()[0]).isEqualTo(80);
        snapshots.forget(List.of("reader-1", "reader-2", "nobody"));
        assertThat(snapshots.size()[0]).isEqualTo(64);
        clock.set(11_000);
        snapshots.save("ann", name(1), new byte[1], 10_000);
        assertThat(snapshots.size()[0]).isEqualTo(1);
        snapshots.forget(List.of("ann"));
        assertThat(snapshots.size()).containsExactly(0, 0);
    }

    @Test
    @DisplayName("last for ever if asked to, without overflow")
    void forEver() {
        snapshots.save("ann", name(1), new byte[] {1}, Long.MAX_VALUE);
        clock.set(Long.MAX_VALUE / 2);
        assertThat(snapshots.load("ann", name(1))).contains(new byte[] {1});
    }
}

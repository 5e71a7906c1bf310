package io.feedkit.testkit.internal.register;

import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.spi.PulledRegister.Snapshot;
import io.feedkit.testkit.internal.outbox.OutboxKit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** By which version readers know that their snapshot is still good. */
public abstract class RegisterVersionRules extends RegisterRules {

    protected RegisterVersionRules(OutboxKit kit) {
        super(kit);
    }

    @Test
    @DisplayName("the version is another after every change, of either kind")
    void everyChange() {
        outbox.publish(posts("bob", 3));
        long before = register.version();
        register.put(List.of(post("bob", 1)));
        before = assertChanged(before, "a new entry");
        register.put(List.of(post("bob", 3)));
        before = assertChanged(before, "a wider entry");
        register.put(List.of(post("bob", 2)));
        before = assertChanged(before, "an entry no wider than before");
        outbox.delete(post("bob", 2).key());
        before = assertChanged(before, "a deletion");
        register.remove("bob", entry("bob").version());
        before = assertChanged(before, "a removal");
        register.retracted(List.of(post("bob", 2).key()));
        assertChanged(before, "a retraction");
    }

    private long assertChanged(long before, String change) {
        long version = register.version();
        assertThat(version).as("after %s", change).isNotEqualTo(before);
        assertThat(register.versionLater().map(LongSupplier::getAsLong).orElse(version))
                .isEqualTo(version);
        return version;
    }

    @Test
    @DisplayName(
            "registers that differ have different versions, also when what was entered is removed and entered again")
    void equalVersionsMeanEqualRegisters() {
        Map<Long, Snapshot> seen = new HashMap<>();
        for (int round = 0; round < 3; round++) {
            for (String author : List.of("amy", "bob", "cid")) {
                register.put(List.of(post(author, 1)));
                assertKnown(seen);
            }
            for (String author : List.of("bob", "cid", "amy")) {
                register.remove(author, entry(author).version());
                assertKnown(seen);
            }
        }
    }

    private void assertKnown(Map<Long, Snapshot> seen) {
        Snapshot snapshot = register.snapshot();
        Snapshot earlier = seen.putIfAbsent(register.version(), snapshot);
        if (earlier != null) {
            assertThat(snapshot.pulled()).isEqualTo(earlier.pulled());
        }
    }

    @Test
    @DisplayName("the version stays while nothing changes")
    void stays() {
        register.put(List.of(post("bob", 1)));
        long version = register.version();
        register.snapshot();
        outbox.publish(post("amy", 1));
        outbox.settle();
        kit.tick();
        assertThat(register.version()).isEqualTo(version);
    }

    @Test
    @DisplayName("a snapshot carries the version it was taken at, or an earlier one")
    void snapshotVersion() {
        long before = register.version();
        register.put(List.of(post("bob", 1)));
        assertThat(register.snapshot().version()).isIn(before, register.version());
    }

    @Test
    @DisplayName("a snapshot of the present version is found in the end, so that readers can keep it")
    void snapshotsCanBeKept() {
        register.put(List.of(post("bob", 1)));
        register.snapshot();
        assertThat(register.snapshot().version()).isEqualTo(register.version());
    }

    @Test
    @DisplayName("a snapshot is of one moment, which later changes do not reach")
    void snapshotStays() {
        outbox.publish(posts("bob", 1));
        register.put(List.of(post("bob", 1)));
        Snapshot before = register.snapshot();
        register.put(List.of(post("amy", 1)));
        outbox.delete(post("bob", 1).key());
        assertThat(before.pulled()).containsOnlyKeys("bob");
        assertThat(before.retracting()).isEmpty();
        assertThat(register.snapshot().pulled()).containsOnlyKeys("bob", "amy");
    }

    @Test
    @DisplayName("an empty batch changes nothing")
    void emptyBatch() {
        long version = register.version();
        register.put(List.of());
        register.retracted(List.of());
        assertThat(register.version()).isEqualTo(version);
    }
}

package io.feedkit.testkit.internal.register;

import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.spi.PulledRegister.Snapshot;
import io.feedkit.testkit.internal.outbox.OutboxKit;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** By which version readers know that their snapshot is still good. */
public abstract class RegisterVersionRules extends RegisterRules {

    protected RegisterVersionRules(OutboxKit kit) {
        super(kit);
    }

    @Test
    @DisplayName("the version is another after every change, of either kind, and never an earlier one")
    void everyChange() {
        outbox.publish(posts("bob", 3));
        Set<Long> versions = new HashSet<>(Set.of(register.version()));
        register.put(List.of(post("bob", 1)));
        assertThat(versions.add(register.version())).as("after a new entry").isTrue();
        register.put(List.of(post("bob", 3)));
        assertThat(versions.add(register.version())).as("after a wider entry").isTrue();
        outbox.delete(post("bob", 2).key());
        assertThat(versions.add(register.version())).as("after a deletion").isTrue();
        register.remove("bob", entry("bob").version());
        assertThat(versions.add(register.version())).as("after a removal").isTrue();
        register.retracted(List.of(post("bob", 2).key()));
        assertThat(versions.add(register.version())).as("after a retraction").isTrue();
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

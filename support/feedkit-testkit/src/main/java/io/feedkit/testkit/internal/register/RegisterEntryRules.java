package io.feedkit.testkit.internal.register;

import static io.feedkit.testkit.internal.Samples.AWKWARD_IDS;
import static io.feedkit.testkit.internal.Samples.post;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.spi.PulledRegister.Entry;
import io.feedkit.spi.PulledRegister.Update;
import io.feedkit.testkit.internal.RegisterSnapshot;
import io.feedkit.testkit.internal.Samples;
import io.feedkit.testkit.internal.outbox.OutboxKit;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Entries grow wider, and are removed only by their version. */
public abstract class RegisterEntryRules extends RegisterRules {

    protected RegisterEntryRules(OutboxKit kit) {
        super(kit);
    }

    @Test
    @DisplayName("a new register is empty")
    void empty() {
        RegisterSnapshot snapshot = RegisterSnapshot.of(register);
        assertThat(snapshot.pulled()).isEmpty();
        assertThat(snapshot.retracting()).isEmpty();
    }

    @Test
    @DisplayName("a post that was not pushed creates an entry that covers it")
    void putCreates() {
        register.put(List.of(post("bob", 5)));
        assertThat(pulled()).containsOnlyKeys("bob");
        assertCovers(entry("bob"), List.of(post("bob", 5)));
    }

    @Test
    @DisplayName("further posts widen the entry, upwards and downwards, and never narrow it")
    void putWidens() {
        register.put(List.of(post("bob", 5)));
        register.put(List.of(post("bob", 9)));
        assertCovers(entry("bob"), List.of(post("bob", 5), post("bob", 9)));
        register.put(List.of(post("bob", 2)));
        assertCovers(entry("bob"), List.of(post("bob", 2), post("bob", 9)));
        register.put(List.of(post("bob", 6)));
        assertCovers(entry("bob"), List.of(post("bob", 2), post("bob", 9)));
    }

    @Test
    @DisplayName("posts of one time widen the entry by their ids")
    void putWidensByTies() {
        List<Post> posts = List.of(
                Post.of("bob", "7", Samples.EPOCH),
                Post.of("bob", "10", Samples.EPOCH),
                Post.of("bob", "9", Samples.EPOCH));
        register.put(posts.subList(0, 1));
        register.put(posts.subList(1, 2));
        register.put(posts.subList(2, 3));
        assertCovers(entry("bob"), posts);
    }

    @Test
    @DisplayName("a batch enters posts of many authors, and several of one")
    void putBatch() {
        register.put(List.of(post("bob", 5), post("amy", 1), post("bob", 1), post("bob", 9), post("amy", 1)));
        assertThat(pulled()).containsOnlyKeys("bob", "amy");
        assertCovers(entry("bob"), List.of(post("bob", 1), post("bob", 5), post("bob", 9)));
        assertCovers(entry("amy"), List.of(post("amy", 1)));
    }

    @Test
    @DisplayName("every put gives the entry a new version, also for a post that is already covered")
    void putRenewsVersion() {
        Set<Long> versions = new HashSet<>();
        for (int i = 0; i < 4; i++) {
            register.put(List.of(post("bob", 5)));
            assertThat(versions.add(entry("bob").version())).isTrue();
        }
        assertThat(register.remove("bob", entry("bob").version())).isTrue();
        register.put(List.of(post("bob", 5)));
        assertThat(versions.add(entry("bob").version())).isTrue();
    }

    @Test
    @DisplayName("a put for one author does not change another author's entry")
    void putLeavesOthers() {
        register.put(List.of(post("bob", 5)));
        Entry before = entry("bob");
        register.put(List.of(post("amy", 9)));
        register.remove("amy", entry("amy").version());
        assertThat(entry("bob")).isEqualTo(before);
    }

    @Test
    @DisplayName("an entry is removed by its version")
    void remove() {
        register.put(List.of(post("bob", 5), post("amy", 5)));
        assertThat(register.remove("bob", entry("bob").version())).isTrue();
        assertThat(pulled()).containsOnlyKeys("amy");
    }

    @Test
    @DisplayName("an entry stays if there was a put since that version; removing a missing entry does nothing")
    void removeRefused() {
        register.put(List.of(post("bob", 5)));
        long stale = entry("bob").version();
        register.put(List.of(post("bob", 6)));
        Entry present = entry("bob");
        Update before = register.update(Optional.empty(), List.of(), Integer.MAX_VALUE);
        assertThat(register.remove("bob", stale)).isFalse();
        assertThat(register.remove("amy", present.version())).isFalse();
        assertThat(entry("bob")).isEqualTo(present);
        assertQuiet(before.moment());
        assertThat(register.remove("bob", present.version())).isTrue();
        assertThat(register.remove("bob", present.version())).isFalse();
    }

    @Test
    @DisplayName("a version from before a removal does not remove the entry that was created after it")
    void removeAfterRemoval() {
        register.put(List.of(post("bob", 5)));
        long removed = entry("bob").version();
        register.remove("bob", removed);
        register.put(List.of(post("bob", 5)));
        assertThat(register.remove("bob", removed)).isFalse();
        assertThat(pulled()).containsOnlyKeys("bob");
    }

    @Test
    @DisplayName("entries do not expire, and deleting the post does not remove the entry")
    void entriesLast() {
        outbox.publish(post("bob", 5));
        register.put(List.of(post("bob", 5)));
        outbox.delete(post("bob", 5).key());
        kit.pass(kit.longTime());
        assertCovers(entry("bob"), List.of(post("bob", 5)));
        assertThat(RegisterSnapshot.of(register).retracting())
                .containsExactly(post("bob", 5).key());
    }

    @Test
    @DisplayName("awkward author ids are separate")
    void awkwardIds() {
        register.put(AWKWARD_IDS.stream().map(author -> post(author, 1)).toList());
        assertThat(pulled()).containsOnlyKeys(AWKWARD_IDS);
        assertThat(AWKWARD_IDS).allSatisfy(author -> assertCovers(entry(author), List.of(post(author, 1))));
        register.remove("a", entry("a").version());
        Set<String> left = new HashSet<>(AWKWARD_IDS);
        left.remove("a");
        assertThat(pulled()).containsOnlyKeys(left);
    }
}

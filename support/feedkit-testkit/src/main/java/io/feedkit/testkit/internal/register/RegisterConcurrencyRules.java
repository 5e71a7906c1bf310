package io.feedkit.testkit.internal.register;

import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static io.feedkit.testkit.internal.Samples.shuffled;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.spi.PulledRegister.Snapshot;
import io.feedkit.testkit.internal.Race;
import io.feedkit.testkit.internal.outbox.OutboxKit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Entries widen and leave atomically, and snapshots are of one moment. */
@Tag("concurrency")
public abstract class RegisterConcurrencyRules extends RegisterRules {

    protected RegisterConcurrencyRules(OutboxKit kit) {
        super(kit);
    }

    @Test
    @DisplayName("racing puts for one author are all covered")
    void racingPuts() {
        List<Post> posts = posts("bob", 100);
        Race.run(kit.threads(), thread -> {
            shuffled(posts, thread).stream()
                    .filter(post -> Math.floorMod(post.id().hashCode(), kit.threads()) == thread)
                    .forEach(post -> register.put(List.of(post)));
            return true;
        });
        assertCovers(entry("bob"), posts);
    }

    @Test
    @DisplayName("a removal that races with a put never takes what was put")
    void removeAndPut() {
        for (int round = 0; round < kit.rounds(); round++) {
            String author = "author-" + round;
            register.put(List.of(post(author, 1)));
            long version = entry(author).version();
            List<Boolean> results = Race.run(2, thread -> {
                if (thread == 0) {
                    return register.remove(author, version);
                }
                register.put(List.of(post(author, 2)));
                return true;
            });
            boolean removed = results.get(0);
            assertCovers(entry(author), removed ? List.of(post(author, 2)) : posts(author, 2));
        }
    }

    @Test
    @DisplayName("of many who remove one version at once, one succeeds")
    void racingRemovals() {
        for (int round = 0; round < kit.rounds(); round++) {
            register.put(List.of(post("bob", 1)));
            long version = entry("bob").version();
            assertThat(Race.run(kit.threads(), thread -> register.remove("bob", version)))
                    .containsOnlyOnce(true);
            assertThat(pulled()).isEmpty();
        }
    }

    @Test
    @DisplayName("retractions that begin and end at once leave those that did not end")
    void racingRetractions() {
        outbox.publish(posts("bob", 80));
        Race.run(kit.threads(), thread -> {
            for (int n = 1; n <= 80; n++) {
                PostKey key = post("bob", n).key();
                if (n % kit.threads() == thread) {
                    outbox.delete(key);
                    if (n <= 40) {
                        register.retracted(List.of(key));
                    }
                }
            }
            return true;
        });
        assertThat(register.snapshot().retracting())
                .containsExactlyInAnyOrderElementsOf(
                        posts("bob", 80).subList(40, 80).stream().map(Post::key).toList());
    }

    @Test
    @DisplayName("a snapshot holds every change up to the version it carries")
    void snapshotsAreComplete() {
        Map<Long, Integer> authorsByVersion = new ConcurrentHashMap<>();
        Map<Long, Snapshot> seen = new ConcurrentHashMap<>();
        Race.beside(
                50,
                2,
                step -> {
                    register.put(List.of(post("author-" + step, 1)));
                    authorsByVersion.put(register.version(), step + 1);
                },
                look -> {
                    Snapshot snapshot = register.snapshot();
                    seen.merge(snapshot.version(), snapshot, RegisterConcurrencyRules::smaller);
                });
        assertThat(seen.values())
                .allSatisfy(snapshot -> assertThat(snapshot.pulled())
                        .hasSizeGreaterThanOrEqualTo(authorsByVersion.getOrDefault(snapshot.version(), 0)));
        assertThat(pulled()).hasSize(100);
    }

    private static Snapshot smaller(Snapshot a, Snapshot b) {
        return a.pulled().size() <= b.pulled().size() ? a : b;
    }
}

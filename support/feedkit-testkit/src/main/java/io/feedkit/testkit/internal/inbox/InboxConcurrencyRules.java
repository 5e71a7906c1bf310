package io.feedkit.testkit.internal.inbox;

import static io.feedkit.testkit.internal.Samples.newestFirst;
import static io.feedkit.testkit.internal.Samples.oldestFirst;
import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static io.feedkit.testkit.internal.Samples.shuffled;
import static io.feedkit.testkit.internal.inbox.InboxDriver.LEASE;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.spi.Inbox.Opening;
import io.feedkit.spi.Inbox.Outcome;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Position;
import io.feedkit.testkit.internal.Race;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each call is atomic for each reader, also with concurrent threads. */
@Tag("concurrency")
public abstract class InboxConcurrencyRules extends InboxRules {

    private static final int BATCH = 10;

    protected InboxConcurrencyRules(InboxKit kit) {
        super(kit);
    }

    /** Delivers posts in batches, in a shuffled order, and returns those that were added. */
    private static List<Post> deliver(InboxDriver view, List<Post> posts, int seed) {
        List<Post> order = shuffled(posts, seed);
        List<Post> added = new ArrayList<>();
        for (int i = 0; i < order.size(); i += BATCH) {
            List<Post> batch = order.subList(i, Math.min(i + BATCH, order.size()));
            List<Outcome> outcomes = view.deliver(READER, batch);
            for (int j = 0; j < batch.size(); j++) {
                if (outcomes.get(j) == Outcome.ADDED) {
                    added.add(batch.get(j));
                }
            }
        }
        return added;
    }

    @Test
    @DisplayName("concurrent deliveries of the same posts insert each exactly once")
    void overlappingDeliveries() {
        inbox.live(READER);
        List<Post> posts = posts("bob", 200);
        List<List<Post>> added = Race.run(kit.threads(), thread -> deliver(inbox, posts, thread));
        assertThat(added.stream().flatMap(List::stream)).containsExactlyInAnyOrderElementsOf(posts);
        assertThat(inbox.posts(READER)).isEqualTo(newestFirst(posts));
    }

    @Test
    @DisplayName("concurrent deliveries beyond the cap leave the newest, with the floor at the lowest of them")
    void deliveriesBeyondCap() {
        InboxDriver view = withCap(32);
        view.live(READER);
        List<Post> posts = posts("bob", 300);
        Race.run(kit.threads(), thread -> deliver(view, posts, thread));
        assertThat(view.posts(READER)).isEqualTo(newestFirst(posts.subList(268, 300)));
        assertThat(view.floor(READER)).isEqualTo(Position.of(post("bob", 269)));
    }

    @Test
    @DisplayName("a builder's merges and concurrent pushes are all kept")
    void mergeAndDeliver() {
        long generation = inbox.build(READER);
        List<Post> pushed = posts("bob", 150);
        List<Post> pulled = posts("amy", 150);
        Race.run(kit.threads(), thread -> {
            if (thread > 0) {
                return deliver(inbox, pushed, thread);
            }
            for (int i = 0; i < pulled.size(); i += BATCH) {
                inbox.merge(READER, generation, pulled.subList(i, i + BATCH), Position.LOWEST);
            }
            return List.of();
        });
        inbox.complete(READER, generation);
        List<Post> all = new ArrayList<>(pushed);
        all.addAll(pulled);
        assertThat(inbox.posts(READER)).isEqualTo(newestFirst(all));
    }

    @Test
    @DisplayName("a floor raised during deliveries leaves nothing below it and everything above it")
    void floorAndDeliver() {
        long generation = inbox.live(READER);
        List<Post> posts = posts("bob", 200);
        Race.run(kit.threads(), thread -> {
            if (thread > 0) {
                return deliver(inbox, posts, thread);
            }
            for (int n = 10; n <= 100; n += 10) {
                inbox.raise(READER, generation, Position.of(post("bob", n)));
            }
            return List.of();
        });
        assertThat(inbox.posts(READER)).isEqualTo(newestFirst(posts.subList(99, 200)));
        assertThat(inbox.floor(READER)).isEqualTo(Position.of(post("bob", 100)));
    }

    @Test
    @DisplayName("retractions during deliveries remove only their own posts")
    void retractAndDeliver() {
        inbox.live(READER);
        List<Post> gone = posts("amy", 60);
        List<Post> stays = posts("bob", 100);
        inbox.deliver(READER, gone);
        Race.run(kit.threads(), thread -> {
            if (thread > 0) {
                return deliver(inbox, stays, thread);
            }
            gone.forEach(post -> inbox.retract(READER, post));
            return List.of();
        });
        assertThat(inbox.posts(READER)).isEqualTo(newestFirst(stays));
    }

    @Test
    @DisplayName("every slice is consistent: without holes above its own floor, however fast the inbox is trimmed")
    void slicesAreConsistent() {
        InboxDriver view = withCap(16);
        view.live(READER);
        List<Post> posts = posts("bob", 300);
        Race.beside(
                50,
                6,
                step -> view.deliver(READER, posts.get(step)),
                look -> assertWithoutHoles(view.slice(READER), posts));
        assertWithoutHoles(view.slice(READER), posts);
    }

    private static void assertWithoutHoles(Slice slice, List<Post> posts) {
        List<Post> served = oldestFirst(slice.posts());
        assertThat(served).hasSizeLessThanOrEqualTo(16);
        if (served.isEmpty()) {
            assertThat(slice.floor()).isEqualTo(Position.LOWEST);
            return;
        }
        int first = posts.indexOf(served.get(0));
        assertThat(served).isEqualTo(posts.subList(first, first + served.size()));
        assertThat(slice.floor()).isEqualTo(first == 0 ? Position.LOWEST : Position.of(posts.get(first)));
    }

    @Test
    @DisplayName("if many threads open an inbox at once, one becomes its builder")
    void oneBuilder() {
        for (int round = 0; round < kit.rounds(); round++) {
            String reader = "reader-" + round;
            List<Opening> openings =
                    Race.run(kit.threads(), thread -> inbox.inbox().open(reader, LEASE.toMillis(), thread % 2 == 0));
            assertThat(openings)
                    .extracting(Opening::status)
                    .containsOnlyOnce(Opening.Status.OPENED)
                    .containsOnly(Opening.Status.OPENED, Opening.Status.BUSY);
        }
    }

    @Test
    @DisplayName("a merge during a replacement never reaches the new inbox")
    void mergeAndReplace() {
        for (int round = 0; round < kit.rounds(); round++) {
            String reader = "reader-" + round;
            long stale = inbox.live(reader);
            Race.run(
                    2,
                    thread -> thread == 0
                            ? inbox.rebuild(reader)
                            : inbox.inbox().merge(reader, stale, posts("bob", 5), Position.of(post("bob", 2))));
            inbox.complete(reader, inbox.slice(reader).generation());
            assertThat(inbox.posts(reader)).isEmpty();
            assertThat(inbox.floor(reader)).isEqualTo(Position.LOWEST);
        }
    }

    @Test
    @DisplayName("concurrent follows are all pending, each with an epoch of its own, and all end")
    void follows() {
        inbox.live(READER);
        List<Set<Long>> epochs = Race.run(kit.threads(), thread -> {
            Set<Long> tokens = new HashSet<>();
            for (int i = 0; i < 20; i++) {
                tokens.add(inbox.beginFollow(READER, thread + "-" + i));
            }
            return tokens;
        });
        assertThat(inbox.slice(READER).pending()).hasSize(kit.threads() * 20);
        assertThat(epochs.stream().flatMap(Set::stream))
                .hasSize(kit.threads() * 20)
                .doesNotHaveDuplicates();
        Race.run(kit.threads(), thread -> {
            for (int i = 0; i < 20; i++) {
                String author = thread + "-" + i;
                long token = inbox.beginFollow(READER, author);
                assertThat(inbox.endFollow(READER, author, token)).isTrue();
            }
            return true;
        });
        assertThat(inbox.slice(READER).pending()).isEmpty();
    }

    @Test
    @DisplayName("a purge during a follow never removes a post that was delivered after the follow began")
    void purgeAndFollow() {
        for (int round = 0; round < kit.rounds(); round++) {
            String reader = "reader-" + round;
            inbox.live(reader);
            inbox.deliver(reader, post("bob", 1));
            long epoch = inbox.epoch(reader);
            List<Boolean> results = Race.run(2, thread -> {
                if (thread == 0) {
                    return inbox.purge(reader, "bob", epoch);
                }
                inbox.beginFollow(reader, "bob");
                return inbox.deliver(reader, post("bob", 2)) == Outcome.ADDED;
            });
            boolean purged = results.get(0);
            assertThat(inbox.posts(reader))
                    .isEqualTo(purged ? List.of(post("bob", 2)) : List.of(post("bob", 2), post("bob", 1)));
        }
    }
}

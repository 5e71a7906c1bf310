package io.feedkit.testkit.internal.outbox;

import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.Published.Status;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.Task;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox.Appended;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import io.feedkit.testkit.internal.Listing;
import io.feedkit.testkit.internal.Samples;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which posts exist, how many there are, and when the last one was appended. */
public abstract class OutboxHeadRules extends OutboxRules {

    protected OutboxHeadRules(OutboxKit kit) {
        super(kit);
    }

    @Test
    @DisplayName("posts exist if they were published and not deleted, at the time of their first publish")
    void existing() {
        outbox.publish(posts("bob", 2));
        outbox.publish(post("amy", 1));
        outbox.append(Post.of("amy", post("amy", 1).id(), Samples.EPOCH + 77));
        outbox.delete(post("bob", 2).key());
        PostKey stays = post("bob", 1).key();
        PostKey amys = post("amy", 1).key();
        assertThat(outbox.outbox()
                        .existing(List.of(
                                post("bob", 2).key(),
                                stays,
                                new PostKey("bob", "unseen"),
                                amys,
                                stays,
                                new PostKey("unknown", "p0001"))))
                .containsExactlyInAnyOrderEntriesOf(Map.of(stays, post("bob", 1), amys, post("amy", 1)));
        assertThat(outbox.outbox().existing(List.of())).isEmpty();
    }

    @Test
    @DisplayName("all authors who have published are listed, and all their tasks, until they are finished")
    void listed() {
        List<String> authors =
                IntStream.range(0, 1100).mapToObj(i -> "author" + i).toList();
        outbox.publish(authors.stream().map(author -> post(author, 1)).toList());
        Listing.by(outbox.outbox()::forEachAuthor)
                .ifPresent(listed -> assertThat(listed).containsAll(authors).doesNotContain("unknown"));
        Claim finished = outbox.claim();
        outbox.finish(finished);
        Claim dead = outbox.claim();
        outbox.log().moveToDeadLetters(dead, 1, "poison");
        Claim leased = outbox.claim();
        List<Task> unfinished = new ArrayList<>(List.of(leased.task()));
        Listing.by(outbox.log()::forEachUnfinished).ifPresent(tasks -> {
            assertThat(tasks).contains(leased.task());
            assertThat(tasks)
                    .extracting(Task::id)
                    .doesNotContain(finished.task().id(), dead.task().id());
            unfinished.addAll(outbox.claimTasks());
            assertThat(tasks).extracting(Task::id).hasSize(1098);
            assertThat(tasks).containsExactlyInAnyOrderElementsOf(unfinished);
        });
    }

    @Test
    @DisplayName("authors who ever published have a last append")
    void onlyPublishers() {
        outbox.publish(post("bob", 1), post("amy", 1));
        outbox.delete(new PostKey("silent", "unseen"));
        List<String> authors = List.of("amy", "unknown", "bob", "silent", "amy");
        assertThat(outbox.outbox().lastAppended(authors)).containsOnlyKeys("amy", "bob");
        assertThat(outbox.outbox().lastAppended(List.of())).isEmpty();
    }

    @Test
    @DisplayName("lastAppended is the time of the latest append by the store's clock, whatever the post's own time")
    void lastAppended() {
        long before = kit.now();
        outbox.publish(post("bob", 2));
        long after = kit.now();
        assertThat(outbox.lastAppended("bob")).isBetween(before, after);
        kit.tick();
        long backdated = kit.now();
        outbox.publish(post("bob", 1));
        assertThat(outbox.lastAppended("bob")).isBetween(backdated, kit.now());
    }

    @Test
    @DisplayName("neither an append that changes nothing nor the deletion of another post changes lastAppended")
    void lastAppendedStays() {
        outbox.publish(posts("bob", 2));
        kit.tick();
        outbox.publish(post("bob", 3));
        long appended = outbox.lastAppended("bob");
        kit.tick();
        outbox.append(post("bob", 1));
        outbox.delete(post("bob", 2).key());
        outbox.append(post("bob", 2));
        assertThat(outbox.lastAppended("bob")).isEqualTo(appended);
    }

    @Test
    @DisplayName("what was appended since a time is found, whatever the posts' own times, down to a position")
    void appendedSince() {
        outbox.publish(post("bob", 5), post("amy", 5), post("cat", 5));
        outbox.delete(post("bob", 5).key());
        kit.outlast();
        long since = kit.now();
        // In one call, so that no mover comes in between.
        outbox.publish(post("bob", 6), post("bob", 4), post("bob", 1), post("amy", 7), post("amy", 6));
        List<Optional<List<Post>>> found = outbox.outbox()
                .appendedSince(List.of("amy", "bob", "cat", "unknown"), since, Position.of(post("bob", 4)), 2);
        assertThat(found).hasSize(4);
        assertThat(found.get(0).orElse(posts("amy", 7))).contains(post("amy", 6), post("amy", 7));
        found.get(1)
                .ifPresent(posts -> assertThat(posts)
                        .contains(post("bob", 6), post("bob", 4))
                        .doesNotContain(post("bob", 5), post("bob", 1)));
        assertThat(found.get(2).orElse(List.of())).isSubsetOf(post("cat", 5));
        assertThat(found.get(3)).contains(List.of());
        assertThat(outbox.outbox().appendedSince(List.of("amy"), since, Position.LOWEST, 1))
                .containsExactly(Optional.empty());
        assertThat(outbox.outbox().appendedSince(List.of(), since, Position.LOWEST, 1))
                .isEmpty();
    }

    @Test
    @DisplayName("what was deleted since a time is found, or the outbox says that it does not know")
    void deletedSince() {
        outbox.publish(posts("bob", 5));
        outbox.publish(posts("amy", 1));
        outbox.delete(post("bob", 1).key());
        kit.outlast();
        long since = kit.now();
        List<String> authors = List.of("bob", "amy", "unknown");
        assertDeleted(outbox.outbox().deletedSince(authors, since, 2), Set.of());
        outbox.delete(post("bob", 2).key());
        outbox.delete(post("bob", 2).key());
        outbox.delete(post("bob", 3).key());
        assertDeleted(
                outbox.outbox().deletedSince(authors, since, 2),
                Set.of(post("bob", 2).key(), post("bob", 3).key()));
        assertDeleted(outbox.outbox().deletedSince(Set.of("amy"), since, 2), Set.of());
        outbox.delete(post("bob", 4).key());
        assertThat(outbox.outbox().deletedSince(authors, since, 2)).isEmpty();
        assertDeleted(outbox.outbox().deletedSince(List.of(), since, 2), Set.of());
    }

    private static void assertDeleted(Optional<Set<PostKey>> answer, Set<PostKey> deleted) {
        // An answer may have more keys, but none of posts that were never deleted: each costs a lookup.
        answer.ifPresent(keys -> assertThat(keys)
                .containsAll(deleted)
                .doesNotContain(post("bob", 5).key(), post("amy", 1).key()));
    }

    @Test
    @DisplayName("a post ahead of the store's clock is visible at once, or at its time if the outbox says so")
    void ahead() {
        Post post = Post.of("bob", "ahead", kit.now() + kit.shortTime().toMillis());
        boolean held = outbox.outbox().holdsBack();
        assertThat(outbox.append(post)).isEqualTo(new Appended(Status.NEW, post, held));
        assertThat(outbox.append(post).status()).isEqualTo(Status.SAME);
        assertThat(outbox.exists(post.key())).isTrue();
        assertThere(held ? List.of() : List.of(post));
        assertThat(outbox.claimTasks()).hasSize(held ? 0 : 1);
        assertThat(outbox.log().hasten(1)).isZero();
        kit.outlast();
        assertThere(List.of(post));
        assertThat(outbox.claimTasks()).hasSize(held ? 1 : 0);
    }

    private void assertThere(List<Post> posts) {
        assertThat(outbox.posts("bob")).isEqualTo(posts);
        assertThat(outbox.page(Set.of("bob"), PositionRange.ALL, Order.NEWEST_FIRST, 2))
                .isEqualTo(posts);
        assertThat(outbox.count("bob")).isEqualTo(posts.size());
        assertThat(outbox.outbox().lastAppended(Set.of("bob"))).hasSize(posts.size());
    }

    @Test
    @DisplayName("appends and deletions that change nothing are not counted")
    void countIsExact() {
        outbox.publish(posts("bob", 5));
        outbox.append(post("bob", 1));
        outbox.delete(post("bob", 1).key());
        outbox.delete(post("bob", 1).key());
        outbox.delete(post("bob", 77).key());
        outbox.append(post("bob", 1));
        assertThat(outbox.count("bob")).isEqualTo(4);
    }
}

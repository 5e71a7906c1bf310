package io.feedkit.testkit.internal.outbox;

import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.Published.Status;
import io.feedkit.spi.FanoutLog.Kind;
import io.feedkit.spi.FanoutLog.Task;
import io.feedkit.spi.KeyRange;
import io.feedkit.spi.Order;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import io.feedkit.testkit.internal.RegisterSnapshot;
import io.feedkit.testkit.internal.Samples;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Tombstones, and the tasks that remove a post from the inboxes. */
public abstract class OutboxDeleteRules extends OutboxRules {

    protected OutboxDeleteRules(OutboxKit kit) {
        super(kit);
    }

    @Test
    @DisplayName("a deleted post is in no answer, and the author's other posts stay")
    void gone() {
        List<Post> posts = posts("bob", 3);
        outbox.publish(posts);
        assertThat(outbox.delete(posts.get(1).key())).isTrue();
        List<Post> left = List.of(posts.get(2), posts.get(0));
        assertThat(outbox.posts("bob")).isEqualTo(left);
        assertThat(outbox.page(Set.of("bob"), PositionRange.ALL, Order.NEWEST_FIRST, 10))
                .isEqualTo(left);
        assertThat(outbox.exists(posts.get(1).key())).isFalse();
        assertThat(outbox.exists(posts.get(0).key())).isTrue();
        assertThat(outbox.outbox().newest(List.of("bob"), PositionRange.ALL, 10))
                .containsExactly(left);
        assertThat(outbox.count("bob")).isEqualTo(2);
    }

    @Test
    @DisplayName("a deletion comes with a waiting RETRACT task at the post's position, for all followers")
    void recordsTask() {
        Post post = post("bob", 1);
        outbox.publish(post);
        outbox.settle();
        long before = kit.now();
        outbox.delete(post.key());
        long after = kit.now();
        List<Task> tasks = outbox.claimTasks();
        assertThat(tasks).hasSize(1);
        Task task = tasks.get(0);
        assertThat(task.kind()).isEqualTo(Kind.RETRACT);
        assertThat(task.post()).isEqualTo(post);
        assertThat(task.oldest()).isEqualTo(Position.of(post));
        assertThat(task.range()).isEqualTo(KeyRange.ALL);
        assertThat(task.after()).isEmpty();
        assertThat(task.attempts()).isZero();
        assertThat(task.version()).isZero();
        assertThat(task.created()).isBetween(before, after);
    }

    @Test
    @DisplayName("a deleted post is recorded as being retracted")
    void recordsRetraction() {
        outbox.publish(posts("bob", 2));
        outbox.delete(post("bob", 1).key());
        assertThat(RegisterSnapshot.of(outbox.register()).retracting())
                .containsExactly(post("bob", 1).key());
    }

    @Test
    @DisplayName("deleting again finds nothing, and records nothing")
    void deleteAgain() {
        Post post = post("bob", 1);
        outbox.publish(post);
        outbox.delete(post.key());
        outbox.settle();
        outbox.register().retracted(List.of(post.key()));
        assertThat(outbox.delete(post.key())).isFalse();
        assertThat(outbox.nothingDue()).isTrue();
        assertThat(RegisterSnapshot.of(outbox.register()).retracting()).isEmpty();
    }

    @Test
    @DisplayName("an unknown post is tombstoned too: it cannot be published later, and is retracted from inboxes at any"
            + " time of the post")
    void deleteUnseen() {
        Post post = post("bob", 1);
        for (int i = 0; i < 2; i++) {
            assertThat(outbox.delete(post.key())).isFalse();
            assertThat(RegisterSnapshot.of(outbox.register()).retracting()).containsExactly(post.key());
        }
        assertThat(outbox.append(post).status()).isEqualTo(Status.DELETED);
        assertThat(outbox.posts("bob")).isEmpty();
        List<Task> tasks = outbox.claimTasks();
        assertThat(tasks).hasSize(1);
        assertThat(tasks.get(0).kind()).isEqualTo(Kind.RETRACT);
        assertThat(tasks.get(0).key()).isEqualTo(post.key());
        assertThat(tasks.get(0).oldest()).isEqualTo(Position.ofUnknownTime(post.key()));
        assertThat(tasks.get(0).newest()).isEqualTo(Position.ofUnknownTime(post.key()));
    }

    @Test
    @DisplayName("a tombstone does not expire, and stays after the retraction")
    void tombstonesLast() {
        Post seen = post("bob", 1);
        Post unseen = post("bob", 2);
        outbox.publish(seen);
        outbox.delete(seen.key());
        outbox.delete(unseen.key());
        outbox.settle();
        outbox.register().retracted(List.of(seen.key()));
        kit.pass(kit.longTime());
        assertThat(outbox.append(seen).status()).isEqualTo(Status.DELETED);
        assertThat(outbox.append(unseen).status()).isEqualTo(Status.DELETED);
        assertThat(outbox.posts("bob")).isEmpty();
    }

    @Test
    @DisplayName("a tombstone is found, at least until the retraction has ended; posts and unknown keys have none")
    void findsTombstones() {
        Post seen = post("bob", 1);
        Post unseen = post("bob", 2);
        Post kept = post("bob", 3);
        Post never = post("amy", 1);
        List<PostKey> all = List.of(seen.key(), unseen.key(), kept.key(), never.key());
        outbox.publish(seen, kept);
        assertThat(outbox.outbox().tombstones(all)).isEmpty();
        outbox.delete(seen.key());
        outbox.delete(unseen.key());
        assertThat(outbox.outbox().tombstones(all)).containsExactlyInAnyOrder(seen.key(), unseen.key());
        assertThat(outbox.outbox().tombstones(List.of())).isEmpty();
        outbox.settle();
        outbox.register().retracted(List.of(seen.key(), unseen.key()));
        assertThat(outbox.outbox().tombstones(all)).isSubsetOf(seen.key(), unseen.key());
    }

    @Test
    @DisplayName("posts of other authors with the same id, and posts with similar ids, are not affected")
    void othersStay() {
        outbox.publish(Post.of("bob", "7", Samples.EPOCH), Post.of("bob", "007", Samples.EPOCH));
        outbox.publish(Post.of("bo", "b7", Samples.EPOCH), Post.of("amy", "7", Samples.EPOCH));
        assertThat(outbox.delete(new PostKey("bob", "7"))).isTrue();
        assertThat(outbox.posts("bob")).extracting(Post::id).containsExactly("007");
        assertThat(outbox.posts("bo")).hasSize(1);
        assertThat(outbox.posts("amy")).hasSize(1);
        assertThat(outbox.append(Post.of("bob", "07", Samples.EPOCH)).status()).isEqualTo(Status.NEW);
    }

    @Test
    @DisplayName("answer i is for key i, and a key that occurs twice in a batch is deleted once")
    void answersInOrder() {
        outbox.publish(posts("bob", 2));
        outbox.settle();
        PostKey first = post("bob", 1).key();
        PostKey second = post("bob", 2).key();
        assertThat(outbox.outbox().delete(List.of(new PostKey("bob", "unseen"), second, first, second)))
                .containsExactly(false, true, true, false);
        PostKey unseen = new PostKey("bob", "unseen");
        assertThat(outbox.claimTasks())
                .extracting(Task::newest)
                .containsExactlyInAnyOrder(
                        Position.of(post("bob", 1)), Position.of(post("bob", 2)), Position.ofUnknownTime(unseen));
        assertThat(RegisterSnapshot.of(outbox.register()).retracting())
                .containsExactlyInAnyOrder(first, second, unseen);
    }

    @Test
    @DisplayName("an empty batch does nothing")
    void emptyBatch() {
        RegisterSnapshot before = RegisterSnapshot.of(outbox.register());
        assertThat(outbox.outbox().delete(List.of())).isEmpty();
        assertThat(RegisterSnapshot.of(outbox.register())).isEqualTo(before);
        assertThat(outbox.nothingDue()).isTrue();
    }
}

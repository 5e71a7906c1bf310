package io.feedkit.testkit.internal.outbox;

import static io.feedkit.testkit.internal.Samples.AWKWARD_IDS;
import static io.feedkit.testkit.internal.Samples.newestFirst;
import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.Post;
import io.feedkit.Published.Status;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.spi.FanoutLog.Kind;
import io.feedkit.spi.FanoutLog.Task;
import io.feedkit.spi.KeyRange;
import io.feedkit.spi.Outbox.Appended;
import io.feedkit.spi.Outbox.Publication;
import io.feedkit.spi.Position;
import io.feedkit.testkit.internal.Samples;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Appends: a post and its task in one step, once for each key. */
public abstract class OutboxAppendRules extends OutboxRules {

    protected OutboxAppendRules(OutboxKit kit) {
        super(kit);
    }

    @Test
    @DisplayName("an unknown post is NEW, and is stored")
    void appendNew() {
        Post post = post("bob", 1);
        assertThat(outbox.append(post)).isEqualTo(new Appended(Status.NEW, post));
        assertThat(outbox.posts("bob")).containsExactly(post);
        assertThat(outbox.exists(post.key())).isTrue();
    }

    @ParameterizedTest
    @EnumSource(FanoutMode.class)
    @DisplayName(
            "it comes with a waiting task of the mode's kind, at its position, for all followers, from the beginning")
    void appendRecordsTask(FanoutMode mode) {
        Post post = post("bob", 1);
        long before = kit.now();
        outbox.append(post, mode);
        long after = kit.now();
        List<Task> tasks = outbox.claimTasks();
        assertThat(tasks).hasSize(1);
        Task task = tasks.get(0);
        assertThat(task.kind()).isEqualTo(Kind.valueOf(mode.name()));
        assertThat(task.oldest()).isEqualTo(Position.of(post));
        assertThat(task.newest()).isEqualTo(Position.of(post));
        assertThat(task.post()).isEqualTo(post);
        assertThat(task.version()).isZero();
        assertThat(task.range()).isEqualTo(KeyRange.ALL);
        assertThat(task.after()).isEmpty();
        assertThat(task.attempts()).isZero();
        assertThat(task.created()).isBetween(before, after);
    }

    @Test
    @DisplayName("the same key again is SAME with the stored post, keeps the time, and records no second task")
    void appendAgain() {
        Post stored = post("bob", 1);
        outbox.append(stored);
        outbox.settle();
        Post later = Post.of("bob", stored.id(), Samples.EPOCH + 999);
        assertThat(outbox.append(stored)).isEqualTo(new Appended(Status.SAME, stored));
        assertThat(outbox.append(later, FanoutMode.PULL)).isEqualTo(new Appended(Status.SAME, stored));
        assertThat(outbox.posts("bob")).containsExactly(stored);
        assertThat(outbox.nothingDue()).isTrue();
        assertThat(outbox.log().queueStatus().unfinished()).isZero();
    }

    @Test
    @DisplayName("the same id of two authors means two posts")
    void sameIdTwoAuthors() {
        Post bobs = Post.of("bob", "1", Samples.EPOCH);
        Post amys = Post.of("amy", "1", Samples.EPOCH);
        assertThat(outbox.append(bobs).status()).isEqualTo(Status.NEW);
        assertThat(outbox.append(amys).status()).isEqualTo(Status.NEW);
        assertThat(outbox.posts("bob")).containsExactly(bobs);
        assertThat(outbox.posts("amy")).containsExactly(amys);
        assertThat(outbox.claimTasks()).extracting(Task::post).containsExactlyInAnyOrder(bobs, amys);
    }

    @Test
    @DisplayName("a tombstoned post is DELETED, and neither it nor a task is recorded")
    void appendDeleted() {
        Post post = post("bob", 1);
        outbox.publish(post);
        outbox.delete(post.key());
        outbox.settle();
        Post again = Post.of("bob", post.id(), Samples.EPOCH + 999);
        assertThat(outbox.append(again)).isEqualTo(new Appended(Status.DELETED, again));
        assertThat(outbox.append(post)).isEqualTo(new Appended(Status.DELETED, post));
        assertThat(outbox.posts("bob")).isEmpty();
        assertThat(outbox.exists(post.key())).isFalse();
        assertThat(outbox.nothingDue()).isTrue();
    }

    @Test
    @DisplayName("answer i is for publication i, and a key that occurs twice in a batch is NEW, then SAME")
    void answersInOrder() {
        Post stored = post("bob", 1);
        Post deleted = post("bob", 2);
        Post fresh = post("bob", 3);
        Post freshAgain = Post.of("bob", fresh.id(), Samples.EPOCH + 999);
        outbox.publish(stored);
        outbox.delete(deleted.key());
        List<Appended> answers = outbox.outbox()
                .append(List.of(
                        new Publication(deleted, FanoutMode.PUSH),
                        new Publication(fresh, FanoutMode.PULL),
                        new Publication(stored, FanoutMode.PUSH),
                        new Publication(freshAgain, FanoutMode.PUSH)));
        assertThat(answers)
                .containsExactly(
                        new Appended(Status.DELETED, deleted),
                        new Appended(Status.NEW, fresh),
                        new Appended(Status.SAME, stored),
                        new Appended(Status.SAME, fresh));
        assertThat(outbox.claimTasks())
                .extracting(Task::key)
                .containsExactlyInAnyOrder(stored.key(), fresh.key(), deleted.key());
    }

    @Test
    @DisplayName("an empty batch does nothing")
    void emptyBatch() {
        assertThat(outbox.outbox().append(List.of())).isEmpty();
        assertThat(outbox.nothingDue()).isTrue();
    }

    @Test
    @DisplayName("a large batch records every post and every task, each with a valid id of its own")
    void largeBatch() {
        List<Post> posts = posts("bob", 500);
        outbox.publish(posts);
        assertThat(outbox.posts("bob")).isEqualTo(newestFirst(posts));
        List<Task> tasks = outbox.claimTasks();
        assertThat(tasks).extracting(Task::post).containsExactlyInAnyOrderElementsOf(posts);
        assertThat(tasks).extracting(Task::id).doesNotHaveDuplicates().allMatch(id -> id.matches("[!-~]{1,64}"));
    }

    @Test
    @DisplayName("posts may be dated in any order, back to the earliest time and ahead to the latest")
    void anyTime() {
        Post latest = new Post("bob", "1", kit.latest());
        Post earliest = new Post("bob", "2", Post.EARLIEST);
        Post between = post("bob", 3);
        outbox.publish(latest, earliest, between);
        assertThat(outbox.posts("bob")).containsExactly(latest, between, earliest);
        assertThat(outbox.claimTasks()).extracting(Task::post).containsExactlyInAnyOrder(latest, between, earliest);
    }

    @Test
    @DisplayName("awkward ids are returned unchanged, and are separate")
    void awkwardIds() {
        List<Post> posts = new ArrayList<>();
        AWKWARD_IDS.forEach(author -> posts.add(Post.of(author, "1", Samples.EPOCH)));
        AWKWARD_IDS.forEach(id -> posts.add(Post.of("bob", id, Samples.EPOCH)));
        outbox.publish(posts);
        for (String author : AWKWARD_IDS) {
            assertThat(outbox.posts(author)).containsExactly(Post.of(author, "1", Samples.EPOCH));
        }
        assertThat(outbox.posts("bob")).isEqualTo(newestFirst(posts.subList(AWKWARD_IDS.size(), posts.size())));
        assertThat(outbox.claimTasks()).extracting(Task::post).containsExactlyInAnyOrderElementsOf(posts);
        outbox.delete(posts.get(AWKWARD_IDS.indexOf("a")).key());
        assertThat(AWKWARD_IDS)
                .filteredOn(author -> outbox.posts(author).isEmpty())
                .containsExactly("a");
    }

    @Test
    @DisplayName("answers are immutable")
    void immutableAnswers() {
        List<Appended> answers = outbox.outbox().append(List.of(new Publication(post("bob", 1), FanoutMode.PUSH)));
        assertThatThrownBy(answers::clear)
                .as("changing an answer, which must be an immutable snapshot")
                .isInstanceOf(UnsupportedOperationException.class);
    }
}

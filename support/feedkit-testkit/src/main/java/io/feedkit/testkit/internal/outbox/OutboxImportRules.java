package io.feedkit.testkit.internal.outbox;

import static io.feedkit.testkit.internal.Samples.newestFirst;
import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.Published.Status;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.Kind;
import io.feedkit.spi.FanoutLog.Task;
import io.feedkit.spi.Outbox.Appended;
import io.feedkit.spi.Position;
import io.feedkit.testkit.internal.Samples;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Imports: many posts, and tasks that cover all of them. */
public abstract class OutboxImportRules extends OutboxRules {

    protected OutboxImportRules(OutboxKit kit) {
        super(kit);
    }

    private List<Appended> imported(List<Post> posts, FanoutMode mode) {
        return outbox.outbox().appendImported(posts, mode);
    }

    @ParameterizedTest
    @EnumSource(FanoutMode.class)
    @DisplayName("imported posts are stored, and each is covered by a task for all followers")
    void covered(FanoutMode mode) {
        List<Post> posts = new ArrayList<>(posts("bob", 7));
        posts.addAll(posts("amy", 5));
        posts.add(post("cat", 1));
        Collections.shuffle(posts, new Random(2));
        assertThat(imported(posts, mode))
                .isEqualTo(posts.stream()
                        .map(post -> new Appended(Status.NEW, post))
                        .toList());
        for (String author : List.of("bob", "amy", "cat")) {
            assertThat(outbox.posts(author))
                    .isEqualTo(newestFirst(posts.stream()
                            .filter(post -> post.author().equals(author))
                            .toList()));
        }
        List<Task> tasks = outbox.claimTasks();
        for (Post post : posts) {
            assertThat(isCovered(post, mode, tasks)).as("%s in %s", post, tasks).isTrue();
        }
    }

    private static boolean isCovered(Post post, FanoutMode mode, List<Task> tasks) {
        Position place = Position.of(post);
        Set<Kind> kinds =
                mode == FanoutMode.PUSH ? Set.of(Kind.IMPORT, Kind.PUSH) : Set.of(Kind.PULL, Kind.PUSH_ACTIVE);
        return tasks.stream()
                .anyMatch(task -> kinds.contains(task.kind())
                        && task.author().equals(post.author())
                        && task.oldest().compareTo(place) <= 0
                        && place.compareTo(task.newest()) <= 0);
    }

    @ParameterizedTest
    @EnumSource(FanoutMode.class)
    @DisplayName("existing, deleted and repeated posts get the answers of an append, and need no task")
    void again(FanoutMode mode) {
        Post stored = post("bob", 1);
        Post deleted = post("bob", 2);
        Post fresh = post("bob", 3);
        outbox.publish(stored);
        outbox.delete(deleted.key());
        outbox.settle();
        Post later = Post.of("bob", stored.id(), Samples.EPOCH + 999);
        List<Appended> answers = imported(List.of(deleted, fresh, later, fresh), mode);
        assertThat(answers)
                .containsExactly(
                        new Appended(Status.DELETED, deleted),
                        new Appended(Status.NEW, fresh),
                        new Appended(Status.SAME, stored),
                        new Appended(Status.SAME, fresh));
        assertThat(outbox.claimTasks())
                .allSatisfy(task ->
                        assertThat(task.oldest()).isEqualTo(task.newest()).isEqualTo(Position.of(fresh)))
                .hasSize(1);
        outbox.settle();
        assertThat(imported(List.of(stored, deleted, fresh), mode))
                .extracting(Appended::status)
                .containsExactly(Status.SAME, Status.DELETED, Status.SAME);
        assertThat(imported(List.of(), mode)).isEmpty();
        assertThat(outbox.nothingDue()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(
            value = FanoutMode.class,
            names = {"PUSH", "PULL"})
    @DisplayName("the settled mark stays behind them until their tasks are finished")
    void settled(FanoutMode mode) {
        imported(posts("bob", 3), mode);
        long appended = outbox.outbox().lastAppended(List.of("bob")).getOrDefault("bob", Long.MAX_VALUE);
        kit.outlast();
        assertThat(outbox.outbox().settledMark()).isLessThanOrEqualTo(appended);
        List<Claim> claims = outbox.claimAll();
        assertThat(outbox.outbox().settledMark()).isLessThanOrEqualTo(appended);
        claims.forEach(outbox::finish);
        kit.outlast();
        assertThat(outbox.outbox().settledMark()).isGreaterThan(appended);
    }

    @Test
    @DisplayName("one call imports very many posts of one author or of many authors")
    void many() {
        List<Post> posts = new ArrayList<>(posts("bob", 700));
        for (int author = 0; author < 300; author++) {
            posts.add(post("author-" + author, 1));
        }
        assertThat(imported(posts, FanoutMode.PUSH))
                .extracting(Appended::status)
                .containsOnly(Status.NEW);
        assertThat(outbox.posts("bob")).hasSize(700);
        assertThat(outbox.exists(post("author-299", 1).key())).isTrue();
    }
}

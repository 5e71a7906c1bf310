package io.feedkit.testkit.internal.outbox;

import static io.feedkit.testkit.internal.Samples.newestFirst;
import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static io.feedkit.testkit.internal.Samples.shuffled;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.Published.Status;
import io.feedkit.spi.FanoutLog.Kind;
import io.feedkit.spi.FanoutLog.Task;
import io.feedkit.spi.Outbox.Appended;
import io.feedkit.testkit.internal.Race;
import io.feedkit.testkit.internal.RegisterSnapshot;
import io.feedkit.testkit.internal.Samples;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each append and each deletion is one step, also with concurrent threads. */
@Tag("concurrency")
public abstract class OutboxConcurrencyRules extends OutboxRules {

    protected OutboxConcurrencyRules(OutboxKit kit) {
        super(kit);
    }

    @Test
    @DisplayName("if many threads append one key at once, one is NEW, and all get the stored post")
    void sameKey() {
        for (int round = 0; round < kit.rounds(); round++) {
            String id = "race-" + round;
            List<Appended> answers =
                    Race.run(kit.threads(), thread -> outbox.append(Post.of("bob", id, Samples.EPOCH + thread)));
            assertThat(answers).extracting(Appended::status).containsOnlyOnce(Status.NEW);
            assertThat(answers).extracting(Appended::status).containsOnly(Status.NEW, Status.SAME);
            Post stored = answers.stream()
                    .filter(answer -> answer.status() == Status.NEW)
                    .findFirst()
                    .orElseThrow()
                    .post();
            assertThat(answers).extracting(Appended::post).containsOnly(stored);
        }
        assertThat(outbox.posts("bob")).hasSize(kit.rounds());
        assertThat(outbox.claimTasks()).extracting(Task::post).containsExactlyInAnyOrderElementsOf(outbox.posts("bob"));
    }

    @Test
    @DisplayName("overlapping batches record each post and its task exactly once")
    void overlappingBatches() {
        List<Post> posts = posts("bob", 100);
        List<Long> created = Race.run(kit.threads(), thread -> {
            long count = 0;
            List<Post> order = shuffled(posts, thread);
            for (int i = 0; i < order.size(); i += 10) {
                count += order.subList(i, i + 10).stream()
                        .filter(post -> outbox.append(post).status() == Status.NEW)
                        .count();
            }
            return count;
        });
        assertThat(created.stream().mapToLong(Long::longValue).sum()).isEqualTo(100);
        assertThat(outbox.posts("bob")).isEqualTo(newestFirst(posts));
        assertThat(outbox.claimTasks()).extracting(Task::post).containsExactlyInAnyOrderElementsOf(posts);
        assertThat(outbox.count("bob")).isEqualTo(100);
    }

    @Test
    @DisplayName("if many threads delete a post at once, one finds it, and one retraction is recorded")
    void sameDeletion() {
        for (int round = 0; round < kit.rounds(); round++) {
            Post post = post("bob", round);
            outbox.publish(post);
            outbox.settle();
            assertThat(Race.run(kit.threads(), thread -> outbox.delete(post.key())))
                    .containsOnlyOnce(true);
            assertThat(outbox.claimTasks()).extracting(Task::kind).containsExactly(Kind.RETRACT);
        }
    }

    @Test
    @DisplayName("a post that is appended and deleted concurrently is gone, and is retracted")
    void appendAndDelete() {
        for (int round = 0; round < kit.rounds(); round++) {
            Post post = post("bob", round);
            PostKey key = post.key();
            List<Boolean> results = Race.run(
                    2, thread -> thread == 0 ? outbox.append(post).status() == Status.NEW : outbox.delete(key));
            boolean published = results.get(0);
            boolean deleted = results.get(1);
            assertThat(deleted)
                    .as("deleted, given that it was published: %s", published)
                    .isEqualTo(published);
            assertThat(outbox.exists(key)).isFalse();
            assertThat(outbox.append(post).status()).isEqualTo(Status.DELETED);
            assertThat(outbox.claimTasks())
                    .extracting(Task::kind)
                    .containsExactlyInAnyOrderElementsOf(
                            published ? List.of(Kind.PUSH, Kind.RETRACT) : List.of(Kind.RETRACT));
            assertThat(RegisterSnapshot.of(outbox.register()).retracting()).contains(key);
        }
    }

    @Test
    @DisplayName("the worker that claims a task finds its post, and every post's task is claimed")
    void postsAndTasksAppearTogether() {
        List<Post> posts = posts("bob", 150);
        List<Post> claimed = new CopyOnWriteArrayList<>();
        Race.beside(50, 3, step -> outbox.append(posts.get(step)), look -> claimed.addAll(claimedAndFound()));
        claimed.addAll(claimedAndFound());
        assertThat(claimed).containsExactlyInAnyOrderElementsOf(posts);
    }

    private List<Post> claimedAndFound() {
        List<Post> claimed = outbox.claimTasks().stream().map(Task::post).toList();
        assertThat(claimed)
                .allSatisfy(post -> assertThat(outbox.exists(post.key())).isTrue());
        return claimed;
    }

    @Test
    @DisplayName("the settled mark never passes a post whose task is not finished")
    void markAndAppend() {
        Race.beside(
                50,
                3,
                step -> {
                    outbox.append(post("bob", step));
                    kit.tick();
                },
                look -> {
                    outbox.settle();
                    long mark = outbox.outbox().settledMark();
                    long oldest = outbox.log().invisibleSince();
                    assertThat(oldest == 0 || mark <= oldest)
                            .as("mark %s is at or before the oldest unfinished task of %s", mark, oldest)
                            .isTrue();
                });
    }
}

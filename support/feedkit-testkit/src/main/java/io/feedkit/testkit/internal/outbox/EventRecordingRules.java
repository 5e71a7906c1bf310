package io.feedkit.testkit.internal.outbox;

import static io.feedkit.testkit.internal.Samples.AWKWARD_IDS;
import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.feedkit.Post;
import io.feedkit.Published.Status;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.queue.PostEvent;
import io.feedkit.spi.FanoutLog.Kind;
import io.feedkit.spi.FanoutLog.Task;
import io.feedkit.spi.Outbox.Publication;
import io.feedkit.spi.TransactionalOutbox;
import io.feedkit.testkit.internal.Race;
import io.feedkit.testkit.internal.Samples;
import io.feedkit.testkit.internal.outbox.TransactionalKit.OpenTransaction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Events of posts: one for each publish and each delete, in the same step. */
public abstract class EventRecordingRules extends EventRules {

    protected EventRecordingRules(TransactionalKit kit) {
        super(kit);
    }

    private OutboxWriterDriver joining(OpenTransaction transaction) {
        return new OutboxWriterDriver(((TransactionalOutbox) outbox.outbox()).joining(transaction.handle()));
    }

    @ParameterizedTest
    @EnumSource(FanoutMode.class)
    @DisplayName("a new post has an event that refers to it, whatever its mode, in addition to its task")
    void created(FanoutMode mode) {
        Post post = post("bob", 1);
        long before = kit.now();
        outbox.append(post, mode);
        long after = kit.now();
        List<PostEvent> events = claimEvents();
        assertThat(events)
                .extracting(PostEvent::type, PostEvent::post)
                .containsExactly(tuple(PostEvent.Type.CREATED, post));
        assertThat(events.get(0).id()).matches("[!-~]{1,64}");
        assertThat(events.get(0).recordedAt()).isBetween(Instant.ofEpochMilli(before), Instant.ofEpochMilli(after));
        assertThat(outbox.claimTasks()).extracting(Task::kind).containsExactly(Kind.valueOf(mode.name()));
    }

    @Test
    @DisplayName("a deleted post has another event, which still has the post's time, in addition to its task")
    void deleted() {
        Post post = post("bob", 1);
        outbox.publish(post);
        String created = claimEvents().get(0).id();
        outbox.settle();
        outbox.delete(post.key());
        List<PostEvent> events = claimEvents();
        assertThat(events)
                .extracting(PostEvent::type, PostEvent::post)
                .containsExactly(tuple(PostEvent.Type.DELETED, post));
        assertThat(events.get(0).id()).isNotEqualTo(created);
        assertThat(outbox.claimTasks()).extracting(Task::kind).containsExactly(Kind.RETRACT);
    }

    @Test
    @DisplayName("a post that is published again, before or after its delete, has no second event")
    void publishedAgain() {
        Post post = post("bob", 1);
        outbox.publish(post);
        settleEvents();
        assertThat(outbox.append(post).status()).isEqualTo(Status.SAME);
        assertThat(nothingWaits()).isTrue();
        outbox.delete(post.key());
        settleEvents();
        assertThat(outbox.append(post).status()).isEqualTo(Status.DELETED);
        assertThat(nothingWaits()).isTrue();
    }

    @Test
    @DisplayName("a post that is deleted again, or that was never published, has no event of a delete")
    void deletedAgain() {
        Post post = post("bob", 1);
        outbox.publish(post);
        outbox.delete(post.key());
        settleEvents();
        outbox.delete(post.key());
        outbox.delete(post("bob", 2).key());
        assertThat(nothingWaits()).isTrue();
        assertThat(outbox.append(post("bob", 2)).status()).isEqualTo(Status.DELETED);
        assertThat(nothingWaits()).isTrue();
    }

    @Test
    @DisplayName("a batch has an event for each new post, and for each delete of an existing post")
    void batches() {
        Post stored = post("bob", 1);
        Post deleted = post("bob", 2);
        Post fresh = post("bob", 3);
        outbox.publish(stored, deleted);
        outbox.delete(deleted.key());
        settleEvents();
        outbox.outbox()
                .append(List.of(
                        new Publication(deleted, FanoutMode.PUSH),
                        new Publication(fresh, FanoutMode.PULL),
                        new Publication(stored, FanoutMode.PUSH),
                        new Publication(fresh, FanoutMode.PUSH)));
        assertThat(claimEvents())
                .extracting(PostEvent::type, PostEvent::post)
                .containsExactly(tuple(PostEvent.Type.CREATED, fresh));
        outbox.outbox()
                .delete(List.of(deleted.key(), fresh.key(), post("bob", 4).key(), stored.key(), fresh.key()));
        assertThat(claimEvents())
                .extracting(PostEvent::type, PostEvent::post)
                .containsExactlyInAnyOrder(tuple(PostEvent.Type.DELETED, fresh), tuple(PostEvent.Type.DELETED, stored));
    }

    @Test
    @DisplayName("a large batch has an event for each post, each with an id of its own")
    void largeBatch() {
        List<Post> posts = posts("bob", 500);
        outbox.publish(posts);
        List<PostEvent> events = claimEvents();
        assertThat(events).extracting(PostEvent::post).containsExactlyInAnyOrderElementsOf(posts);
        assertThat(events).extracting(PostEvent::id).doesNotHaveDuplicates();
    }

    @Test
    @DisplayName("awkward ids and the earliest and latest times are returned unchanged")
    void awkward() {
        List<Post> posts = new ArrayList<>();
        AWKWARD_IDS.forEach(author -> posts.add(Post.of(author, "1", Samples.EPOCH)));
        AWKWARD_IDS.forEach(id -> posts.add(Post.of("bob", id, Samples.EPOCH)));
        posts.add(new Post("bob", "latest", kit.latest()));
        posts.add(new Post("bob", "earliest", Post.EARLIEST));
        outbox.publish(posts);
        assertThat(claimEvents()).extracting(PostEvent::post).containsExactlyInAnyOrderElementsOf(posts);
        outbox.outbox().delete(posts.stream().map(Post::key).toList());
        assertThat(claimEvents()).extracting(PostEvent::post).containsExactlyInAnyOrderElementsOf(posts);
    }

    @Test
    @DisplayName("the outbox itself records no events, and has the same posts and tasks")
    void onlyThisView() {
        OutboxDriver plain = new OutboxDriver(kit.outbox());
        plain.publish(post("bob", 1), post("bob", 2));
        plain.delete(post("bob", 1).key());
        assertThat(nothingWaits()).isTrue();
        assertThat(outbox.posts("bob")).containsExactly(post("bob", 2));
        outbox.delete(post("bob", 2).key());
        assertThat(plain.posts("bob")).isEmpty();
        assertThat(plain.claimTasks()).hasSize(4);
        assertThat(claimEvents()).extracting(PostEvent::type).containsExactly(PostEvent.Type.DELETED);
    }

    @Test
    @DisplayName("events of a transaction wait to be sent after its commit, and not before")
    void committed() {
        outbox.publish(post("amy", 1));
        settleEvents();
        OpenTransaction transaction = kit.begin();
        joining(transaction).publish(post("bob", 1));
        joining(transaction).publish(posts("cid", 3));
        joining(transaction).delete(post("cid", 1).key());
        joining(transaction).delete(post("amy", 1).key());
        assertThat(joining(transaction).append(post("bob", 1)).status()).isEqualTo(Status.SAME);
        assertThat(nothingWaits()).isTrue();
        transaction.commit().run();
        assertThat(claimEvents())
                .extracting(PostEvent::type, PostEvent::post)
                .containsExactlyInAnyOrder(
                        tuple(PostEvent.Type.CREATED, post("bob", 1)),
                        tuple(PostEvent.Type.CREATED, post("cid", 1)),
                        tuple(PostEvent.Type.CREATED, post("cid", 2)),
                        tuple(PostEvent.Type.CREATED, post("cid", 3)),
                        tuple(PostEvent.Type.DELETED, post("cid", 1)),
                        tuple(PostEvent.Type.DELETED, post("amy", 1)));
    }

    @Test
    @DisplayName("a transaction that rolls back has no events, and neither does the plain outbox in a transaction")
    void rolledBack() {
        outbox.publish(post("amy", 1));
        settleEvents();
        OpenTransaction rolledBack = kit.begin();
        joining(rolledBack).publish(post("bob", 1));
        joining(rolledBack).delete(post("amy", 1).key());
        rolledBack.rollback().run();
        OpenTransaction plain = kit.begin();
        new OutboxWriterDriver(kit.outbox().joining(plain.handle())).publish(post("bob", 2));
        plain.commit().run();
        assertThat(nothingWaits()).isTrue();
        assertThat(log.unsent().events()).isZero();
    }

    @Test
    @Tag("concurrency")
    @DisplayName("if many threads publish or delete one post at once, one of them records an event")
    void once() {
        for (int round = 0; round < kit.rounds(); round++) {
            Post post = post("bob", round);
            Race.run(kit.threads(), thread -> outbox.append(post));
            assertThat(claimEvents()).extracting(PostEvent::type).containsExactly(PostEvent.Type.CREATED);
            Race.run(kit.threads(), thread -> outbox.delete(post.key()));
            assertThat(claimEvents()).extracting(PostEvent::type).containsExactly(PostEvent.Type.DELETED);
        }
    }
}

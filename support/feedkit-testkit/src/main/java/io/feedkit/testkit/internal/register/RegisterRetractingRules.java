package io.feedkit.testkit.internal.register;

import static io.feedkit.testkit.internal.Samples.AWKWARD_IDS;
import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.testkit.internal.RegisterSnapshot;
import io.feedkit.testkit.internal.Samples;
import io.feedkit.testkit.internal.outbox.OutboxKit;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Deleted posts that may still be in inboxes. */
public abstract class RegisterRetractingRules extends RegisterRules {

    protected RegisterRetractingRules(OutboxKit kit) {
        super(kit);
    }

    private Set<PostKey> retracting() {
        return RegisterSnapshot.of(register).retracting();
    }

    @Test
    @DisplayName("a deletion enters the post, until its retraction is reported")
    void untilRetracted() {
        outbox.publish(posts("bob", 3));
        outbox.delete(post("bob", 1).key());
        outbox.delete(post("bob", 2).key());
        assertThat(retracting())
                .containsExactlyInAnyOrder(post("bob", 1).key(), post("bob", 2).key());
        register.retracted(List.of(post("bob", 1).key()));
        assertThat(retracting()).containsExactly(post("bob", 2).key());
    }

    @Test
    @DisplayName("finishing the RETRACT task alone does not remove it")
    void notByTheTask() {
        outbox.publish(post("bob", 1));
        outbox.delete(post("bob", 1).key());
        outbox.settle();
        assertThat(retracting()).containsExactly(post("bob", 1).key());
    }

    @Test
    @DisplayName("reporting retractions is idempotent, and accepts repeated and unknown keys")
    void idempotent() {
        outbox.publish(posts("bob", 2));
        outbox.delete(post("bob", 1).key());
        outbox.delete(post("bob", 2).key());
        PostKey first = post("bob", 1).key();
        register.retracted(List.of());
        register.retracted(List.of(first, new PostKey("bob", "unknown"), first));
        register.retracted(List.of(first));
        assertThat(retracting()).containsExactly(post("bob", 2).key());
    }

    @Test
    @DisplayName("awkward ids are separate")
    void awkwardIds() {
        List<Post> posts = AWKWARD_IDS.stream()
                .map(id -> Post.of("bob", id, Samples.EPOCH))
                .toList();
        List<PostKey> keys = posts.stream().map(Post::key).toList();
        outbox.publish(posts);
        outbox.outbox().delete(keys);
        assertThat(retracting()).containsExactlyInAnyOrderElementsOf(keys);
        for (int i = 0; i < keys.size(); i++) {
            register.retracted(List.of(keys.get(i)));
            assertThat(retracting()).containsExactlyInAnyOrderElementsOf(keys.subList(i + 1, keys.size()));
        }
    }

    @Test
    @DisplayName("pulled authors and posts being retracted do not disturb each other")
    void apart() {
        outbox.publish(posts("bob", 2));
        register.put(List.of(post("bob", 1)));
        outbox.delete(post("bob", 2).key());
        register.retracted(List.of(post("bob", 2).key()));
        assertThat(pulled()).containsOnlyKeys("bob");
        outbox.delete(post("bob", 1).key());
        register.remove("bob", entry("bob").version());
        assertThat(pulled()).isEmpty();
        assertThat(retracting()).containsExactly(post("bob", 1).key());
    }
}

package io.feedkit.testkit.internal.outbox;

import static io.feedkit.testkit.internal.Samples.posts;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.testkit.internal.Race;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A source of truth has one identity. */
public abstract class OutboxIdentityRules extends OutboxRules {

    protected OutboxIdentityRules(OutboxKit kit) {
        super(kit);
    }

    @Test
    @DisplayName("the identity has 1 to 64 characters a-z, A-Z, 0-9, - and _")
    void characters() {
        assertThat(kit.outbox().identity()).matches("[a-zA-Z0-9_-]{1,64}");
    }

    @Test
    @DisplayName("the identity stays the same, whatever is published and deleted")
    void stable() {
        String identity = kit.outbox().identity();
        posts("bob", 3).forEach(post -> {
            outbox.publish(post);
            outbox.delete(post.key());
        });
        assertThat(kit.outbox().identity()).isEqualTo(identity);
    }

    @Test
    @DisplayName("the view that records events has the identity of the outbox")
    void recordingEvents() {
        kit.outbox()
                .recordingEvents()
                .ifPresent(recording -> assertThat(recording.outbox().identity())
                        .isEqualTo(kit.outbox().identity()));
    }

    @Test
    @Tag("concurrency")
    @DisplayName("all concurrent callers get the same identity")
    void race() {
        assertThat(Race.run(kit.threads(), thread -> kit.outbox().identity()))
                .containsOnly(kit.outbox().identity());
    }
}

package io.feedkit.testkit.model;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.testkit.SettableClock;
import io.feedkit.testkit.oracle.OracleFeed;
import java.util.Optional;

/** Edits of the host in its own table of posts. They do nothing if the outbox has no such table. */
final class Edits {

    private final Optional<RestorableOutbox> outbox;
    private final OracleFeed oracle;
    private final ExpectedPosts expected;
    private final SettableClock clock;

    Edits(Optional<RestorableOutbox> outbox, OracleFeed oracle, ExpectedPosts expected, SettableClock clock) {
        this.outbox = outbox;
        this.oracle = oracle;
        this.expected = expected;
        this.clock = clock;
    }

    /**
     * Changes the time of a post. Until an inbox is compared with the outboxes, it may hold the post at its old time.
     */
    void edit(Step.Edit step) {
        Post moved = Post.of(step.author(), step.id(), clock.millis() + step.offset());
        Optional<Post> before = oracle.post(new PostKey(step.author(), step.id()));
        if (outbox.isEmpty() || before.isEmpty() || before.get().equals(moved)) {
            return;
        }
        outbox.get().edit(moved);
        oracle.move(moved);
        expected.moved(before.get());
    }
}

package io.feedkit.internal.fanout.batch;

import io.feedkit.internal.host.EngineSettings;
import java.util.List;

/**
 * Processes the next batch of followers of several tasks together. One call fetches the follower pages of all tasks.
 * If much room is left, a second call fetches more followers. One call delivers the posts; there are two such calls if
 * a task has many posts. Each delivery is followed by a call that checks the tombstones. The batch inserts first,
 * then checks the tombstones, retracts deleted posts, and only then moves the cursors. So it can be repeated from any
 * point. When a task is claimed, the tombstones are also checked before the insertion, so that posts that were deleted
 * long ago do not show for a moment. Thread-safe.
 */
public final class FanoutBatches {

    private final EngineSettings settings;
    private final TaskPosts posts;
    private final UnpushedPosts unpushed;
    private final FollowerPages followers;
    private final InboxWrites inboxes;
    private final BatchSignals signals;

    public FanoutBatches(
            EngineSettings settings,
            TaskPosts posts,
            UnpushedPosts unpushed,
            FollowerPages followers,
            InboxWrites inboxes,
            BatchSignals signals) {
        this.settings = settings;
        this.posts = posts;
        this.unpushed = unpushed;
        this.followers = followers;
        this.inboxes = inboxes;
        this.signals = signals;
    }

    /** Does one batch of each task, until the call is full, and moves its cursor. */
    public FanoutBatch run(List<ClaimedTask> candidates) {
        FanoutBatch batch = new FanoutBatch(settings, candidates);
        posts.choose(batch);
        unpushed.register(batch.done());
        followers.fetch(batch);
        inboxes.insert(batch);
        inboxes.retract(batch);
        signals.send(batch);
        batch.advance();
        return batch;
    }
}

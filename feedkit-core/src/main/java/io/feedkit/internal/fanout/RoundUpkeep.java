package io.feedkit.internal.fanout;

import io.feedkit.internal.cache.PostVisibility;
import io.feedkit.internal.inbox.loss.DeliveryLossRecovery;
import io.feedkit.internal.transaction.CommitWatch;
import io.feedkit.internal.transaction.FollowWatch;

/** What workers look after, beside the tasks. Thread-safe. */
public final class RoundUpkeep {

    private final DeliveryLossRecovery losses;
    private final CommitWatch commits;
    private final FollowWatch follows;
    private final PostVisibility visibility;

    public RoundUpkeep(
            DeliveryLossRecovery losses, CommitWatch commits, FollowWatch follows, PostVisibility visibility) {
        this.losses = losses;
        this.commits = commits;
        this.follows = follows;
        this.visibility = visibility;
    }

    /** Looks after what is due. */
    void lookIfDue() {
        losses.look();
        commits.lookIfDue();
        follows.lookIfDue();
        visibility.lookIfDue();
    }

    /** Looks for transactions of the host that are committed by now. */
    void lookAtHostChanges() {
        commits.look();
        follows.look();
    }
}

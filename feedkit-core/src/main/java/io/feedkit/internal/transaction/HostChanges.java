package io.feedkit.internal.transaction;

import io.feedkit.PostKey;
import io.feedkit.internal.host.EngineSettings;
import java.util.List;

/**
 * What hosts have written in transactions that may be committed by now: posts, which belong in their author's own feed,
 * and follows. Thread-safe.
 */
public final class HostChanges {

    private final boolean looks;
    private final OwnPostDelivery posts;
    private final FollowWatch follows;

    public HostChanges(EngineSettings settings, OwnPostDelivery posts, FollowWatch follows) {
        this.looks = settings.fanout().workers() == 0;
        this.posts = posts;
        this.follows = follows;
    }

    /**
     * Applies the committed changes of readers, before their feeds are read. Without workers, it also looks once for
     * those of other readers that are due.
     */
    public void apply(List<String> readers) {
        for (String reader : readers) {
            follows.apply(reader);
            posts.deliver(reader);
        }
        if (looks) {
            follows.lookIfDue();
        }
    }

    /** Whether the next read of a feed may apply changes. */
    public boolean areRemembered(String reader) {
        return posts.isRemembered(reader) || follows.isRemembered(reader);
    }

    /** Whether the author's next read delivers a post, if it is committed. */
    public boolean isPostRemembered(PostKey key) {
        return posts.isRemembered(key);
    }

    /** Whether the next read applies a follow or unfollow, if it is committed. */
    public boolean isFollowRemembered(String reader, String author, boolean following) {
        return follows.isRemembered(reader, author, following);
    }
}

package io.feedkit.testkit.forwarding;

import io.feedkit.spi.FeedStore;
import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.RankSnapshots;
import io.feedkit.spi.SeenMarks;
import java.util.Optional;

/**
 * A store that passes every call on. Implement {@link #delegate()} and override the calls that should behave
 * differently: a fault, a count, a delay. Overriding one accessor decorates one part. Therefore
 * {@link #outboxForFollowers()} returns the decorated outbox, unless it is overridden too.
 *
 * @since 0.1.0
 */
public interface ForwardingFeedStore extends FeedStore {

    /**
     * The target of the calls.
     *
     * @return the decorated part
     */
    FeedStore delegate();

    @Override
    default Outbox outbox() {
        return delegate().outbox();
    }

    @Override
    default Inbox inbox(InboxLimits limits) {
        return delegate().inbox(limits);
    }

    @Override
    default FollowGraph graph() {
        return delegate().graph();
    }

    @Override
    default SeenMarks seenMarks() {
        return delegate().seenMarks();
    }

    @Override
    default Optional<RankSnapshots> rankSnapshots() {
        return delegate().rankSnapshots();
    }
}

package io.feedkit.internal;

import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.SeenMarks;

/** What the engine's works are made of and share. */
public record Parts(
        Settings settings,
        Inbox inbox,
        Outbox outbox,
        FollowGraph graph,
        SeenMarks seenMarks,
        RegisterView register,
        HeadCache heads,
        Followees followees,
        Events events,
        Doubts doubts,
        OwnPosts ownPosts,
        Uncommitted uncommitted) {

    long now() {
        return settings.clock().millis();
    }
}

package io.feedkit.spi;

import static java.util.Objects.requireNonNull;

import java.util.function.Function;

/**
 * The four parts a feed is kept in. They may come from different backends: inboxes in a fast store and the truth in a
 * durable one is the normal production shape.
 *
 * <p>A store is owned by the host: closing an engine does not close it. Calling an accessor twice gives views of the
 * same data.
 */
public interface FeedStore {

    /**
     * The truth: posts, tombstones, fan-out log and pulled register.
     *
     * @return the outbox
     */
    Outbox outbox();

    /**
     * The truth for an engine that pushes posts to the followers in {@link #graph()}, and to nobody else. A store that
     * has both in one place need not record the task of a {@link io.feedkit.fanout.FanoutMode#PUSH PUSH} by an author
     * who has no followers and is not in the pulled register, for the end of a push takes authors out of that. It must
     * see both in one step with the append: whoever begins to follow after that finds the post here.
     *
     * @return a view of the same data as {@link #outbox()}, which it is by default
     */
    default Outbox outboxForFollowers() {
        return outbox();
    }

    /**
     * The accelerator: what was pushed to each reader.
     *
     * @param limits the cap and the live window that this view applies in everything it does
     * @return a view of the inboxes
     */
    Inbox inbox(InboxLimits limits);

    /**
     * Who follows whom.
     *
     * @return the graph; a {@link WritableFollowGraph} if FeedKit may write it
     */
    FollowGraph graph();

    /**
     * How far each reader has seen the feed.
     *
     * @return the unread counter
     */
    SeenMarks seenMarks();

    /**
     * Composes a store of parts.
     *
     * @param outbox the truth
     * @param inbox gives the view of the inboxes for some limits
     * @param graph who follows whom
     * @param seenMarks how far readers have seen
     * @return a store that hands out exactly these parts
     */
    static FeedStore of(Outbox outbox, Function<InboxLimits, Inbox> inbox, FollowGraph graph, SeenMarks seenMarks) {
        requireNonNull(outbox, "outbox");
        requireNonNull(inbox, "inbox");
        requireNonNull(graph, "graph");
        requireNonNull(seenMarks, "seenMarks");
        return new FeedStore() {
            @Override
            public Outbox outbox() {
                return outbox;
            }

            @Override
            public Inbox inbox(InboxLimits limits) {
                return inbox.apply(limits);
            }

            @Override
            public FollowGraph graph() {
                return graph;
            }

            @Override
            public SeenMarks seenMarks() {
                return seenMarks;
            }
        };
    }
}

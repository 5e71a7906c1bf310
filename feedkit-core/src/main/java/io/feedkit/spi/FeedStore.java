package io.feedkit.spi;

import io.feedkit.Beta;
import io.feedkit.health.StorePart;
import io.feedkit.internal.check.Arguments;
import java.util.Optional;
import java.util.function.Function;

/**
 * The four parts that keep a feed, and optionally the orders of ranked feeds. They may come from different backends:
 * usually inboxes are in a fast store, and the source of truth is in a durable one.
 *
 * <p>A store is owned by the host: closing an engine does not close it. Calling an accessor twice gives views of the
 * same data.
 *
 * @since 0.1.0
 */
public interface FeedStore extends StorePart {

    /**
     * The source of truth: posts, tombstones, fan-out log and pulled register.
     *
     * @return the outbox
     */
    Outbox outbox();

    /**
     * The outbox for an engine that pushes posts only to the followers in {@link #graph()}. A store that keeps outbox
     * and graph in one place may leave out the task of a {@link io.feedkit.fanout.FanoutMode#PUSH PUSH}. It may do so
     * only if the author has no followers and is not in the pulled register, because the end of a push takes authors
     * out of the register. The store must check both conditions in one step with the append. A reader who begins to
     * follow after that step finds the post in this outbox.
     *
     * @return a view of the same data as {@link #outbox()}, which it is by default
     */
    default Outbox outboxForFollowers() {
        return outbox();
    }

    /**
     * The inboxes: the posts that were pushed to each reader. They only make reads faster.
     *
     * @param limits the cap and the live window that this view applies in all its operations
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
     * @return the readers' seen marks
     */
    SeenMarks seenMarks();

    /**
     * The orders of ranked feeds. A store without them is complete: each engine then keeps the orders of its own first
     * pages in its memory, and the later pages of a walk must be read by the same engine.
     *
     * @return the snapshots; empty by default
     */
    @Beta
    default Optional<RankSnapshots> rankSnapshots() {
        return Optional.empty();
    }

    /**
     * Composes a store of parts.
     *
     * @param outbox the source of truth
     * @param inbox returns the view of the inboxes for given limits
     * @param graph who follows whom
     * @param seenMarks how far readers have seen
     * @return a store that hands out exactly these parts
     */
    static FeedStore of(Outbox outbox, Function<InboxLimits, Inbox> inbox, FollowGraph graph, SeenMarks seenMarks) {
        return of(outbox, inbox, graph, seenMarks, Optional.empty());
    }

    /**
     * Composes a store of parts, with the orders of ranked feeds.
     *
     * @param outbox the source of truth
     * @param inbox returns the view of the inboxes for given limits
     * @param graph who follows whom
     * @param seenMarks how far readers have seen
     * @param rankSnapshots the orders of ranked feeds, usually in the store of the inboxes
     * @return a store that hands out exactly these parts
     */
    static FeedStore of(
            Outbox outbox,
            Function<InboxLimits, Inbox> inbox,
            FollowGraph graph,
            SeenMarks seenMarks,
            RankSnapshots rankSnapshots) {
        return of(outbox, inbox, graph, seenMarks, Optional.of(Arguments.nonNull("rankSnapshots", rankSnapshots)));
    }

    private static FeedStore of(
            Outbox outbox,
            Function<InboxLimits, Inbox> inbox,
            FollowGraph graph,
            SeenMarks seenMarks,
            Optional<RankSnapshots> rankSnapshots) {
        Arguments.nonNull("outbox", outbox);
        Arguments.nonNull("inbox", inbox);
        Arguments.nonNull("graph", graph);
        Arguments.nonNull("seenMarks", seenMarks);
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

            @Override
            public Optional<RankSnapshots> rankSnapshots() {
                return rankSnapshots;
            }

            @Override
            public String toString() {
                return "FeedStore[" + outbox.getClass().getSimpleName() + ", "
                        + graph.getClass().getSimpleName() + ", "
                        + seenMarks.getClass().getSimpleName() + "]";
            }
        };
    }
}

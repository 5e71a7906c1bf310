package io.feedkit.memory;

import io.feedkit.health.StoreDescription;
import io.feedkit.health.StoreDescription.Data;
import io.feedkit.internal.check.Arguments;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.RankSnapshots;
import io.feedkit.spi.SeenMarks;
import io.feedkit.spi.TransactionalOutbox;
import io.feedkit.spi.WritableFollowGraph;
import java.time.Clock;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;

/**
 * A feed store in the memory of this process: the embedded default, the reference for what the SPI means, and a store
 * for tests. Several engines may share one store. It starts no threads and needs no closing. Its data is lost when the
 * store is discarded.
 *
 * @since 0.1.0
 */
public final class InMemoryFeedStore implements FeedStore {

    private final Clock clock;
    private final MemoryOutbox outbox;
    private final ReaderInboxes inboxes = new ReaderInboxes();
    private final MemoryFollowGraph graph = new MemoryFollowGraph();
    private final MemorySeenMarks seenMarks = new MemorySeenMarks();
    private final MemoryRankSnapshots rankSnapshots;

    private InMemoryFeedStore(Clock clock) {
        this.clock = clock;
        this.outbox = new MemoryOutbox(clock);
        this.rankSnapshots = new MemoryRankSnapshots(clock);
    }

    /**
     * Creates an empty store with the system's clock.
     *
     * @return a new store
     */
    public static InMemoryFeedStore create() {
        return create(Clock.systemUTC());
    }

    /**
     * Creates an empty store.
     *
     * @param clock the store's clock, which measures leases, live windows and the times of appends
     * @return a new store
     */
    public static InMemoryFeedStore create(Clock clock) {
        return new InMemoryFeedStore(Arguments.nonNull("clock", clock));
    }

    @Override
    public TransactionalOutbox outbox() {
        return outbox;
    }

    @Override
    public Inbox inbox(InboxLimits limits) {
        return new MemoryInbox(inboxes, Arguments.nonNull("limits", limits), clock);
    }

    @Override
    public WritableFollowGraph graph() {
        return graph;
    }

    @Override
    public SeenMarks seenMarks() {
        return seenMarks;
    }

    /**
     * {@inheritDoc}
     *
     * <p>All snapshots together take at most 64 MiB: some 10,000 walks of 500 posts. Beyond that, the oldest are
     * removed before their time.
     */
    @Override
    public Optional<RankSnapshots> rankSnapshots() {
        return Optional.of(rankSnapshots);
    }

    /**
     * Begins a transaction that publishes on this store's {@link #outbox()} can join.
     *
     * @return an open transaction
     */
    public InMemoryTransaction begin() {
        return new InMemoryTransaction(outbox);
    }

    @Override
    public List<StoreDescription> describe() {
        return List.of(new StoreDescription(
                EnumSet.range(Data.POSTS, Data.INBOXES),
                "the memory of this process",
                "lost when the process ends",
                List.of()));
    }

    @Override
    public String toString() {
        return "InMemoryFeedStore[" + outbox().identity() + "]";
    }
}

package io.feedkit.internal.host;

import io.feedkit.PostFilter;
import io.feedkit.PublishTransaction;
import io.feedkit.live.LiveBus;
import io.feedkit.queue.PostEventSink;
import io.feedkit.queue.QueuedFanout;
import io.feedkit.spi.InboxCopies;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.PostArchive;
import io.feedkit.spi.PresenceStore;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;

/** An engine's settings; each is documented at its builder method. */
public record EngineSettings(
        String name,
        Clock clock,
        InboxLimits limits,
        boolean ownPosts,
        boolean publishingCountsAsActivity,
        PostFilter filter,
        Duration staleness,
        Duration maxFutureSkew,
        int maxScannedPerPage,
        int unreadCap,
        Duration reconcileInterval,
        Duration maxInboxAge,
        int concurrentRebuilds,
        int readsWithoutInbox,
        Duration staleIfError,
        int maxFollowees,
        int followeeCache,
        Duration followeeAge,
        Duration rankSnapshotAge,
        Fanout fanout,
        Optional<QueuedFanout> queued,
        Optional<PostEventSink> postEvents,
        PublishTransaction.Current transactions,
        boolean startPaused,
        Live live,
        Presence presence,
        Optional<Archive> archive,
        Optional<Copying> copying) {

    /** The time by the engine's clock, in milliseconds. */
    public long now() {
        return clock.millis();
    }

    /** The filter that hides nothing. */
    public static final PostFilter SHOW_ALL = (reader, posts) -> posts;

    /** A host whose transactions are given to each call. */
    public static final PublishTransaction.Current NO_TRANSACTIONS = Optional::empty;

    /**
     * The settings of live feeds.
     *
     * @param busBeat after how long without signals an engine sends a message on the bus
     */
    public record Live(
            Optional<LiveBus> bus,
            Optional<Executor> executor,
            Duration pollInterval,
            int bufferSize,
            Duration busBeat) {

        /** How often engines send, unless a test changes it. */
        public static final Duration BUS_BEAT = Duration.ofSeconds(1);
    }

    /** The settings of the fan-out. */
    public record Fanout(
            int workers,
            Duration lease,
            int batchSize,
            int maxAttempts,
            Duration retryDelay,
            Duration replayHorizon,
            long splitThreshold,
            Duration pollInterval,
            Duration activeWindow,
            int activePushRate) {}

    /**
     * The settings of presence.
     *
     * @param store the host's store; empty for one in this engine's memory
     */
    public record Presence(
            Optional<PresenceStore> store,
            Duration interval,
            Duration onlineWindow,
            Duration lastSeenKept,
            boolean readsCount,
            boolean publishesCount) {}

    /** The second level of inboxes, and how inboxes are copied there. */
    public record Copying(InboxCopies copies, int depth, Duration interval, Duration lifetime) {}

    /** The archive, and how posts move to it. */
    public record Archive(PostArchive archive, Duration after, int batchSize, int postsPerSecond, Duration interval) {

        /** The same settings for another view of the archive. */
        public Archive with(PostArchive view) {
            return new Archive(view, after, batchSize, postsPerSecond, interval);
        }
    }
}

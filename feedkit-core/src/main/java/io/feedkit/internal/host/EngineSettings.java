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
        Publishing publishing,
        Followees followees,
        Inboxes inboxes,
        Reading reading,
        Fanout fanout,
        Live live,
        Presence presence,
        Optional<Archive> archive) {

    /** The time by the engine's clock, in milliseconds. */
    public long now() {
        return clock.millis();
    }

    /** The filter that hides nothing. */
    public static final PostFilter SHOW_ALL = (reader, posts) -> posts;

    /** A host whose transactions are given to each call. */
    public static final PublishTransaction.Current NO_TRANSACTIONS = Optional::empty;

    /** What publishing accepts, and what it does beside recording a post. */
    public record Publishing(
            Duration maxFutureSkew,
            boolean countsAsActivity,
            Optional<PostEventSink> postEvents,
            PublishTransaction.Current transactions) {}

    /**
     * The authors of a feed, and the cache for them.
     *
     * @param ownPosts whether readers are authors of their own feeds
     * @param most the largest number of followees whose posts a feed shows
     * @param cached the number of ids in the cache
     * @param maxAge the age up to which cached followees are used
     */
    public record Followees(boolean ownPosts, int most, int cached, Duration maxAge) {}

    /** The inboxes, and how they are kept complete. */
    public record Inboxes(
            InboxLimits limits,
            Duration reconcileInterval,
            Duration maxAge,
            int concurrentRebuilds,
            int readsWithoutInbox,
            Optional<Copying> copying) {}

    /** The settings of pages and counts. */
    public record Reading(
            PostFilter filter,
            Duration staleness,
            Duration staleIfError,
            int maxScannedPerPage,
            int unreadCap,
            Duration rankSnapshotAge) {}

    /** The settings of the fan-out. */
    public record Fanout(
            int workers,
            Duration pollInterval,
            boolean startPaused,
            Optional<QueuedFanout> queued,
            Tasks tasks,
            ActivePush activePush) {}

    /** How tasks are claimed, done and repeated. */
    public record Tasks(
            Duration lease,
            int batchSize,
            int maxAttempts,
            Duration retryDelay,
            Duration replayHorizon,
            long splitThreshold) {}

    /** How posts are pushed to readers who have read recently. */
    public record ActivePush(Duration window, int rate) {}

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

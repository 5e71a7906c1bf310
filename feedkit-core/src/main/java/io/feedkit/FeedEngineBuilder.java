package io.feedkit;

import static io.feedkit.internal.check.Arguments.between;
import static io.feedkit.internal.check.Arguments.nonNull;

import io.feedkit.event.FeedListener;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.internal.check.Arguments;
import io.feedkit.internal.check.Ids;
import io.feedkit.internal.check.SetOnce;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.live.LiveBus;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.queue.FanoutQueue;
import io.feedkit.queue.PostEventSink;
import io.feedkit.queue.QueuedFanout;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.InboxCopies;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.PostArchive;
import io.feedkit.spi.PresenceStore;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Settings of an engine. Every setting has a default that suits a first version of an application. Each setting may be
 * set once, but there may be several listeners. Engines on one store must agree on {@link #ownPosts},
 * {@link #maxFollowees} and {@link FanoutSettings#lease}, and should agree on {@link #cap} and {@link #liveWindow}. Not
 * thread-safe.
 *
 * <p>Every method throws {@link IllegalArgumentException} if the value is null or out of range, and
 * {@link IllegalStateException} if the setting was set before.
 *
 * @since 0.1.0
 */
public final class FeedEngineBuilder {

    /**
     * Entries an inbox serves: twenty screens or more, which few readers scroll through; older posts come from the
     * outboxes.
     */
    public static final int DEFAULT_CAP = 1000;

    /** How long an inbox stays live after a read: a reader who comes back within a week finds the feed ready. */
    public static final Duration DEFAULT_LIVE_WINDOW = Duration.ofDays(7);

    /**
     * Fan-out threads: a thread waits for the store most of the time, and the second one does small tasks beside a huge
     * one.
     */
    public static final int DEFAULT_WORKERS = 2;

    /** How stale another engine's changes may be on this one: too short for a reader to notice. */
    public static final Duration DEFAULT_STALENESS = Duration.ofSeconds(1);

    /** How far in the future a post may be dated: more than the clocks of any well-kept machines differ. */
    public static final Duration DEFAULT_MAX_FUTURE_SKEW = Duration.ofMinutes(5);

    /** Candidates examined to fill a page from which a filter or a loader has removed posts. */
    public static final int DEFAULT_MAX_SCANNED_PER_PAGE = 1000;

    /** Where counting unread posts ends: a badge does not need larger numbers. */
    public static final int DEFAULT_UNREAD_CAP = 1000;

    /** How often a first-page read checks that an inbox lacks nothing. */
    public static final Duration DEFAULT_RECONCILE_INTERVAL = Duration.ofDays(1);

    /** How old an inbox may become whose reader stays and reads no first page: two reconciliations may be missed. */
    public static final Duration DEFAULT_MAX_INBOX_AGE = Duration.ofDays(2);

    /** Inboxes one engine builds at the same time: enough to warm up, too few to overload the outbox after a flush. */
    public static final int DEFAULT_CONCURRENT_REBUILDS = 16;

    /** Pages and counts read without an inbox at the same time: a few for each core of a database. */
    public static final int DEFAULT_READS_WITHOUT_INBOX = 32;

    /** Followee ids cached, in total: some 10,000 readers with 100 each, in 10 MB if the store shares its strings. */
    public static final int DEFAULT_FOLLOWEE_CACHE = 1_000_000;

    /**
     * How long a page may miss a change of the follow graph that was not reported to the engine: one load of the
     * followees in five minutes costs little.
     */
    public static final Duration DEFAULT_FOLLOWEE_AGE = Duration.ofMinutes(5);

    /** How long a reader can walk through a ranked feed: longer than most visits. */
    public static final Duration DEFAULT_RANK_SNAPSHOT_AGE = Duration.ofMinutes(30);

    /** How long a stopped worker keeps its tasks from others; longer than any store call takes. */
    public static final Duration DEFAULT_LEASE = Duration.ofSeconds(30);

    /** Followers per batch: large enough to fill a pipeline, small enough for others to get their turn. */
    public static final int DEFAULT_BATCH_SIZE = 1000;

    /** Failures in a row after which a task is a dead letter: with the delays between them, 8.5 minutes. */
    public static final int DEFAULT_MAX_ATTEMPTS = 10;

    /** The delay after a first failure; it doubles with each further failure, up to five minutes. */
    public static final Duration DEFAULT_RETRY_DELAY = Duration.ofSeconds(1);

    /**
     * How long finished tasks can be repeated: longer than the period whose pushes a failed-over inbox store may have
     * lost.
     */
    public static final Duration DEFAULT_REPLAY_HORIZON = Duration.ofMinutes(15);

    /** Followers above which a push is cut into ranges for several workers. */
    public static final long DEFAULT_SPLIT_THRESHOLD = 100_000;

    /** How often idle workers look for other engines' tasks. */
    public static final Duration DEFAULT_POLL_INTERVAL = Duration.ofMillis(200);

    /**
     * How long a reader is online after being seen, and how recently a follower must have read to get an active push.
     */
    public static final Duration DEFAULT_ONLINE_WINDOW = Duration.ofHours(3);

    /** How often connected readers are reported: a reader of a dead engine is offline after a minute. */
    public static final Duration DEFAULT_PRESENCE_INTERVAL = Duration.ofSeconds(30);

    /** How long it is known when a reader was last seen: as long as inboxes stay live. */
    public static final Duration DEFAULT_LAST_SEEN_KEPT = Duration.ofDays(7);

    /** Followers per second that one task examines for an active push. */
    public static final int DEFAULT_ACTIVE_PUSH_RATE = 10_000;

    /** How often live feeds look for other engines' changes without a bus: a reader hardly notices a second. */
    public static final Duration DEFAULT_LIVE_POLL_INTERVAL = Duration.ofSeconds(1);

    /** Signals that wait for one subscriber: more than a second's, even if thousands of followees are busy. */
    public static final int DEFAULT_LIVE_BUFFER_SIZE = 256;

    /** The age at which posts move to the archive: few readers scroll down for a month. */
    public static final Duration DEFAULT_ARCHIVE_AGE = Duration.ofDays(30);

    /** Posts that move to the archive with one call: enough to fill a statement, too few to keep locks for long. */
    public static final int DEFAULT_ARCHIVE_BATCH = 500;

    /** Posts per second that one engine moves: 86 million a day, and a small part of what a database writes. */
    public static final int DEFAULT_ARCHIVE_RATE = 1000;

    /** How often an engine looks for posts to archive: their age need not be exact. */
    public static final Duration DEFAULT_ARCHIVE_INTERVAL = Duration.ofHours(1);

    /** How many posts a copy of an inbox has: ten pages of twenty. */
    public static final int DEFAULT_COPY_DEPTH = 200;

    /** How often an inbox is copied: a reader who comes back misses a day at most. */
    public static final Duration DEFAULT_COPY_INTERVAL = Duration.ofDays(1);

    /** How long a copy of an inbox is kept: for readers who come back within a month. */
    public static final Duration DEFAULT_COPY_LIFETIME = Duration.ofDays(30);

    private static final int MOST_COPIED = 10_000;
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private final Function<Clock, FeedStore> store;
    private final SetOnce given = new SetOnce();
    private String name = "feedkit";
    private FanoutPolicy policy = FanoutPolicy.push();
    private final Map<String, FanoutPolicy> namedPolicies = new HashMap<>();
    private Clock clock = Clock.systemUTC();
    private int cap = DEFAULT_CAP;
    private Duration liveWindow = DEFAULT_LIVE_WINDOW;
    private boolean ownPosts;
    private boolean publishingCountsAsActivity;
    private PostFilter filter = EngineSettings.SHOW_ALL;
    private final List<FeedListener> listeners = new ArrayList<>();
    private Duration maxFutureSkew = DEFAULT_MAX_FUTURE_SKEW;
    private int unreadCap = DEFAULT_UNREAD_CAP;
    private int maxFollowees = Integer.MAX_VALUE;
    private final ReadSettings reading = new ReadSettings();
    private final FanoutSettings fanout = new FanoutSettings();
    private final LiveSettings live = new LiveSettings();
    private final PresenceSettings presence = new PresenceSettings();
    private final ArchiveSettings archiving = new ArchiveSettings();
    private final CopySettings copying = new CopySettings();
    private Optional<PostArchive> archive = Optional.empty();
    private Optional<InboxCopies> inboxCopies = Optional.empty();
    private Optional<PresenceStore> presenceStore = Optional.empty();
    private int workers = DEFAULT_WORKERS;
    private Optional<QueuedFanout> queued = Optional.empty();
    private Optional<PostEventSink> postEvents = Optional.empty();
    private PublishTransaction.Current transactions = EngineSettings.NO_TRANSACTIONS;
    private boolean startPaused;

    private FeedEngineBuilder(Function<Clock, FeedStore> store) {
        this.store = store;
    }

    static FeedEngineBuilder on(FeedStore store) {
        FeedStore checked = nonNull("store", store);
        return new FeedEngineBuilder(clock -> checked);
    }

    static FeedEngineBuilder inMemory() {
        return new FeedEngineBuilder(InMemoryFeedStore::create);
    }

    /**
     * Names the engine, for logs and thread names.
     *
     * @param name 1 to 64 visible ASCII characters; {@code feedkit} by default
     * @return this builder
     */
    public FeedEngineBuilder name(String name) {
        this.name = given.once("name", Ids.require("name", name));
        return this;
    }

    /**
     * Decides how posts reach their readers.
     *
     * @param policy the policy; {@link FanoutPolicy#push()} by default
     * @return this builder
     */
    public FeedEngineBuilder policy(FanoutPolicy policy) {
        this.policy = given.once("policy", nonNull("policy", policy));
        return this;
    }

    /**
     * Gives a policy a name, by which {@link FeedEngine#usePolicyOnAllEngines} switches to it. May be called several
     * times. All engines on a store should know the same names.
     *
     * @param name 1 to 64 visible ASCII characters
     * @param policy the policy; until the engines switch to it, {@link #policy(FanoutPolicy)} decides
     * @return this builder
     */
    @Beta
    public FeedEngineBuilder namedPolicy(String name, FanoutPolicy policy) {
        String checked = Ids.require("name", name);
        if (namedPolicies.putIfAbsent(checked, nonNull("policy", policy)) != null) {
            throw new IllegalStateException("namedPolicy " + checked + " was set before");
        }
        return this;
    }

    /**
     * Sets the engine's clock, which stamps posts and ages caches. For {@link FeedEngine#inMemory()} it also measures
     * leases and live windows.
     *
     * @param clock the clock; the system's by default
     * @return this builder
     */
    public FeedEngineBuilder clock(Clock clock) {
        this.clock = given.once("clock", nonNull("clock", clock));
        return this;
    }

    /**
     * Bounds what an inbox serves; at most an eighth more is stored.
     *
     * @param cap entries, 10 to 100,000; {@link #DEFAULT_CAP} by default
     * @return this builder
     */
    public FeedEngineBuilder cap(int cap) {
        this.cap = given.once("cap", between("cap", cap, 10, 100_000));
        return this;
    }

    /**
     * Sets how long an inbox stays live after the reader's last read. A short window pushes to readers who are online,
     * a long one to everybody who comes back.
     *
     * @param liveWindow at least a second; {@link #DEFAULT_LIVE_WINDOW} by default
     * @return this builder
     */
    public FeedEngineBuilder liveWindow(Duration liveWindow) {
        this.liveWindow = given.once("liveWindow", atLeast("liveWindow", liveWindow, Duration.ofSeconds(1)));
        return this;
    }

    /**
     * Sets whether authors see their own posts in their feeds. If so, they see them at once; for posts of transactions,
     * see {@link FeedEngine#publish(Post, PublishTransaction)}.
     *
     * @param ownPosts false by default
     * @return this builder
     */
    public FeedEngineBuilder ownPosts(boolean ownPosts) {
        this.ownPosts = given.once("ownPosts", ownPosts);
        return this;
    }

    /**
     * Sets whether a publish keeps its author's inbox live, as a read does. Then authors who write but do not read find
     * their feeds ready, and {@link FanoutMode#PUSH_ACTIVE active pushes} reach them. A publish opens no inbox. A
     * publish in a transaction counts when a worker of this engine has noticed the commit. Imported posts do not count.
     *
     * @param publishingCountsAsActivity false by default, because each publish then makes one more inbox call
     * @return this builder
     */
    public FeedEngineBuilder publishingCountsAsActivity(boolean publishingCountsAsActivity) {
        this.publishingCountsAsActivity = given.once("publishingCountsAsActivity", publishingCountsAsActivity);
        return this;
    }

    /**
     * Hides posts from readers whenever a feed is read.
     *
     * @param filter the filter; hides nothing by default
     * @return this builder
     */
    public FeedEngineBuilder filter(PostFilter filter) {
        this.filter = given.once("filter", nonNull("filter", filter));
        return this;
    }

    /**
     * Adds a listener to the events of the engine. There may be any number of listeners. The engine calls them in the
     * order in which they were added. If a listener throws, the failure is logged, and the others are still called.
     *
     * @param listener the listener; none by default
     * @return this builder
     */
    public FeedEngineBuilder listener(FeedListener listener) {
        listeners.add(nonNull("listener", listener));
        return this;
    }

    /**
     * Bounds how far in the future a published post may be dated. A post within the bound is stored with the present
     * time; a later post is refused. Where posts are rows of a host's own table, there is no bound: such a post shows
     * from its time on.
     *
     * @param maxFutureSkew not negative; {@link #DEFAULT_MAX_FUTURE_SKEW} by default
     * @return this builder
     */
    public FeedEngineBuilder maxFutureSkew(Duration maxFutureSkew) {
        this.maxFutureSkew = given.once("maxFutureSkew", atLeast("maxFutureSkew", maxFutureSkew, Duration.ZERO));
        return this;
    }

    /**
     * Bounds how far unread posts are counted.
     *
     * @param unreadCap posts, 1 to 100,000; {@link #DEFAULT_UNREAD_CAP} by default
     * @return this builder
     */
    public FeedEngineBuilder unreadCap(int unreadCap) {
        this.unreadCap = given.once("unreadCap", between("unreadCap", unreadCap, 1, 100_000));
        return this;
    }

    /**
     * Bounds how many followees a feed covers, because the cost of a page without an inbox is proportional to their
     * number. If a reader follows more, the feed has only the posts of the first {@code maxFollowees} followees in the
     * order of their ids. Its pages carry {@link FeedPage.Caveat#SOME_FOLLOWEES}. All engines on a store must agree on
     * this setting.
     *
     * @param maxFollowees at least 1; no bound by default
     * @return this builder
     */
    public FeedEngineBuilder maxFollowees(int maxFollowees) {
        this.maxFollowees = given.once("maxFollowees", between("maxFollowees", maxFollowees, 1, Integer.MAX_VALUE));
        return this;
    }

    /**
     * Sets how feeds are read: caches, bounds, and what happens while a store is down. May be called several times.
     *
     * @param settings changes settings from their defaults: {@code reading -> reading.staleness(Duration.ZERO)}
     * @return this builder
     */
    public FeedEngineBuilder reading(Consumer<ReadSettings> settings) {
        nonNull("settings", settings).accept(reading);
        return this;
    }

    /**
     * Sets how posts are fanned out: leases, batches, retries, and the pace of active pushes. May be called several
     * times.
     *
     * @param settings changes settings from their defaults: {@code fanout -> fanout.batchSize(500)}
     * @return this builder
     */
    public FeedEngineBuilder fanout(Consumer<FanoutSettings> settings) {
        nonNull("settings", settings).accept(fanout);
        return this;
    }

    /**
     * Sets how live feeds work: the bus between engines, and the threads that call subscribers. May be called several
     * times.
     *
     * @param settings changes settings from their defaults: {@code live -> live.bus(bus)}
     * @return this builder
     */
    @Beta
    public FeedEngineBuilder live(Consumer<LiveSettings> settings) {
        nonNull("settings", settings).accept(live);
        return this;
    }

    /**
     * Keeps presence in a store, so that all engines with this store know who is online. The store belongs to the host,
     * who closes it after the engine.
     *
     * @param store the store; by default this engine's memory, so that the engine knows only its own readers
     * @return this builder
     */
    @Beta
    public FeedEngineBuilder presence(PresenceStore store) {
        this.presenceStore = given.once("presence", Optional.of(nonNull("store", store)));
        return this;
    }

    /**
     * Sets when readers count as online. May be called several times.
     *
     * @param settings changes settings from their defaults: {@code presence -> presence.readsCountAsSeen(true)}
     * @return this builder
     */
    @Beta
    public FeedEngineBuilder presence(Consumer<PresenceSettings> settings) {
        nonNull("settings", settings).accept(presence);
        return this;
    }

    /**
     * Moves old posts to an archive. Feeds do not change: pages that go below the posts of the outbox continue in the
     * archive, and archived posts can be deleted and are counted. A thread of the engine moves the posts, unless the
     * engine has no workers; see {@link FeedEngine#archivePosts}.
     *
     * <p>All engines on a store must have the same archive. An engine without it would not find the posts that have
     * moved, so {@link #build} refuses it. The archive belongs to the host, who closes it after the engine. The store's
     * outbox can move posts if it is in SQL or in memory.
     *
     * @param archive the archive; none by default
     * @return this builder
     */
    @Beta
    public FeedEngineBuilder archive(PostArchive archive) {
        this.archive = given.once("archive", Optional.of(nonNull("archive", archive)));
        return this;
    }

    /**
     * Sets when and how fast posts move to the archive. May be called several times.
     *
     * @param settings changes settings from their defaults: {@code archiving -> archiving.after(Duration.ofDays(90))}
     * @return this builder
     */
    @Beta
    public FeedEngineBuilder archiving(Consumer<ArchiveSettings> settings) {
        nonNull("settings", settings).accept(archiving);
        return this;
    }

    /**
     * Adds a second level of inboxes: copies for readers who come back after their inbox has ended. A reader's inbox is
     * copied once a day while the reader is active. Later it is built from the copy and from what was published since,
     * instead of from all followees' posts. Pages do not change.
     *
     * <p>Engines on a store may differ in this setting. The copies belong to the host, who closes them after the
     * engine.
     *
     * @param copies the copies; none by default
     * @return this builder
     */
    @Beta
    public FeedEngineBuilder inboxCopies(InboxCopies copies) {
        this.inboxCopies = given.once("inboxCopies", Optional.of(nonNull("copies", copies)));
        return this;
    }

    /**
     * Sets how inboxes are copied. May be called several times.
     *
     * @param settings changes settings from their defaults: {@code copying -> copying.depth(100)}
     * @return this builder
     */
    @Beta
    public FeedEngineBuilder copying(Consumer<CopySettings> settings) {
        nonNull("settings", settings).accept(copying);
        return this;
    }

    /**
     * Sets how many threads fan posts out. With 0 this engine only publishes and reads, and
     * {@link io.feedkit.fanout.FanoutControl#drain()} or other engines do the rest.
     *
     * @param workers threads, 0 to 256; {@link #DEFAULT_WORKERS} by default
     * @return this builder
     */
    public FeedEngineBuilder workers(int workers) {
        this.workers = given.once("workers", between("workers", workers, 0, 256));
        return this;
    }

    /**
     * As {@link #fanoutQueue(QueuedFanout)}, with the default settings of {@link QueuedFanout}.
     *
     * @param queue the queue; none by default
     * @return this builder
     */
    public FeedEngineBuilder fanoutQueue(FanoutQueue queue) {
        return fanoutQueue(QueuedFanout.over(queue));
    }

    /**
     * Lets this engine's workers receive their tasks through a queue, instead of claiming them from the store. Engines
     * with and without a queue may share a store. If the queue cannot be used, the workers claim from the store until
     * it can. The queue belongs to the host, who closes it after the engine.
     *
     * @param queued the queue, and how this engine uses it; none by default
     * @return this builder
     */
    public FeedEngineBuilder fanoutQueue(QueuedFanout queued) {
        this.queued = given.once("fanoutQueue", Optional.of(nonNull("queued", queued)));
        return this;
    }

    /**
     * Publishes post events to other services. This engine then records an event in the same step as each post that it
     * publishes, imports or deletes, also in transactions of the host. A thread of the engine sends the events to the
     * sink, and deletes those that the sink has confirmed. Engines with a sink on one store share the events.
     *
     * <p>An engine without a sink records nothing. So either all engines that publish to a store must have a sink, or
     * none. The store's outbox can record events if it is in SQL or in memory. The sink belongs to the host, who closes
     * it after the engine.
     *
     * @param postEvents the sink; none by default
     * @return this builder
     */
    public FeedEngineBuilder postEvents(PostEventSink postEvents) {
        this.postEvents = given.once("postEvents", Optional.of(nonNull("postEvents", postEvents)));
        return this;
    }

    /**
     * Lets the engine join the transaction that the calling thread is in. In such a thread:
     *
     * <ul>
     *   <li>{@link FeedEngine#publish(Post)}, {@link FeedEngine#publishAll(java.util.Collection)},
     *       {@link FeedEngine#delete(String, String)} and {@link FeedEngine#deleteAll} join the transaction, as the
     *       methods with a {@link PublishTransaction} do.
     *   <li>Reports of {@link HostGraph} without a transaction are made in the transaction. If the store cannot join
     *       it, they are made after the commit.
     *   <li>If {@link PublishTransaction.Current#afterCommit} is supported, this engine notices the commit at once: its
     *       workers start on the posts, and its readers do not see deleted ones.
     * </ul>
     *
     * <p>All other methods, such as {@link FeedEngine#importPosts} and {@link FeedEngine#follow}, write on their own.
     *
     * @param transactions finds the transaction; by default, a call joins only a transaction that it is given
     * @return this builder
     */
    @Beta
    public FeedEngineBuilder transactions(PublishTransaction.Current transactions) {
        this.transactions = given.once("transactions", nonNull("transactions", transactions));
        return this;
    }

    /**
     * Sets whether the workers wait for {@link io.feedkit.fanout.FanoutControl#resume}. Until then they claim no task,
     * as after {@link io.feedkit.fanout.FanoutControl#pause}, and nothing is sent to a queue or to a
     * {@link PostEventSink}. It suits hosts whose listeners are not ready when the engine is built.
     *
     * @param startPaused false by default: the workers start with the engine
     * @return this builder
     */
    @Beta
    public FeedEngineBuilder startPaused(boolean startPaused) {
        this.startPaused = given.once("startPaused", startPaused);
        return this;
    }

    /**
     * Makes the engine and starts its workers.
     *
     * @return the engine
     * @throws IllegalArgumentException if {@link #postEvents} is set, and the store's outbox cannot record events, or
     *     if {@link #fanoutQueue} is set, and its log cannot lend tasks, or if {@link ReadSettings#maxInboxAge} is
     *     shorter than {@link ReadSettings#reconcileInterval}, or if {@link #archive} is set, and the store's outbox
     *     keeps all posts, or the archive is the outbox, or {@link ArchiveSettings#after} is not longer than the
     *     {@link FanoutSettings#replayHorizon} and the {@link FanoutSettings#lease}, or if {@link #archive} is not set,
     *     but {@link #archiving} is, or posts of the store may have moved to an archive
     * @throws StoreUnavailableException if the source of truth cannot be reached
     * @throws ForeignStoreException if the inboxes or the archive belong to another source of truth. If the inboxes
     *     cannot be reached
     *     yet, the engine starts, and calls that need them fail until they were checked
     */
    public FeedEngine build() {
        if (inboxCopies.isEmpty() && copying.given.any()) {
            throw new IllegalArgumentException("inboxCopies must be set if settings of copying are set");
        }
        if (archive.isEmpty() && archiving.given.any()) {
            throw new IllegalArgumentException("archive must be set if settings of archiving are set");
        }
        EngineSettings settings = new EngineSettings(
                name,
                clock,
                new EngineSettings.Publishing(maxFutureSkew, publishingCountsAsActivity, postEvents, transactions),
                new EngineSettings.Followees(ownPosts, maxFollowees, reading.followeeCache, reading.followeeAge),
                new EngineSettings.Inboxes(
                        new InboxLimits(cap, liveWindow.toMillis()),
                        reading.reconcileInterval,
                        reading.maxInboxAge(),
                        reading.concurrentRebuilds,
                        reading.readsWithoutInbox,
                        inboxCopies.map(this::copySettings)),
                new EngineSettings.Reading(
                        filter,
                        reading.staleness,
                        reading.staleIfError,
                        reading.maxScannedPerPage,
                        unreadCap,
                        reading.rankSnapshotAge),
                fanoutSettings(),
                new EngineSettings.Live(live.bus, live.executor, live.pollInterval, live.bufferSize, live.busBeat),
                new EngineSettings.Presence(
                        presenceStore,
                        presence.interval,
                        presence.onlineWindow,
                        presence.lastSeenKept,
                        presence.readsCountAsSeen,
                        presence.publishesCountAsSeen),
                archive.map(this::archiveSettings));
        return new FeedEngine(store.apply(clock), settings, policy, Map.copyOf(namedPolicies), List.copyOf(listeners));
    }

    private EngineSettings.Fanout fanoutSettings() {
        return new EngineSettings.Fanout(
                workers,
                fanout.pollInterval,
                startPaused,
                queued,
                new EngineSettings.Tasks(
                        fanout.lease,
                        fanout.batchSize,
                        fanout.maxAttempts,
                        fanout.retryDelay,
                        fanout.replayHorizon,
                        fanout.splitThreshold),
                new EngineSettings.ActivePush(
                        fanout.activeWindow.orElse(presence.onlineWindow), fanout.activePushRate));
    }

    private EngineSettings.Copying copySettings(InboxCopies copies) {
        if (copies instanceof Inbox || copies instanceof FeedStore) {
            throw new IllegalArgumentException(
                    "inboxCopies must be a store of its own, but is an inbox or a feed store: "
                            + copies.getClass().getName());
        }
        int depth = copying.depth.orElse(Math.min(cap, DEFAULT_COPY_DEPTH));
        if (depth > cap) {
            throw new IllegalArgumentException("copying.depth must be at most cap (" + cap + "), but is " + depth);
        }
        if (copying.interval.compareTo(liveWindow) > 0) {
            throw new IllegalArgumentException("copying.interval must be at most liveWindow (" + liveWindow
                    + "), but is " + copying.interval + ": most inboxes would end before they are copied");
        }
        Duration least = liveWindow.plus(copying.interval);
        if (copying.lifetime.compareTo(least) <= 0) {
            throw new IllegalArgumentException("copying.lifetime must be longer than liveWindow and copying.interval ("
                    + least + "), but is " + copying.lifetime + ": copies would end before the inboxes");
        }
        return new EngineSettings.Copying(copies, depth, copying.interval, copying.lifetime);
    }

    private EngineSettings.Archive archiveSettings(PostArchive given) {
        requireLonger("fanout.replayHorizon", fanout.replayHorizon);
        requireLonger("fanout.lease", fanout.lease);
        return new EngineSettings.Archive(
                given, archiving.after, archiving.batchSize, archiving.postsPerSecond, archiving.interval);
    }

    private void requireLonger(String setting, Duration value) {
        if (archiving.after.compareTo(value) <= 0) {
            throw new IllegalArgumentException("archiving.after must be longer than " + setting + " (" + value
                    + "), but is " + archiving.after + ": posts must not move while their fan-out may be repeated");
        }
    }

    private static Duration atLeast(String setting, Duration value, Duration least) {
        return between(setting, value, least, LONGEST);
    }

    /**
     * Settings of reads that few hosts need; see {@link FeedEngineBuilder#reading}. Each may be set once. Not
     * thread-safe.
     *
     * <p>Methods throw what those of {@link FeedEngineBuilder} throw.
     */
    public static final class ReadSettings {

        private final SetOnce given = new SetOnce();
        private Duration staleness = DEFAULT_STALENESS;
        private int maxScannedPerPage = DEFAULT_MAX_SCANNED_PER_PAGE;
        private Duration reconcileInterval = DEFAULT_RECONCILE_INTERVAL;
        private Optional<Duration> maxInboxAge = Optional.empty();
        private int concurrentRebuilds = DEFAULT_CONCURRENT_REBUILDS;
        private int readsWithoutInbox = DEFAULT_READS_WITHOUT_INBOX;
        private Duration staleIfError = Duration.ZERO;
        private int followeeCache = DEFAULT_FOLLOWEE_CACHE;
        private Duration followeeAge = DEFAULT_FOLLOWEE_AGE;
        private Duration rankSnapshotAge = DEFAULT_RANK_SNAPSHOT_AGE;

        private ReadSettings() {}

        /**
         * Bounds how stale other engines' pulled posts and deletes may be on this one. With zero every read asks the
         * outbox.
         *
         * @param staleness not negative; {@link #DEFAULT_STALENESS} by default
         * @return these settings
         */
        public ReadSettings staleness(Duration staleness) {
            this.staleness = given.once("staleness", atLeast("staleness", staleness, Duration.ZERO));
            return this;
        }

        /**
         * Bounds how many candidates are examined to fill one page. A page that reaches the bound is short, and its
         * cursor continues from there.
         *
         * @param maxScannedPerPage posts, at least 1; {@link #DEFAULT_MAX_SCANNED_PER_PAGE} by default
         * @return these settings
         */
        public ReadSettings maxScannedPerPage(int maxScannedPerPage) {
            this.maxScannedPerPage = given.once(
                    "maxScannedPerPage", between("maxScannedPerPage", maxScannedPerPage, 1, Integer.MAX_VALUE));
            return this;
        }

        /**
         * Sets how often an active reader's inbox is compared with the outboxes. The first first-page read after this
         * time starts the comparison, and does not wait for it: the engine compares one inbox at a time on a thread of
         * its own. The comparison repairs every difference, from any cause. An engine without workers compares within
         * the read.
         *
         * @param reconcileInterval at least a second; {@link #DEFAULT_RECONCILE_INTERVAL} by default
         * @return these settings
         */
        public ReadSettings reconcileInterval(Duration reconcileInterval) {
            this.reconcileInterval = given.once(
                    "reconcileInterval", atLeast("reconcileInterval", reconcileInterval, Duration.ofSeconds(1)));
            return this;
        }

        /**
         * Sets how old an inbox may become that is not compared at a first page. Readers may stay for weeks and only
         * poll for newer posts, or keep a connection. When such a read, or the renewal of a connected reader's inbox,
         * finds an inbox that was last compared longer ago, the engine compares it in the background, as after
         * {@link #reconcileInterval}. An inbox of a reader who does neither ends with its live window.
         *
         * @param maxInboxAge at least the {@link #reconcileInterval}; by default {@link #DEFAULT_MAX_INBOX_AGE}, or the
         *     {@link #reconcileInterval} if that is longer
         * @return these settings
         */
        @Beta
        public ReadSettings maxInboxAge(Duration maxInboxAge) {
            this.maxInboxAge =
                    Optional.of(given.once("maxInboxAge", atLeast("maxInboxAge", maxInboxAge, Duration.ofSeconds(1))));
            return this;
        }

        /** The age, once all settings are known. */
        private Duration maxInboxAge() {
            Duration age = maxInboxAge.orElse(DEFAULT_MAX_INBOX_AGE);
            if (age.compareTo(reconcileInterval) >= 0) {
                return age;
            }
            if (maxInboxAge.isPresent()) {
                throw new IllegalArgumentException(
                        "maxInboxAge must be at least reconcileInterval (" + reconcileInterval + "), but is " + age);
            }
            return reconcileInterval;
        }

        /**
         * Bounds how many inboxes this engine builds at the same time; further readers are served from the outboxes
         * meanwhile.
         *
         * @param concurrentRebuilds at least 0, which leaves all building to other engines;
         *     {@link #DEFAULT_CONCURRENT_REBUILDS} by default
         * @return these settings
         */
        public ReadSettings concurrentRebuilds(int concurrentRebuilds) {
            this.concurrentRebuilds = given.once(
                    "concurrentRebuilds", between("concurrentRebuilds", concurrentRebuilds, 0, Integer.MAX_VALUE));
            return this;
        }

        /**
         * Sets how many pages and counts at a time are read from the outboxes while the inbox store is down. The bound
         * protects the source of truth, because a page without an inbox costs it many times more. Reads beyond the
         * bound fail at once with a {@link StoreUnavailableException}.
         *
         * @param readsWithoutInbox at least 0, for none; {@link #DEFAULT_READS_WITHOUT_INBOX} by default
         * @return these settings
         */
        public ReadSettings readsWithoutInbox(int readsWithoutInbox) {
            this.readsWithoutInbox = given.once(
                    "readsWithoutInbox", between("readsWithoutInbox", readsWithoutInbox, 0, Integer.MAX_VALUE));
            return this;
        }

        /**
         * Lets pages be served while the source of truth (outboxes, register and follow graph) cannot be reached. They
         * are served from inboxes and from this engine's caches, if the cached data is not older than this setting.
         * Such a page carries {@link FeedPage.Caveat#STALE}. It may lack posts. It may also show posts that were
         * deleted, or whose authors were unfollowed, on other engines since the source of truth last answered. A page
         * for which too little is cached fails with a {@link StoreUnavailableException}, as all pages do by default.
         *
         * @param staleIfError at least 0; with 0, the default, no such page is served
         * @return these settings
         */
        public ReadSettings staleIfError(Duration staleIfError) {
            this.staleIfError = given.once("staleIfError", atLeast("staleIfError", staleIfError, Duration.ZERO));
            return this;
        }

        /**
         * Bounds how many followee ids are cached, over all readers. A quarter of them is for readers who follow very
         * many authors, so that these readers do not displace all others. One such reader is always cached, even with
         * more followees than the cache may hold. {@link FeedEngineBuilder#maxFollowees} bounds their number.
         *
         * @param followeeCache ids, at least 0; {@link #DEFAULT_FOLLOWEE_CACHE} by default
         * @return these settings
         */
        public ReadSettings followeeCache(int followeeCache) {
            this.followeeCache =
                    given.once("followeeCache", between("followeeCache", followeeCache, 0, Integer.MAX_VALUE));
            return this;
        }

        /**
         * Limits how long followees are cached. A reported change of the graph shows at once, on all engines. A change
         * may also go unreported, for example because the host died after the write. Such a change shows when the
         * followees are next loaded: then the first page of the feed is brought in line with the graph.
         *
         * @param followeeAge at least 0, which caches nothing; {@link #DEFAULT_FOLLOWEE_AGE} by default
         * @return these settings
         */
        public ReadSettings followeeAge(Duration followeeAge) {
            this.followeeAge = given.once("followeeAge", atLeast("followeeAge", followeeAge, Duration.ZERO));
            return this;
        }

        /**
         * Limits how long the order of a {@linkplain FeedEngine#ranked ranked} feed is kept, from its first page on. A
         * walk that takes longer ends with a {@link io.feedkit.rank.SnapshotExpiredException}.
         *
         * @param rankSnapshotAge a second to a day; {@link #DEFAULT_RANK_SNAPSHOT_AGE} by default
         * @return these settings
         */
        @Beta
        public ReadSettings rankSnapshotAge(Duration rankSnapshotAge) {
            this.rankSnapshotAge = given.once(
                    "rankSnapshotAge",
                    between("rankSnapshotAge", rankSnapshotAge, Duration.ofSeconds(1), Duration.ofDays(1)));
            return this;
        }
    }

    /**
     * Settings of the fan-out that few hosts need; see {@link FeedEngineBuilder#fanout}. Each may be set once. Not
     * thread-safe.
     *
     * <p>Methods throw what those of {@link FeedEngineBuilder} throw.
     */
    public static final class FanoutSettings {

        private final SetOnce given = new SetOnce();
        private Duration lease = DEFAULT_LEASE;
        private int batchSize = DEFAULT_BATCH_SIZE;
        private int maxAttempts = DEFAULT_MAX_ATTEMPTS;
        private Duration retryDelay = DEFAULT_RETRY_DELAY;
        private Duration replayHorizon = DEFAULT_REPLAY_HORIZON;
        private long splitThreshold = DEFAULT_SPLIT_THRESHOLD;
        private Duration pollInterval = DEFAULT_POLL_INTERVAL;
        private Optional<Duration> activeWindow = Optional.empty();
        private int activePushRate = DEFAULT_ACTIVE_PUSH_RATE;

        private FanoutSettings() {}

        /**
         * Sets how long a stopped worker keeps its tasks from others, and a stopped builder its inbox. The lease must
         * be longer than any call to the store can take. {@link FeedEngine#close} therefore waits no longer than the
         * lease.
         *
         * @param lease at least a second; {@link #DEFAULT_LEASE} by default
         * @return these settings
         */
        public FanoutSettings lease(Duration lease) {
            this.lease = given.once("lease", atLeast("lease", lease, Duration.ofSeconds(1)));
            return this;
        }

        /**
         * Sets how many followers of a post are handled between two checkpoints.
         *
         * @param batchSize followers, 1 to 10,000; {@link #DEFAULT_BATCH_SIZE} by default
         * @return these settings
         */
        public FanoutSettings batchSize(int batchSize) {
            this.batchSize = given.once("batchSize", between("batchSize", batchSize, 1, 10_000));
            return this;
        }

        /**
         * Sets after how many failures in a row a task becomes a dead letter. Failures because a store cannot be
         * reached are counted separately. After this many of them in a row, the author of a push is pulled, so that the
         * post shows. The task keeps waiting, for up to a day. A worker that stops while it holds a task, or cannot
         * give it back, counts as a failure when the lease ends.
         *
         * @param maxAttempts 1 to 1000; {@link #DEFAULT_MAX_ATTEMPTS} by default
         * @return these settings
         */
        public FanoutSettings maxAttempts(int maxAttempts) {
            this.maxAttempts = given.once("maxAttempts", between("maxAttempts", maxAttempts, 1, 1000));
            return this;
        }

        /**
         * Sets the delay after a task's first failure. The delay doubles with each further failure, up to five minutes.
         * While a store cannot be reached, the delay is at least a millisecond.
         *
         * @param retryDelay not negative; {@link #DEFAULT_RETRY_DELAY} by default
         * @return these settings
         */
        public FanoutSettings retryDelay(Duration retryDelay) {
            this.retryDelay = given.once("retryDelay", atLeast("retryDelay", retryDelay, Duration.ZERO));
            return this;
        }

        /**
         * Sets how long finished tasks are kept, so that they can be repeated.
         *
         * @param replayHorizon not negative; {@link #DEFAULT_REPLAY_HORIZON} by default
         * @return these settings
         */
        public FanoutSettings replayHorizon(Duration replayHorizon) {
            this.replayHorizon = given.once("replayHorizon", atLeast("replayHorizon", replayHorizon, Duration.ZERO));
            return this;
        }

        /**
         * Sets above how many followers a push is cut into ranges that several workers do at once.
         *
         * @param splitThreshold followers, at least 1; {@link #DEFAULT_SPLIT_THRESHOLD} by default
         * @return these settings
         */
        public FanoutSettings splitThreshold(long splitThreshold) {
            this.splitThreshold = given.once("splitThreshold", Arguments.atLeast("splitThreshold", splitThreshold, 1));
            return this;
        }

        /**
         * Sets how often idle workers look for other engines' tasks. This engine's own tasks wake its workers at once.
         *
         * @param pollInterval at least a millisecond; {@link #DEFAULT_POLL_INTERVAL} by default
         * @return these settings
         */
        public FanoutSettings pollInterval(Duration pollInterval) {
            this.pollInterval = given.once("pollInterval", atLeast("pollInterval", pollInterval, Duration.ofMillis(1)));
            return this;
        }

        /**
         * Sets how recently a follower's inbox must have been renewed to get an active push. Reads renew it, and so
         * does this engine while the follower is connected.
         *
         * @param activeWindow at least a second; by default the {@link PresenceSettings#onlineWindow}
         * @return these settings
         */
        public FanoutSettings activeWindow(Duration activeWindow) {
            this.activeWindow = Optional.of(
                    given.once("activeWindow", atLeast("activeWindow", activeWindow, Duration.ofSeconds(1))));
            return this;
        }

        /**
         * Limits how many followers per second one active push examines.
         *
         * @param activePushRate followers per second, at least 1; {@link #DEFAULT_ACTIVE_PUSH_RATE} by default
         * @return these settings
         */
        public FanoutSettings activePushRate(int activePushRate) {
            this.activePushRate =
                    given.once("activePushRate", between("activePushRate", activePushRate, 1, Integer.MAX_VALUE));
            return this;
        }
    }

    /**
     * Settings of live feeds; see {@link FeedEngineBuilder#live}. Each may be set once. Not thread-safe.
     *
     * <p>Methods throw what those of {@link FeedEngineBuilder} throw.
     */
    @Beta
    public static final class LiveSettings {

        private final SetOnce given = new SetOnce();
        private Optional<LiveBus> bus = Optional.empty();
        private Optional<Executor> executor = Optional.empty();
        private Duration pollInterval = DEFAULT_LIVE_POLL_INTERVAL;
        private int bufferSize = DEFAULT_LIVE_BUFFER_SIZE;
        private Duration busBeat = EngineSettings.Live.BUS_BEAT;

        private LiveSettings() {}

        /** For tests, which do not wait as long as engines do. */
        void busBeat(Duration busBeat) {
            this.busBeat = busBeat;
        }

        /**
         * Lets engines tell each other at once what changed. All engines of a deployment should use the same bus. The
         * bus belongs to the host, who closes it after the engine.
         *
         * @param bus the bus; without one, an engine polls the store for the changes of other engines
         * @return these settings
         */
        public LiveSettings bus(LiveBus bus) {
            this.bus = given.once("bus", Optional.of(nonNull("bus", bus)));
            return this;
        }

        /**
         * Sets where subscribers are called. A subscription uses one thread at a time, and only while it has events. A
         * subscriber that blocks keeps its thread. The executor belongs to the host.
         *
         * @param executor the executor; by default virtual threads where the JDK has them, otherwise a small pool
         * @return these settings
         */
        public LiveSettings executor(Executor executor) {
            this.executor = given.once("executor", Optional.of(nonNull("executor", executor)));
            return this;
        }

        /**
         * Sets how often an engine looks for other engines' changes while no bus works. Each time it reads the newest
         * entries of the inboxes of all connected readers, 500 in one call, for at most a quarter of the time.
         *
         * @param pollInterval at least 10 milliseconds; {@link #DEFAULT_LIVE_POLL_INTERVAL} by default
         * @return these settings
         */
        public LiveSettings pollInterval(Duration pollInterval) {
            this.pollInterval =
                    given.once("pollInterval", atLeast("pollInterval", pollInterval, Duration.ofMillis(10)));
            return this;
        }

        /**
         * Bounds how many signals wait for one subscriber. A subscriber that is further behind gets a
         * {@link io.feedkit.live.LiveEvent.CatchUp}, and its posts are read from the store as it requests them.
         *
         * @param bufferSize 1 to 100,000; {@link #DEFAULT_LIVE_BUFFER_SIZE} by default
         * @return these settings
         */
        public LiveSettings bufferSize(int bufferSize) {
            this.bufferSize = given.once("bufferSize", between("bufferSize", bufferSize, 1, 100_000));
            return this;
        }
    }

    /**
     * Settings of the archive; see {@link FeedEngineBuilder#archiving}. Each may be set once. Engines that share a
     * store should agree on them. Not thread-safe.
     *
     * <p>Methods throw what those of {@link FeedEngineBuilder} throw.
     */
    @Beta
    public static final class ArchiveSettings {

        private static final Duration LEAST_AGE = Duration.ofDays(1);

        private final SetOnce given = new SetOnce();
        private Duration after = DEFAULT_ARCHIVE_AGE;
        private int batchSize = DEFAULT_ARCHIVE_BATCH;
        private int postsPerSecond = DEFAULT_ARCHIVE_RATE;
        private Duration interval = DEFAULT_ARCHIVE_INTERVAL;

        private ArchiveSettings() {}

        /**
         * Sets the age at which posts move to the archive, by their own times. A post stays longer while unfinished
         * fan-out work may need it, and while it is among its author's posts in the pulled register.
         *
         * @param after at least a day, and longer than {@link FanoutSettings#replayHorizon} and
         *     {@link FanoutSettings#lease}; {@link #DEFAULT_ARCHIVE_AGE} by default
         * @return these settings
         */
        public ArchiveSettings after(Duration after) {
            this.after = given.once("after", atLeast("after", after, LEAST_AGE));
            return this;
        }

        /**
         * Sets how many posts move at a time.
         *
         * @param batchSize 1 to 10,000; {@link #DEFAULT_ARCHIVE_BATCH} by default
         * @return these settings
         */
        public ArchiveSettings batchSize(int batchSize) {
            this.batchSize = given.once("batchSize", between("batchSize", batchSize, 1, 10_000));
            return this;
        }

        /**
         * Bounds how many posts are moved per second. Of several engines, one moves posts at a time. The mover also
         * rests for as long as each batch took.
         *
         * @param postsPerSecond at least 1; {@link #DEFAULT_ARCHIVE_RATE} by default
         * @return these settings
         */
        public ArchiveSettings postsPerSecond(int postsPerSecond) {
            this.postsPerSecond =
                    given.once("postsPerSecond", between("postsPerSecond", postsPerSecond, 1, Integer.MAX_VALUE));
            return this;
        }

        /**
         * Sets how long this engine waits after it has looked through the rows of all authors.
         *
         * @param interval at least 10 milliseconds; {@link #DEFAULT_ARCHIVE_INTERVAL} by default
         * @return these settings
         */
        public ArchiveSettings interval(Duration interval) {
            this.interval = given.once("interval", atLeast("interval", interval, Duration.ofMillis(10)));
            return this;
        }
    }

    /**
     * Settings of copies of inboxes; see {@link FeedEngineBuilder#copying}. Each may be set once. Not thread-safe.
     *
     * <p>Methods throw what those of {@link FeedEngineBuilder} throw.
     */
    @Beta
    public static final class CopySettings {

        private static final Duration LONGEST_LIFETIME = Duration.ofDays(365);

        private final SetOnce given = new SetOnce();
        private OptionalInt depth = OptionalInt.empty();
        private Duration interval = DEFAULT_COPY_INTERVAL;
        private Duration lifetime = DEFAULT_COPY_LIFETIME;

        private CopySettings() {}

        /**
         * Sets how many posts are copied. Pages below them are read from the outboxes.
         *
         * @param depth 1 to 10,000, at most the {@link #cap}; by default {@link #DEFAULT_COPY_DEPTH} or the cap
         * @return these settings
         */
        public CopySettings depth(int depth) {
            this.depth = given.once("depth", OptionalInt.of(between("depth", depth, 1, MOST_COPIED)));
            return this;
        }

        /**
         * Sets how often the inbox of an active reader is copied at most.
         *
         * @param interval at least a minute, at most the {@link #liveWindow}; {@link #DEFAULT_COPY_INTERVAL} by default
         * @return these settings
         */
        public CopySettings interval(Duration interval) {
            this.interval = given.once("interval", atLeast("interval", interval, Duration.ofMinutes(1)));
            return this;
        }

        /**
         * Sets how long a copy is kept.
         *
         * @param lifetime longer than {@link #liveWindow} and {@link #interval} together, at most 365 days;
         *     {@link #DEFAULT_COPY_LIFETIME} by default
         * @return these settings
         */
        public CopySettings lifetime(Duration lifetime) {
            this.lifetime =
                    given.once("lifetime", between("lifetime", lifetime, Duration.ofMinutes(1), LONGEST_LIFETIME));
            return this;
        }
    }

    /**
     * Settings of presence; see {@link FeedEngineBuilder#presence(Consumer)}. Each may be set once. Engines that share
     * a store should agree on them. Not thread-safe.
     *
     * <p>Methods throw what those of {@link FeedEngineBuilder} throw.
     */
    @Beta
    public static final class PresenceSettings {

        private final SetOnce given = new SetOnce();
        private Duration interval = DEFAULT_PRESENCE_INTERVAL;
        private Duration onlineWindow = DEFAULT_ONLINE_WINDOW;
        private Duration lastSeenKept = DEFAULT_LAST_SEEN_KEPT;
        private boolean readsCountAsSeen;
        private boolean publishesCountAsSeen;

        private PresenceSettings() {}

        /**
         * Sets how often this engine reports its connected readers to the store. If the engine dies, they are not
         * connected any more after two intervals.
         *
         * @param interval a second to an hour; {@link #DEFAULT_PRESENCE_INTERVAL} by default
         * @return these settings
         */
        public PresenceSettings interval(Duration interval) {
            this.interval =
                    given.once("interval", between("interval", interval, Duration.ofSeconds(1), Duration.ofHours(1)));
            return this;
        }

        /**
         * Sets how long a reader is online after being seen. It is also the default of
         * {@link FanoutSettings#activeWindow}.
         *
         * @param onlineWindow at least a second; {@link #DEFAULT_ONLINE_WINDOW} by default
         * @return these settings
         */
        public PresenceSettings onlineWindow(Duration onlineWindow) {
            this.onlineWindow =
                    given.once("onlineWindow", atLeast("onlineWindow", onlineWindow, Duration.ofSeconds(1)));
            return this;
        }

        /**
         * Sets how long the store keeps when an offline reader was last seen.
         *
         * @param lastSeenKept at least a second; {@link #DEFAULT_LAST_SEEN_KEPT} by default
         * @return these settings
         */
        public PresenceSettings lastSeenKept(Duration lastSeenKept) {
            this.lastSeenKept =
                    given.once("lastSeenKept", atLeast("lastSeenKept", lastSeenKept, Duration.ofSeconds(1)));
            return this;
        }

        /**
         * Sets whether a reader who reads a page of the own feed was seen. The read writes to this engine's memory
         * only.
         *
         * @param readsCountAsSeen false by default, so that hosts pay nothing for presence that they do not use
         * @return these settings
         */
        public PresenceSettings readsCountAsSeen(boolean readsCountAsSeen) {
            this.readsCountAsSeen = given.once("readsCountAsSeen", readsCountAsSeen);
            return this;
        }

        /**
         * Sets whether an author who publishes was seen. A publish in a transaction counts when a worker of this engine
         * has noticed the commit. Imported posts do not count.
         *
         * @param publishesCountAsSeen false by default, so that hosts pay nothing for presence that they do not use
         * @return these settings
         */
        public PresenceSettings publishesCountAsSeen(boolean publishesCountAsSeen) {
            this.publishesCountAsSeen = given.once("publishesCountAsSeen", publishesCountAsSeen);
            return this;
        }
    }
}

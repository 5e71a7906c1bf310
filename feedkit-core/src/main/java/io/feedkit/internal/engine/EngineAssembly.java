package io.feedkit.internal.engine;

import io.feedkit.Cursor;
import io.feedkit.HostGraph;
import io.feedkit.event.FeedListener;
import io.feedkit.internal.archive.EngineArchive;
import io.feedkit.internal.cache.BacklogCache;
import io.feedkit.internal.cache.FolloweeCache;
import io.feedkit.internal.cache.PostVisibility;
import io.feedkit.internal.cache.RecentPostsCache;
import io.feedkit.internal.cache.RegisterCache;
import io.feedkit.internal.copies.EngineCopies;
import io.feedkit.internal.fanout.EndedTasks;
import io.feedkit.internal.fanout.EngineFanoutControl;
import io.feedkit.internal.fanout.FanoutRound;
import io.feedkit.internal.fanout.FanoutWorkerPool;
import io.feedkit.internal.fanout.RoundUpkeep;
import io.feedkit.internal.fanout.TaskEndings;
import io.feedkit.internal.fanout.TaskFailures;
import io.feedkit.internal.fanout.TaskLeases;
import io.feedkit.internal.fanout.batch.BatchSignals;
import io.feedkit.internal.fanout.batch.FanoutBatches;
import io.feedkit.internal.fanout.batch.FollowerPages;
import io.feedkit.internal.fanout.batch.FollowersInboxes;
import io.feedkit.internal.fanout.batch.InboxWrites;
import io.feedkit.internal.fanout.batch.TaskPosts;
import io.feedkit.internal.fanout.batch.UnpushedPosts;
import io.feedkit.internal.follow.FollowerMoves;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.GuardedListener;
import io.feedkit.internal.host.Wakeable;
import io.feedkit.internal.inbox.Backfill;
import io.feedkit.internal.inbox.BuildSteps;
import io.feedkit.internal.inbox.CheckedInserts;
import io.feedkit.internal.inbox.ClaimedInbox;
import io.feedkit.internal.inbox.Follows;
import io.feedkit.internal.inbox.InboxBreaker;
import io.feedkit.internal.inbox.InboxBuilder;
import io.feedkit.internal.inbox.InboxContents;
import io.feedkit.internal.inbox.InboxReconciler;
import io.feedkit.internal.inbox.InboxRenewal;
import io.feedkit.internal.inbox.InboxRepair;
import io.feedkit.internal.inbox.LiveInboxes;
import io.feedkit.internal.inbox.loss.DeliveryLossRecovery;
import io.feedkit.internal.inspect.Connections;
import io.feedkit.internal.inspect.FactReader;
import io.feedkit.internal.inspect.InboxFactReader;
import io.feedkit.internal.inspect.OutboxFactReader;
import io.feedkit.internal.inspect.PostExplainer;
import io.feedkit.internal.inspect.ReaderInspector;
import io.feedkit.internal.live.LiveFeeds;
import io.feedkit.internal.presence.AuthorActivity;
import io.feedkit.internal.presence.EnginePresence;
import io.feedkit.internal.publish.AuthorStatusLookup;
import io.feedkit.internal.publish.Deleter;
import io.feedkit.internal.publish.FanoutDecisions;
import io.feedkit.internal.publish.NewPosts;
import io.feedkit.internal.publish.Policies;
import io.feedkit.internal.publish.PolicySwitch;
import io.feedkit.internal.publish.PostTimes;
import io.feedkit.internal.publish.PostWriter;
import io.feedkit.internal.publish.Publisher;
import io.feedkit.internal.publish.TransactionWriter;
import io.feedkit.internal.rank.RankedReader;
import io.feedkit.internal.read.AuthorReader;
import io.feedkit.internal.read.FeedReader;
import io.feedkit.internal.relay.EngineQueue;
import io.feedkit.internal.relay.PostEventSender;
import io.feedkit.internal.transaction.CommitWatch;
import io.feedkit.internal.transaction.FollowWatch;
import io.feedkit.internal.transaction.HostChanges;
import io.feedkit.internal.transaction.OwnPostDelivery;
import io.feedkit.internal.unread.FeedUnread;
import io.feedkit.internal.verify.ArchiveCheck;
import io.feedkit.internal.verify.InboxCheck;
import io.feedkit.internal.verify.Verification;
import io.feedkit.internal.verify.VerifyStage;
import io.feedkit.internal.view.FeedViews;
import io.feedkit.internal.view.OldPlaces;
import io.feedkit.internal.view.SourceOfTruth;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.memory.InMemoryPresenceStore;
import io.feedkit.spi.EventRecording;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.RankSnapshots;
import io.feedkit.spi.SeenMarks;
import io.feedkit.spi.SeenPosts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongSupplier;

/** Assembles one engine: every part is created here, once, and passed to the parts that use it. */
public final class EngineAssembly {

    private final FollowGraph graph;
    private final SeenMarks seenMarks;
    private final PolicySwitch policies;
    private final PostWriter writer;
    private final LiveInboxes inboxes;
    private final FeedReader reader;
    private final AuthorReader authorReader;
    private final RankedReader rankedReader;
    private final FeedUnread unread;
    private final InboxBuilder builder;
    private final InboxReconciler reconciler;
    private final Follows follows;
    private final FollowerMoves followerMoves;
    private final HostGraph hostGraph;
    private final EnginePresence presence;
    private final UserEraser eraser;
    private final EngineQueue queue;
    private final Optional<PostEventSender> events;
    private final Optional<EngineArchive> archive;
    private final Optional<EngineCopies> copies;
    private final FanoutWorkerPool workers;
    private final DeliveryLossRecovery losses;
    private final EngineFanoutControl fanout;
    private final HealthCheck health;
    private final LiveFeeds live;
    private final EngineCards cards;
    private final ReaderInspector inspector;
    private final PostExplainer explainer;
    private final Verification verification;
    private final ReentrantLock senders = new ReentrantLock();
    /** Whether the senders run, or have ended; guarded by the lock. */
    private boolean sendersStarted;

    /** Creates the parts of an engine, without starting the workers. */
    public EngineAssembly(
            FeedStore store,
            EngineSettings settings,
            Policies initialPolicies,
            List<FeedListener> hostListeners,
            Function<SeenPosts, Cursor> cursors,
            Runnable requireOpen) {
        Wakeable wakeable = new Wakeable() {
            @Override
            public void wake() {
                EngineAssembly.this.wake();
            }

            @Override
            public void wakeSoon() {
                EngineAssembly.this.wakeSoon();
            }
        };
        Outbox stored = settings.followees().ownPosts() ? store.outbox() : store.outboxForFollowers();
        Optional<EventRecording> recording =
                settings.publishing().postEvents().map(sink -> PostEventSender.recording(stored));
        Outbox warm = recording.map(EventRecording::outbox).orElse(stored);
        GuardedListener listener = new GuardedListener(settings, hostListeners);
        archive = settings.archive().map(each -> new EngineArchive(settings, each, warm, listener));
        if (archive.isEmpty()) {
            EngineArchive.requireNothingMoved(warm);
        }
        Outbox outbox = archive.<Outbox>map(EngineArchive::outbox).orElse(warm);
        OldPlaces oldPlaces =
                archive.<OldPlaces>map(each -> each.outbox()::replaced).orElse(OldPlaces.NONE);
        Inbox inbox = ClaimedInbox.of(store.inbox(settings.inboxes().limits()), outbox.identity(), settings);
        graph = store.graph();
        seenMarks = store.seenMarks();

        InboxBreaker breaker = new InboxBreaker(settings);

        live = new LiveFeeds(settings, cursors);
        RegisterCache registerCache = new RegisterCache(outbox.pulled(), settings, live);
        RecentPostsCache recentPosts = new RecentPostsCache(outbox, settings);
        FolloweeCache followeeCache = new FolloweeCache(graph, settings);
        PostVisibility visibility = new PostVisibility(settings, outbox, registerCache);
        BacklogCache backlogs = new BacklogCache(outbox.fanout(), settings);

        losses = new DeliveryLossRecovery(settings, inbox, outbox.fanout(), followeeCache, listener);
        CheckedInserts inserts = new CheckedInserts(inbox, outbox, losses::notice);

        copies = settings.inboxes()
                .copying()
                .map(each -> new EngineCopies(
                        settings,
                        each,
                        outbox,
                        archive.<LongSupplier>map(cold -> cold.outbox()::boundary)
                                .orElse(() -> 0),
                        listener));
        builder = new InboxBuilder(
                settings, new BuildSteps(settings, inbox, outbox, followeeCache, inserts, copies), listener);
        follows = new Follows(inbox, graph, new Backfill(settings, inbox, outbox, inserts), listener, live);
        InboxContents contents = new InboxContents(settings, inbox, outbox, followeeCache);
        InboxRepair repair = new InboxRepair(contents, inbox, inserts, builder, follows, copies);
        reconciler = new InboxReconciler(settings, losses, contents, repair, live, listener);
        inboxes = new LiveInboxes(settings, inbox, breaker, builder, reconciler);

        OwnPostDelivery ownPosts = new OwnPostDelivery(settings, outbox, inserts, live);
        InboxRenewal renewal = new InboxRenewal(settings, inbox, breaker, inboxes::renewed);
        presence = new EnginePresence(
                settings,
                settings.presence().store().orElseGet(() -> InMemoryPresenceStore.create(settings.clock())),
                renewal,
                requireOpen);
        AuthorActivity activity = new AuthorActivity(settings, renewal, presence.seenReaders()::published);
        CommitWatch commits = new CommitWatch(settings, outbox, activity, listener);

        followerMoves = new FollowerMoves(settings, inbox, outbox, inserts, follows);
        FollowWatch reportedFollows = new FollowWatch(settings, graph, follows);

        FanoutBatches batches = new FanoutBatches(
                settings,
                new TaskPosts(settings, outbox, inserts),
                new UnpushedPosts(registerCache, new FollowersInboxes(settings, graph, inbox, breaker)),
                new FollowerPages(graph),
                new InboxWrites(settings, inbox, inserts, losses, listener),
                new BatchSignals(live, losses));
        FanoutRound round = new FanoutRound(
                batches,
                new TaskLeases(settings, graph, outbox.fanout()),
                new TaskFailures(settings, registerCache, outbox.fanout(), listener),
                new TaskEndings(settings, registerCache, outbox.fanout(), listener),
                new RoundUpkeep(losses, commits, reportedFollows, visibility),
                listener);
        queue = new EngineQueue(settings, outbox.identity(), outbox.fanout(), listener);
        events = recording.map(view -> new PostEventSender(
                settings, view.log(), settings.publishing().postEvents().orElseThrow(), listener));
        workers = new FanoutWorkerPool(settings, outbox.fanout(), listener, round, queue.source(), queue.loan());
        fanout = new EngineFanoutControl(
                workers,
                new EndedTasks(settings, outbox.fanout(), this::wake),
                backlogs,
                queue::traffic,
                this::startSenders,
                requireOpen);
        policies = new PolicySwitch(settings, outbox.fanout(), initialPolicies);
        FanoutDecisions decisions =
                new FanoutDecisions(policies, new AuthorStatusLookup(graph, registerCache, backlogs), registerCache);
        PostTimes times = new PostTimes(settings, outbox);
        NewPosts newPosts = new NewPosts(settings, registerCache, inserts, live, wakeable);
        Publisher publisher = new Publisher(outbox, times, decisions, newPosts, activity, listener);
        Deleter deleter = new Deleter(outbox, registerCache, listener, wakeable);
        TransactionWriter joined = new TransactionWriter(outbox, times, decisions, ownPosts, commits, wakeable);
        writer = new PostWriter(settings.publishing().transactions(), publisher, deleter, joined, listener, wakeable);
        hostGraph = new ReportedGraph(
                settings.publishing().transactions(), follows, reportedFollows, joined, this::wakeSoon, requireOpen);
        HostChanges changes = new HostChanges(settings, ownPosts, reportedFollows);
        SourceOfTruth source = new SourceOfTruth(settings, outbox, recentPosts, oldPlaces);
        FeedViews views = new FeedViews(settings, inboxes, registerCache, followeeCache, source, changes);
        reader = new FeedReader(settings, views, source, visibility, presence.seenReaders(), listener);
        authorReader = new AuthorReader(outbox, settings.reading().maxScannedPerPage());
        RankSnapshots rankSnapshots = store.rankSnapshots().orElseGet(() -> ownMemory(settings));
        rankedReader = new RankedReader(settings, reader, outbox, graph, rankSnapshots, listener);
        unread = new FeedUnread(settings, views, source, reader, seenMarks, listener);
        live.connect(
                inbox,
                outbox,
                registerCache,
                followeeCache,
                reader,
                changes::areRemembered,
                user -> presence.begin(user)::close);
        health = new HealthCheck(settings.name(), warm, inbox, graph, seenMarks, archive.map(EngineArchive::archive));
        cards = new EngineCards(settings, listener);
        InboxFactReader inboxFacts = new InboxFactReader(settings, inbox, oldPlaces, inboxes, followeeCache);
        inspector = new ReaderInspector(
                inboxFacts, outbox, seenMarks, followeeCache, new Connections(presence, live::subscriptions), cursors);
        FactReader facts =
                new FactReader(inboxFacts, new OutboxFactReader(outbox, registerCache), graph, followeeCache, changes);
        explainer = new PostExplainer(settings, facts);
        Optional<ArchiveCheck> archiveCheck =
                archive.map(each -> new ArchiveCheck(outbox, each.source(), each.archive()));
        InboxCheck inboxCheck = new InboxCheck(settings, contents, outbox, graph, archiveCheck, reconciler);
        // In the order that Verification requires.
        List<VerifyStage> stages = new ArrayList<>(List.of(
                VerifyStage.tasks(outbox, this::wake),
                VerifyStage.register(settings, outbox, inbox, graph, followeeCache),
                VerifyStage.graph(graph),
                VerifyStage.inboxes(inboxCheck, inbox)));
        archiveCheck.map(VerifyStage::archive).ifPresent(stages::add);
        stages.add(VerifyStage.seenMarks(settings, seenMarks));
        verification = new Verification(stages, listener);
        // The copies come last: the rest of the data is deleted although their store is down.
        eraser = new UserEraser(
                outbox,
                deleter,
                graph,
                follows,
                registerCache,
                List.of(
                        recentPosts::forget,
                        user -> inbox.drop(List.of(user)),
                        user -> seenMarks.forget(List.of(user)),
                        unread::forget,
                        user -> rankSnapshots.forget(List.of(user)),
                        presence::forget,
                        user -> copies.ifPresent(each -> each.drop(user))));
    }

    /** The snapshots of an engine whose store keeps none. */
    private static RankSnapshots ownMemory(EngineSettings settings) {
        return InMemoryFeedStore.create(settings.clock()).rankSnapshots().orElseThrow();
    }

    /**
     * Starts the threads of the engine. If that fails, stops all of them.
     *
     * @param paused whether the workers, the relay and the sender of events wait until the fan-out is resumed
     */
    public void start(boolean paused) {
        try {
            live.start();
            workers.start(paused);
            if (!paused) {
                startSenders();
            }
            archive.ifPresent(EngineArchive::start);
        } catch (Throwable e) {
            close();
            throw e;
        }
    }

    /** Starts what sends to the host's broker and sink, unless it has started, or the engine is closed. */
    private void startSenders() {
        senders.lock();
        try {
            if (!sendersStarted) {
                sendersStarted = true;
                events.ifPresent(PostEventSender::start);
                queue.start();
            }
        } finally {
            senders.unlock();
        }
    }

    /** From now on, a resume of the fan-out starts nothing. */
    private void keepSendersFromStarting() {
        senders.lock();
        try {
            sendersStarted = true;
        } finally {
            senders.unlock();
        }
    }

    /** Stops the threads of the engine. */
    public void close() {
        archive.ifPresent(EngineArchive::close);
        keepSendersFromStarting();
        events.ifPresent(PostEventSender::close);
        queue.close();
        workers.close();
        inboxes.close();
        copies.ifPresent(EngineCopies::close);
        losses.close();
        policies.close();
        live.close();
        cards.close();
        presence.close();
    }

    private void wake() {
        events.ifPresent(PostEventSender::wake);
        queue.wake();
        workers.wake();
    }

    private void wakeSoon() {
        events.ifPresent(PostEventSender::wakeSoon);
        queue.wakeSoon();
        workers.wakeSoon();
    }

    public FollowGraph graph() {
        return graph;
    }

    public SeenMarks seenMarks() {
        return seenMarks;
    }

    public PolicySwitch policies() {
        return policies;
    }

    public PostWriter writer() {
        return writer;
    }

    public FeedReader reader() {
        return reader;
    }

    public AuthorReader authorReader() {
        return authorReader;
    }

    public RankedReader rankedReader() {
        return rankedReader;
    }

    public FeedUnread unread() {
        return unread;
    }

    public InboxBuilder builder() {
        return builder;
    }

    public InboxReconciler reconciler() {
        return reconciler;
    }

    public Follows follows() {
        return follows;
    }

    public FollowerMoves followerMoves() {
        return followerMoves;
    }

    public HostGraph hostGraph() {
        return hostGraph;
    }

    public EnginePresence presence() {
        return presence;
    }

    public UserEraser eraser() {
        return eraser;
    }

    public EngineFanoutControl fanout() {
        return fanout;
    }

    public LiveFeeds live() {
        return live;
    }

    public Optional<EngineArchive> archive() {
        return archive;
    }

    public HealthCheck health() {
        return health;
    }

    public Verification verification() {
        return verification;
    }

    public EngineCards cards() {
        return cards;
    }

    public ReaderInspector inspector() {
        return inspector;
    }

    public PostExplainer explainer() {
        return explainer;
    }
}

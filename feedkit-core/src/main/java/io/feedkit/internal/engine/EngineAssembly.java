package io.feedkit.internal.engine;

import io.feedkit.event.FeedListener;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.internal.cache.BacklogCache;
import io.feedkit.internal.cache.FolloweeCache;
import io.feedkit.internal.cache.RecentPostsCache;
import io.feedkit.internal.cache.RegisterCache;
import io.feedkit.internal.fanout.EngineFanoutControl;
import io.feedkit.internal.fanout.FanoutRound;
import io.feedkit.internal.fanout.FanoutWorkerPool;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.GuardedListener;
import io.feedkit.internal.inbox.CheckedInserts;
import io.feedkit.internal.inbox.DeliveryLossRecovery;
import io.feedkit.internal.inbox.FollowersInboxes;
import io.feedkit.internal.inbox.Follows;
import io.feedkit.internal.inbox.InboxBreaker;
import io.feedkit.internal.inbox.InboxBuilder;
import io.feedkit.internal.inbox.InboxReconciler;
import io.feedkit.internal.inbox.LiveInboxes;
import io.feedkit.internal.publish.Publisher;
import io.feedkit.internal.read.AuthorReader;
import io.feedkit.internal.read.FeedReader;
import io.feedkit.internal.relay.EngineQueue;
import io.feedkit.internal.relay.PostEventSender;
import io.feedkit.internal.transaction.CommitWatch;
import io.feedkit.internal.transaction.OwnPostDelivery;
import io.feedkit.internal.unread.FeedUnread;
import io.feedkit.queue.EventRecording;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.SeenMarks;
import java.util.Optional;

/** Puts one engine together: every part is created here, once, and passed to the parts that use it. */
public final class EngineAssembly {

    private final FollowGraph graph;
    private final SeenMarks seenMarks;
    private final Publisher publisher;
    private final FeedReader reader;
    private final AuthorReader authorReader;
    private final FeedUnread unread;
    private final InboxBuilder builder;
    private final InboxReconciler reconciler;
    private final Follows follows;
    private final UserEraser eraser;
    private final EngineQueue queue;
    private final Optional<PostEventSender> events;
    private final FanoutWorkerPool workers;
    private final EngineFanoutControl fanout;

    /** Creates the parts of an engine, without starting the workers. */
    public EngineAssembly(
            FeedStore store,
            EngineSettings settings,
            FanoutPolicy policy,
            FeedListener hostListener,
            Runnable requireOpen) {
        Outbox wanted = settings.ownPosts() ? store.outbox() : store.outboxForFollowers();
        Optional<EventRecording> recording = settings.postEvents().map(sink -> PostEventSender.recording(wanted));
        Outbox outbox = recording.map(EventRecording::outbox).orElse(wanted);
        Inbox inbox = store.inbox(settings.limits());
        graph = store.graph();
        seenMarks = store.seenMarks();
        GuardedListener listener = new GuardedListener(settings, hostListener);

        InboxBreaker breaker = new InboxBreaker(settings);
        FollowersInboxes followersInboxes = new FollowersInboxes(settings, graph, inbox, breaker);

        RegisterCache registerCache = new RegisterCache(outbox.pulled(), settings);
        RecentPostsCache recentPosts = new RecentPostsCache(outbox, settings);
        FolloweeCache followeeCache = new FolloweeCache(graph, settings);
        BacklogCache backlogs = new BacklogCache(outbox.fanout(), settings);

        DeliveryLossRecovery losses =
                new DeliveryLossRecovery(settings, inbox, outbox.fanout(), followeeCache, listener);
        CheckedInserts inserts = new CheckedInserts(inbox, outbox, losses::notice);

        OwnPostDelivery ownPosts = new OwnPostDelivery(settings, outbox, inserts);
        CommitWatch commits = new CommitWatch(settings, outbox, listener);

        builder = new InboxBuilder(settings, inbox, outbox, followeeCache, inserts, listener);
        follows = new Follows(settings, inbox, outbox, graph, inserts, listener);
        reconciler = new InboxReconciler(
                settings, inbox, outbox, followeeCache, listener, losses, inserts, builder, follows);

        FanoutRound round = new FanoutRound(
                settings, inbox, outbox, graph, registerCache, listener, losses, commits, inserts, followersInboxes);
        queue = new EngineQueue(settings, outbox.fanout(), listener);
        events = recording.map(view ->
                new PostEventSender(settings, view.log(), settings.postEvents().orElseThrow(), listener));
        workers =
                new FanoutWorkerPool(settings, outbox.fanout(), listener, commits, round, queue.source(), queue.loan());
        fanout = new EngineFanoutControl(
                settings, outbox.fanout(), workers, backlogs, queue::traffic, this::wake, requireOpen);
        publisher = new Publisher(
                settings,
                outbox,
                graph,
                registerCache,
                listener,
                ownPosts,
                commits,
                inserts,
                followersInboxes,
                backlogs,
                policy,
                this::wake,
                this::wakeSoon);
        LiveInboxes inboxes = new LiveInboxes(settings, inbox, breaker, builder, reconciler);
        reader = new FeedReader(
                settings, inboxes, breaker, outbox, registerCache, recentPosts, followeeCache, ownPosts, listener);
        authorReader = new AuthorReader(outbox);
        unread = new FeedUnread(
                settings,
                inbox,
                breaker,
                outbox,
                seenMarks,
                registerCache,
                recentPosts,
                followeeCache,
                ownPosts,
                reader);
        eraser = new UserEraser(inbox, outbox, graph, seenMarks, registerCache, recentPosts, publisher, follows);
    }

    /** Starts the threads of the engine. If that fails, none is left. */
    public void start() {
        try {
            events.ifPresent(PostEventSender::start);
            queue.start();
            workers.start();
        } catch (Throwable e) {
            close();
            throw e;
        }
    }

    /** Stops the threads of the engine. */
    public void close() {
        events.ifPresent(PostEventSender::close);
        queue.close();
        workers.close();
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

    public Publisher publisher() {
        return publisher;
    }

    public FeedReader reader() {
        return reader;
    }

    public AuthorReader authorReader() {
        return authorReader;
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

    public UserEraser eraser() {
        return eraser;
    }

    public EngineFanoutControl fanout() {
        return fanout;
    }
}

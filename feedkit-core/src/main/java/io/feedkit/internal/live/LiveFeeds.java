package io.feedkit.internal.live;

import io.feedkit.Cursor;
import io.feedkit.EngineClosedException;
import io.feedkit.Post;
import io.feedkit.StoreUnavailableException;
import io.feedkit.internal.cache.FolloweeCache;
import io.feedkit.internal.cache.FolloweeSet;
import io.feedkit.internal.cache.RegisterCache;
import io.feedkit.internal.check.FailureReasons;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.GuardedCallbacks;
import io.feedkit.internal.host.WarningLimiter;
import io.feedkit.internal.paging.FeedAuthors;
import io.feedkit.internal.paging.ReadPage;
import io.feedkit.internal.paging.ShownPosts;
import io.feedkit.internal.read.FeedReader;
import io.feedkit.internal.signal.FeedSignals;
import io.feedkit.internal.signal.Signal;
import io.feedkit.internal.signal.Signal.Follows;
import io.feedkit.internal.signal.Signal.Marked;
import io.feedkit.internal.view.Walk;
import io.feedkit.live.LiveEvent;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.PositionRange;
import io.feedkit.spi.SeenPosts;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Flow;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The live feeds of an engine. A reader is connected while there is a subscription or a waiting call. Signals of this
 * engine go to the router at once, and to the bus for other engines. Thread-safe.
 */
public final class LiveFeeds implements FeedSignals, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(LiveFeeds.class);

    /** How many subscriptions read the store at the same time. */
    private static final int READS_AT_ONCE = 32;

    private static final int FIRST_PAGE = 100;
    private static final long RETRY_MILLIS = 1000;

    /** How long a reader stays connected after a waiting call. */
    private static final long LINGER_MILLIS = 30_000;

    /** Posts that follow a place, ascending, and the posts that have been shown after them. */
    record Page(List<Post> posts, SeenPosts after, boolean more) {}

    private final EngineSettings settings;
    private final Function<SeenPosts, Cursor> cursors;
    private final ConnectedReaders readers = new ConnectedReaders(this::arrived);
    private final Semaphore reads = new Semaphore(READS_AT_ONCE);
    private final AtomicInteger turns = new AtomicInteger();
    private final WarningLimiter warnings;
    private final SignalRouter router;
    private final Executor executor;
    private final @Nullable ExecutorService own;

    private @Nullable RegisterCache registerCache;
    private @Nullable FolloweeCache followeeCache;
    private @Nullable FeedReader reader;
    private Predicate<String> mayHaveCommitted = user -> false;
    private Function<String, Runnable> presence = follower -> () -> {};
    private @Nullable BusLink bus;
    private @Nullable StorePolling polling;
    private volatile boolean closed;

    /** Creates live feeds without their parts, because the parts of the engine send their signals here. */
    public LiveFeeds(EngineSettings settings, Function<SeenPosts, Cursor> cursors) {
        this.settings = settings;
        this.cursors = cursors;
        this.warnings = new WarningLimiter(settings.clock());
        this.router = new SignalRouter(settings.name(), this, readers);
        this.executor = settings.live().executor().orElseGet(() -> LiveThreads.create(settings.name()));
        this.own = settings.live().executor().isEmpty() && executor instanceof ExecutorService service ? service : null;
    }

    /**
     * Connects the parts, before the engine starts.
     *
     * @param presence is called with each reader who connects; what it returns is called when the reader has left
     */
    public void connect(
            Inbox inbox,
            Outbox outbox,
            RegisterCache registers,
            FolloweeCache followees,
            FeedReader feedReader,
            Predicate<String> mayHaveCommitted,
            Function<String, Runnable> presence) {
        this.mayHaveCommitted = mayHaveCommitted;
        this.presence = presence;
        registerCache = registers;
        followeeCache = followees;
        reader = feedReader;
        bus = settings.live()
                .bus()
                .map(each -> new BusLink(settings, each, outbox.identity(), router, readers))
                .orElse(null);
        BusLink link = bus;
        RegisterNews news = new RegisterNews(outbox, readers, router);
        polling = new StorePolling(settings, inbox, readers, news, this, () -> link == null || !link.isHealthy());
        registers.onNews(news::take);
    }

    public void start() {
        if (bus != null) {
            bus.start();
        }
    }

    private Runnable arrived(String follower) {
        return presence.apply(follower);
    }

    private static <T> T part(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("the live feeds have no parts yet");
        }
        return part;
    }

    // Signals of this engine.

    @Override
    public boolean areWanted() {
        return bus != null || !readers.isEmpty();
    }

    @Override
    public void send(List<? extends Signal> signals) {
        if (signals.isEmpty()) {
            return;
        }
        if (!readers.isEmpty()) {
            router.add(signals);
        }
        BusLink link = bus;
        if (link != null) {
            link.send(signals);
        }
    }

    @Override
    public void follows(String follower, Collection<String> authors, boolean following) {
        if (authors.isEmpty()) {
            return;
        }
        Connection connection = readers.find(follower);
        if (connection != null) {
            readers.change(connection, authors, following);
            connection.feedChanged();
            // A concurrent change may have been written in the other order, and more followees than the most may wait.
            reloadFollowees(connection);
        }
        BusLink link = bus;
        if (link != null) {
            link.send(List.of(new Follows(follower)));
        }
    }

    /** Reports that the seen marks of readers changed. When this returns, it is in effect. */
    public void marked(List<String> marked) {
        if (!readers.isEmpty()) {
            for (String each : marked) {
                Connection connection = readers.find(each);
                if (connection != null) {
                    connection.change();
                }
            }
        }
        BusLink link = bus;
        if (link != null) {
            link.send(marked.stream().map(Marked::new).toList());
        }
    }

    // Subscriptions.

    /**
     * The events of a reader's feed.
     *
     * @param since the posts that the subscriber has; without them the events begin with the subscription
     */
    public Flow.Publisher<LiveEvent> publisher(String follower, Optional<SeenPosts> since) {
        return subscriber -> subscribe(follower, since, subscriber);
    }

    private void subscribe(String follower, Optional<SeenPosts> since, Flow.Subscriber<? super LiveEvent> subscriber) {
        if (subscriber == null) {
            throw new NullPointerException("subscriber must not be null");
        }
        Connection connection = connected(follower);
        LiveSubscription subscription = new LiveSubscription(this, connection, subscriber, since);
        connection.add(subscription);
        try {
            subscriber.onSubscribe(subscription);
        } catch (Throwable e) {
            subscription.cancel();
            subscriberFailed(follower, e);
            return;
        }
        subscription.begin();
        if (closed) {
            subscription.fail(new EngineClosedException(settings.name()));
        } else {
            executeOrRetry(() -> index(connection, subscription));
        }
    }

    private Connection connected(String follower) {
        Connection connection = readers.retain(follower);
        router.start();
        part(polling).start();
        return connection;
    }

    private void index(Connection connection, LiveSubscription subscription) {
        if (subscription.isCancelled()) {
            return;
        }
        try {
            index(connection);
            subscription.connected();
        } catch (StoreUnavailableException e) {
            log.debug(
                    "cannot load the followees of {}; trying again", connection.reader(), FailureReasons.printable(e));
            router.later(RETRY_MILLIS, () -> executeOrRetry(() -> index(connection, subscription)));
        } catch (RuntimeException e) {
            subscription.fail(e);
        }
    }

    /** Loads the reader's followees, unless they are known. */
    private void index(Connection connection) {
        if (!connection.isIndexed()) {
            load(connection);
            connection.markIndexed();
            if (connection.graphChanges() > 0) {
                // The reports of changes found a connection that was not indexed yet. Its followees may be those of
                // before
                // a change, or may have it already, which a comparison would not show.
                connection.feedChanged();
                executeOrRetry(() -> reload(connection));
            }
        }
    }

    /**
     * Loads the reader's followees. Signals about authors without connected followers were dropped until now, so the
     * register is updated, too: the feed is read next.
     */
    private void load(Connection connection) {
        boolean done = false;
        while (!done) {
            long changes = connection.graphChanges();
            FolloweeSet followees = reading(() -> part(followeeCache).load(connection.reader()));
            done = readers.index(connection, followees.authors(), changes);
        }
        if (bus != null) {
            updateRegister(Set.of());
        }
    }

    /**
     * Whether the index has the followees that the reader had at a slice. False if that is not known without a round
     * trip: the followees were loaded without a slice, so another engine may have changed them since.
     */
    boolean hasFollowees(Connection connection, Slice slice) {
        return part(followeeCache)
                .remembered(connection.reader(), slice)
                .filter(followees -> followees.authors().equals(connection.followeeIds()))
                .isPresent();
    }

    /** Loads the followees of a reader again, because another engine changed them. */
    void reloadFollowees(Connection connection) {
        connection.countGraphChange();
        executeOrRetry(() -> reload(connection));
    }

    private void reload(Connection connection) {
        if (!readers.isConnected(connection) || !connection.isIndexed()) {
            return;
        }
        try {
            Set<String> before = connection.followeeIds();
            load(connection);
            if (!before.equals(connection.followeeIds())) {
                connection.feedChanged();
                connection.readAgain(false);
            }
        } catch (RuntimeException e) {
            log.debug(
                    "cannot load the followees of {}; trying again", connection.reader(), FailureReasons.printable(e));
            router.later(RETRY_MILLIS, () -> executeOrRetry(() -> reload(connection)));
        }
    }

    void disconnect(LiveSubscription subscription, Connection connection) {
        connection.remove(subscription);
        readers.release(connection);
    }

    /** Gives a subscription a turn on a thread of the executor. */
    void execute(LiveSubscription subscription) {
        turns.incrementAndGet();
        boolean accepted = execute(() -> {
            turns.decrementAndGet();
            subscription.run();
        });
        if (!accepted) {
            turns.decrementAndGet();
            subscription.refused();
            router.later(RETRY_MILLIS, subscription::again);
            if (closed) {
                subscription.runIfRefused();
            }
        }
    }

    private void executeOrRetry(Runnable call) {
        if (!execute(call) && !closed) {
            router.later(RETRY_MILLIS, () -> executeOrRetry(call));
        }
    }

    /** Passes a call to the executor. Returns false if the executor does not take it. */
    private boolean execute(Runnable call) {
        // An executor may run the call at once: a failure of the call is not a refusal.
        AtomicBoolean begun = new AtomicBoolean();
        try {
            executor.execute(() -> {
                begun.set(true);
                call.run();
            });
            return true;
        } catch (RuntimeException | Error e) {
            if (begun.get()) {
                throw e;
            }
            log.atLevel(e instanceof RejectedExecutionException ? Level.DEBUG : warnings.level())
                    .setCause(FailureReasons.printable(e))
                    .log("{}: the executor of live feeds refused a call; trying again", settings.name());
            return false;
        }
    }

    /** How many turns wait for a thread. */
    int turns() {
        return turns.get();
    }

    /** Runs a call after a pause. */
    void later(Runnable call) {
        router.later(RETRY_MILLIS, call);
    }

    void subscriberFailed(String follower, Throwable failure) {
        GuardedCallbacks.throwIfFatal(failure);
        log.atLevel(warnings.level())
                .setCause(FailureReasons.printable(failure))
                .log(
                        "{}: a subscriber of the live feed of {} threw, and was cancelled; failures of the next minutes"
                                + " are logged at DEBUG",
                        settings.name(),
                        follower);
    }

    int bufferSize() {
        return settings.live().bufferSize();
    }

    long now() {
        return settings.now();
    }

    Cursor cursor(SeenPosts shown) {
        return cursors.apply(shown);
    }

    // What subscriptions read.

    private <T> T reading(Supplier<T> call) {
        reads.acquireUninterruptibly();
        try {
            return call.get();
        } finally {
            reads.release();
        }
    }

    /** The posts of the first page that are older than the subscription: its subscriber is assumed to have them. */
    SeenPosts present(String follower, long subscribedAt) {
        Walk walk = Walk.visit(follower, FeedAuthors.FOLLOWEES, PositionRange.ALL, Order.NEWEST_FIRST, false);
        ReadPage<Post> page = reading(() -> part(reader).read(walk, FIRST_PAGE, SeenPosts.NOTHING));
        List<Post> older = page.posts().stream()
                .filter(post -> post.publishedAt().toEpochMilli() < subscribedAt)
                .toList();
        return ShownPosts.downwards(
                new ReadPage<>(older, older, page.resume(), page.beyondInbox(), page.caveats(), page.hides()),
                subscribedAt - 1);
    }

    /** The posts that a page of newer posts shows. */
    Page newer(String follower, SeenPosts before, int limit) {
        long askedAt = settings.now();
        Walk walk = Walk.visit(follower, FeedAuthors.FOLLOWEES, before.rest(), Order.OLDEST_FIRST, false);
        ReadPage<Post> page = reading(() -> part(reader).read(walk, limit, before));
        List<Post> ascending = new ArrayList<>(page.posts());
        Collections.reverse(ascending);
        SeenPosts after = ShownPosts.upwards(before, page, page.posts().size() == limit, askedAt);
        return new Page(ascending, after, page.resume().isPresent());
    }

    /** Whether posts of an author belong to a reader's feed. */
    boolean isShown(Connection connection, String author) {
        return connection.follows(author);
    }

    /** Whether this engine knows that a post was deleted, even if its pages may still show it. */
    boolean isDeleted(Post post) {
        return router.isDeleted(post.key())
                || part(registerCache).lastKnown(post.author()).retracting().contains(post.id());
    }

    /** Whether a page of the reader would show a post that became visible. */
    boolean isVisible(Connection connection, Post post) {
        return connection.follows(post.author()) && !isDeleted(post) && isLetThrough(connection.reader(), post);
    }

    private boolean isLetThrough(String follower, Post post) {
        return !isFiltered()
                || GuardedCallbacks.call(
                                "filter",
                                () -> new HashSet<>(settings.reading().filter().visible(follower, List.of(post))))
                        .contains(post);
    }

    boolean isKnownAsUnpushed(Post post) {
        return part(registerCache).lastKnown(post.author()).isUnpushed(post);
    }

    void updateRegister(Set<String> authors) {
        part(registerCache).latest(authors);
    }

    void updateRegister() {
        part(registerCache).current(Set.of());
    }

    // Answers without a round trip, and waiting calls.

    /** The version of a reader's feed, if the reader is connected and changes would be noticed; otherwise null. */
    private @Nullable Connection trusted(String follower) {
        Connection connection = readers.isEmpty() ? null : readers.find(follower);
        if (connection == null
                || !connection.isCurrent()
                || !router.isIdle()
                || settings.reading().staleness().isZero()
                || mayHaveCommitted.test(follower)) {
            return null;
        }
        BusLink link = bus;
        boolean noticed = (link != null && link.isHealthy()) || part(polling).isTrusted(connection, settings.now());
        return noticed ? connection : null;
    }

    /**
     * Answers a question about the feed of a connected reader with an earlier answer, if nothing has changed since.
     * Otherwise asks, and keeps the answer if it may be given again.
     *
     * @param question what is asked, with a meaningful {@code equals}
     */
    public <T> T answer(String follower, Object question, Class<T> type, Supplier<T> ask, Function<T, Boolean> keeps) {
        Connection connection = trusted(follower);
        if (connection == null) {
            return ask.get();
        }
        long now = settings.now();
        T known = connection.answer(question, now, type);
        if (known != null) {
            return known;
        }
        long version = connection.version();
        T answer = ask.get();
        if (keeps.apply(answer)) {
            connection.keep(question, answer, version, now);
        }
        return answer;
    }

    /**
     * Asks again at each change of the feed of a reader, until an answer is enough or the time is over. The reader is
     * connected meanwhile, and some seconds longer.
     *
     * @return the last answer
     */
    public <T> T await(String follower, long nanos, Supplier<T> ask, Function<T, Boolean> isEnough)
            throws InterruptedException {
        long end = System.nanoTime() + nanos;
        Connection connection = connected(follower);
        try {
            index(connection);
            while (true) {
                long version = connection.version();
                T answer = ask.get();
                long left = end - System.nanoTime();
                if (isEnough.apply(answer) || left <= 0 || closed || !connection.awaitChange(version, left)) {
                    return answer;
                }
            }
        } finally {
            router.later(LINGER_MILLIS, () -> readers.release(connection));
        }
    }

    /** Whether posts may be hidden or shown without a change of the feed, because the host has a filter. */
    public boolean isFiltered() {
        return settings.reading().filter() != EngineSettings.SHOW_ALL;
    }

    /** How many readers are connected to this engine. */
    public int connectedReaders() {
        return readers.size();
    }

    /** How many subscriptions there are, of all readers. */
    public int subscriptions() {
        return readers.all().stream()
                .mapToInt(connection -> connection.subscriptions().size())
                .sum();
    }

    /** How many subscriptions of a reader there are. */
    public int subscriptions(String follower) {
        Connection connection = readers.find(follower);
        return connection == null ? 0 : connection.subscriptions().size();
    }

    /** Whether a reader is connected to this engine. */
    public boolean isConnected(String follower) {
        return readers.find(follower) != null;
    }

    /** Ends all subscriptions and waiting calls, and stops the threads. */
    @Override
    public void close() {
        closed = true;
        readers.forEach(connection -> {
            connection.subscriptions().forEach(LiveSubscription::end);
            connection.change();
        });
        if (polling != null) {
            polling.close();
        }
        if (bus != null) {
            bus.close();
        }
        router.close();
        // The router no longer tries again.
        readers.forEach(connection -> connection.subscriptions().forEach(LiveSubscription::runIfRefused));
        if (own != null) {
            own.shutdown();
        }
    }
}

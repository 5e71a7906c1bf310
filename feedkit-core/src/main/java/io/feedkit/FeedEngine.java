package io.feedkit;

import static io.feedkit.internal.check.Arguments.between;
import static io.feedkit.internal.check.Arguments.nonNull;

import io.feedkit.cards.Card;
import io.feedkit.cards.PageAssembly;
import io.feedkit.event.FeedListener;
import io.feedkit.fanout.FanoutControl;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.health.Health;
import io.feedkit.inspect.Explanation;
import io.feedkit.inspect.ReaderState;
import io.feedkit.internal.check.Ids;
import io.feedkit.internal.engine.EngineAssembly;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.paging.FeedAuthors;
import io.feedkit.internal.paging.ReadPage;
import io.feedkit.internal.publish.Policies;
import io.feedkit.internal.view.Walk;
import io.feedkit.live.LiveBus;
import io.feedkit.live.LiveEvent;
import io.feedkit.presence.Presence;
import io.feedkit.rank.RankRequest;
import io.feedkit.rank.RankedPage;
import io.feedkit.rank.Ranker;
import io.feedkit.rank.SnapshotExpiredException;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.FollowGraph.FollowerQuery;
import io.feedkit.spi.FollowGraph.IdPage;
import io.feedkit.spi.KeyRange;
import io.feedkit.spi.Order;
import io.feedkit.spi.Position;
import io.feedkit.spi.SeenMarks.Seen;
import io.feedkit.spi.SeenPosts;
import io.feedkit.spi.WritableFollowGraph;
import io.feedkit.spi.WritableFollowGraph.Edge;
import io.feedkit.verify.VerifyReport;
import io.feedkit.verify.VerifyRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A home-feed engine: hosts publish posts, record follows, and read the pages of each reader's feed.
 *
 * <pre>{@code
 * try (FeedEngine feed = FeedEngine.inMemory().policy(FanoutPolicy.hybrid(100_000)).build()) {
 *     feed.follow("alice", "bob");
 *     feed.publish("bob", "post-1");
 *     FeedPage<Post> page = feed.read("alice", PageRequest.first(20));
 * }
 * }</pre>
 *
 * <p>A feed holds all undeleted posts of the authors that its reader follows, newest first. The feed is the same under
 * every policy. A pushed post shows as soon as a worker has delivered it. A pulled post shows at once on this engine,
 * and within the staleness bound on others. Any number of engines, in any number of processes, may work on one store.
 *
 * <p>Engines are safe for use by any number of threads, platform or virtual. Building an engine starts its fan-out
 * workers, and one more thread each for a {@linkplain FeedEngineBuilder#fanoutQueue fan-out queue}, for {@linkplain
 * FeedEngineBuilder#postEvents post events} and for an {@linkplain FeedEngineBuilder#archive archive}. Further threads
 * start when there is work for them, and end after some idle seconds: one asks the inbox store whether it lost
 * deliveries, one compares inboxes, one asks for the policy of all engines, one reports who is online, and one keeps
 * the inboxes of connected readers live. A {@link #check} starts a thread for each part of the store, which ends with
 * the part's answer. A read with a {@link PageAssembly} uses a thread for each call of a part; these threads are
 * virtual from JDK 21 on. All are daemon threads named after the engine. {@link #close} stops all of them, except those
 * of a check and of parts, which end after their call. The store stays open, because it belongs to the host.
 *
 * <p>A publish or delete without a {@link PublishTransaction} takes effect when it returns. If the engine was built
 * with {@link FeedEngineBuilder#transactions}, and the calling thread is in a transaction of the host, it joins that
 * transaction.
 *
 * <p>Every method may throw {@link StoreUnavailableException}, and every writing method may throw
 * {@link OutcomeUnknownException}. All writes are idempotent, so they may be repeated. Once the engine is closed, every
 * method throws {@link EngineClosedException}. If an argument is null, or an id is not legal (see {@link Post}), every
 * method throws {@link IllegalArgumentException} before anything is written.
 *
 * @since 0.1.0
 */
public final class FeedEngine implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(FeedEngine.class);

    /** The key before all ids. */
    private static final String FIRST = "";

    private static final int MARKS_AT_ONCE = 1000;

    /** The most posts of a page that was waited for. */
    private static final int AWAITED = 100;

    /** The question for the count of unread posts. */
    private static final String UNREAD = "unread";

    private final EngineSettings settings;
    private final EngineAssembly parts;
    private final AtomicBoolean closed = new AtomicBoolean();

    FeedEngine(
            FeedStore store,
            EngineSettings settings,
            FanoutPolicy policy,
            Map<String, FanoutPolicy> namedPolicies,
            List<FeedListener> listeners) {
        this.settings = settings;
        store.describe().forEach(place -> log.info("{}: {}", settings.name(), place));
        settings.archive().stream()
                .flatMap(each -> each.archive().describe().stream())
                .forEach(place -> log.info("{}: {}", settings.name(), place));
        settings.inboxes().copying().stream()
                .flatMap(each -> each.copies().describe().stream())
                .forEach(place -> log.info("{}: {}", settings.name(), place));
        Policies policies = new Policies(policy, namedPolicies);
        parts = new EngineAssembly(store, settings, policies, listeners, Cursor::of, this::requireOpen);
        parts.start(settings.fanout().startPaused());
    }

    /**
     * Returns a builder of an engine on a store.
     *
     * @param store the store of all data; it belongs to the host, who closes it
     * @return a builder
     */
    public static FeedEngineBuilder builder(FeedStore store) {
        return FeedEngineBuilder.on(store);
    }

    /**
     * Returns a builder of an engine that keeps everything in memory, for small applications and for tests. The store
     * is created with the engine, and uses the clock of {@link FeedEngineBuilder#clock}.
     *
     * @return a builder
     */
    public static FeedEngineBuilder inMemory() {
        return FeedEngineBuilder.inMemory();
    }

    /**
     * Publishes a post now. When this returns, the post and its fan-out task are recorded, in one atomic step. If the
     * author has no followers, a store may leave out the task. The call takes the same time for any number of
     * followers. Publishing the same post again changes nothing.
     *
     * @param author who publishes
     * @param id the post's id, unique for the author
     * @return whether it was new, with the post as stored
     * @throws CallbackException if the policy throws; nothing was written
     */
    public Published publish(String author, String id) {
        requireOpen();
        return publish(new Post(author, id, settings.clock().instant()));
    }

    /**
     * Publishes a post with a given time, which may lie in the past. A post that is dated in the future is stored with
     * the present time, unless posts are rows of a host's own table.
     *
     * @param post the post
     * @return whether it was new, with the post as stored
     * @throws IllegalArgumentException if the post's time is later than now plus the allowed skew
     * @throws CallbackException if the policy throws; nothing was written
     */
    public Published publish(Post post) {
        return publishAll(List.of(nonNull("post", post))).get(0);
    }

    /**
     * Publishes a post if and only if a transaction of the host commits. After the commit, the workers fan out the post
     * or register it as pulled. This engine's workers look for the post at once, and again after pauses that double
     * from a few milliseconds to the poll interval.
     *
     * <p>If own posts belong to the feed, this engine shows the post to its author at once after the commit, even
     * before a worker has handled it. Other engines show the post to its author as soon as it is in the author's inbox.
     * A worker of any engine delivers it there, or a read of the author's feed on this engine. For this, an engine
     * remembers the latest 10,000 such posts for up to an hour. A post that is committed after that hour waits for a
     * worker.
     *
     * <p>Listeners are notified of the post after the commit, when a worker or a drain of this engine finds the post in
     * the store. They are not notified of a post that was rolled back.
     *
     * <p>The policy decides while the transaction is open. The engine answers the policy's questions from its caches,
     * or on the transaction's own connection if the store's parts are in that database.
     *
     * @param post the post
     * @param transaction the host's transaction, as the store's backend wraps it
     * @return whether it is new, as seen in the transaction
     * @throws IllegalArgumentException if the store cannot join this transaction, or the post's time is later than now
     *     plus the allowed skew
     * @throws CallbackException if the policy throws; nothing was written
     */
    public Published publish(Post post, PublishTransaction transaction) {
        return publishAll(List.of(nonNull("post", post)), transaction).get(0);
    }

    /**
     * Publishes many posts if and only if a transaction of the host commits. Each post is published as by
     * {@link #publish(Post, PublishTransaction)}, and all together take as many statements as
     * {@link #publishAll(Collection)}. All posts are checked before the first is written.
     *
     * @param posts the posts, of any authors
     * @param transaction the host's transaction, as the store's backend wraps it
     * @return an answer for each, as seen in the transaction
     * @throws IllegalArgumentException if the store cannot join this transaction, or a post's time is later than now
     *     plus the allowed skew; nothing was written
     * @throws CallbackException if the policy throws; nothing was written
     */
    public List<Published> publishAll(Collection<Post> posts, PublishTransaction transaction) {
        requireOpen();
        return parts.writer().publish(requireAll("posts", posts), nonNull("transaction", transaction));
    }

    /**
     * Publishes many posts. Each post is recorded atomically, in the given order. All posts are checked before the
     * first is recorded.
     *
     * @param posts the posts, of any authors
     * @return an answer for each
     * @throws IllegalArgumentException if a post's time is later than now plus the allowed skew; nothing was written
     * @throws CallbackException if the policy throws; nothing was written
     */
    public List<Published> publishAll(Collection<Post> posts) {
        requireOpen();
        return parts.writer().publish(requireAll("posts", posts));
    }

    /**
     * Imports earlier posts of any authors, such as those of another system. It does what {@link #publishAll} does, but
     * in bulk: the posts of an author share a few fan-out tasks, and the policy decides once for each author. With
     * {@link FanoutMode#PUSH} workers deliver the posts to the inboxes that exist; with another mode readers get them
     * from the outbox. The posts do not count as activity of their authors, or for the age of the backlog.
     *
     * <p>The posts are recorded a thousand at a time, each once. If the call throws, some may have been recorded, and
     * the call may be repeated. Posts above a reader's mark count as unread; {@link #markSeen(Collection, Cursor)}
     * changes that for many readers.
     *
     * @param posts the posts, in any number
     * @return an answer for each
     * @throws IllegalArgumentException if the time of a post is later than now plus the allowed skew; nothing was
     *     written
     * @throws CallbackException if the policy throws; nothing was written
     */
    public List<Published> importPosts(Collection<Post> posts) {
        requireOpen();
        return parts.writer().importPosts(requireAll("posts", posts));
    }

    /**
     * Deletes a post for good. The post cannot be published again; if it was never published, it cannot be published
     * later. If the source of truth has lost the post, but inboxes still hold it, it is removed from them. When this
     * returns, no read with a {@link PostLoader} shows the post any more. After the staleness bound, no other read
     * shows it. Pages with the caveat {@link FeedPage.Caveat#STALE} are exempt.
     *
     * @param author whose post it is
     * @param id the post's id
     * @return whether there was such a post
     */
    public boolean delete(String author, String id) {
        return deleteAll(List.of(new PostKey(author, id))).get(0);
    }

    /**
     * Deletes a post for good if and only if a transaction of the host commits. From the commit on, the post is deleted
     * as by {@link #delete(String, String)}. Until the commit, this engine shows the post, like all others.
     *
     * @param key whose post it is, and its id
     * @param transaction the host's transaction, as the store's backend wraps it
     * @return whether there was such a post, as seen in the transaction
     * @throws IllegalArgumentException if the store cannot join this transaction
     */
    public boolean delete(PostKey key, PublishTransaction transaction) {
        requireOpen();
        return parts.writer()
                .delete(List.of(nonNull("key", key)), nonNull("transaction", transaction))
                .get(0);
    }

    /**
     * Deletes posts, each atomically.
     *
     * @param posts the posts
     * @return for each key whether there was such a post
     */
    public List<Boolean> deleteAll(Collection<PostKey> posts) {
        requireOpen();
        return parts.writer().delete(requireAll("posts", posts));
    }

    /**
     * Reads a page of a reader's feed, and keeps the reader's inbox live. A walk with {@link PageRequest#older} shows
     * each post exactly once, if it was visible when the walk began and still exists.
     *
     * @param reader whose feed
     * @param request which page
     * @return the page
     * @throws CallbackException if the filter throws
     */
    public FeedPage<Post> read(String reader, PageRequest request) {
        requireOpen();
        Ids.require("reader", reader);
        nonNull("request", request);
        return newerOrRead(
                reader, request, () -> parts.reader().read(walk(reader, request), request.limit(), request.before()));
    }

    /**
     * Reads a page of a reader's feed with the host's content. Posts without content are left out, and the page is
     * filled with further posts. A post is not shown if its delete returned, on any engine, before this call, unless
     * the page has the caveat {@link FeedPage.Caveat#STALE}.
     *
     * @param reader whose feed
     * @param request which page
     * @param loader loads the content
     * @param <T> the host's content
     * @return the page
     * @throws CallbackException if the filter or the loader throws
     */
    public <T> FeedPage<T> read(String reader, PageRequest request, PostLoader<T> loader) {
        requireOpen();
        Ids.require("reader", reader);
        nonNull("request", request);
        nonNull("loader", loader);
        return newerOrRead(
                reader,
                request,
                () -> parts.reader().read(walk(reader, request), request.limit(), request.before(), loader));
    }

    /**
     * Reads a page. If the reader is connected and asks for newer posts, an empty page is given again as long as
     * nothing has changed: a page without posts is the same whatever its limit and its content. A page from which the
     * host's filter or loader left posts out is not given again, because both may answer otherwise next time.
     */
    @SuppressWarnings("unchecked") // an empty page has no items of any type
    private <T> FeedPage<T> newerOrRead(String reader, PageRequest request, Supplier<ReadPage<T>> read) {
        boolean[] hides = new boolean[1];
        Supplier<FeedPage<T>> ask = () -> {
            long askedAt = now();
            ReadPage<T> page = read.get();
            hides[0] = page.hides();
            return feedPage(page, request, askedAt);
        };
        return request.isNewer()
                ? (FeedPage<T>) parts.live()
                        .answer(
                                reader,
                                request.before(),
                                FeedPage.class,
                                ask::get,
                                page -> !hides[0] && page.isEmptyAtTop())
                : ask.get();
    }

    /**
     * Returns the events of a reader's feed from now on: the posts of its present first page count as known. Each
     * subscriber gets its own events, in an order of its own, until it cancels or the engine is closed, which completes
     * the subscription. A subscriber is called by one thread at a time, and gets only as many events as it requested.
     *
     * <p>Each post that becomes visible in the feed arrives once: pushed or pulled, from any engine, also from
     * transactions of the host. A post that arrived is on every page that is read on this engine afterwards. A post
     * does not arrive after its delete returned on this engine, and not later than the staleness bound after its delete
     * returned on another; the same holds for an unfollow and for posts that the host's filter hides. An engine needs
     * up to 3.5 seconds to notice that its {@link LiveBus} has fallen silent, and that time is added. A subscriber that
     * requests too little loses no post: see {@link LiveEvent.CatchUp}. With a {@link LiveBus} events of other engines
     * arrive at once, otherwise within about a second.
     *
     * <p>A subscribed reader is connected: {@link PageRequest#newer} and {@link #unread(String)} are answered without a
     * round trip while nothing has changed. Not so unread counts with a filter, and pages from which the filter or the
     * loader left posts out. The inbox is built or refreshed in the background, with a cursor after the first request.
     *
     * <p>The publisher follows the rules of Reactive Streams. If the filter throws, or the engine is closed already, it
     * signals the failure. A subscriber that throws is cancelled.
     *
     * @param reader whose feed
     * @return a publisher, for any number of subscribers
     */
    @Beta
    public Flow.Publisher<LiveEvent> live(String reader) {
        requireOpen();
        return parts.live().publisher(Ids.require("reader", reader), Optional.empty());
    }

    /**
     * Returns the events of a reader's feed from a cursor on: first the posts that a page of {@link PageRequest#newer}
     * shows, oldest first, and then live ones, without a gap or a repeat. So a client that lost its connection
     * continues with the cursor of its last event or page, on any engine.
     *
     * @param reader whose feed
     * @param since {@link LiveEvent#cursor()} of the last event, or {@link FeedPage#newer()} of a page
     * @return a publisher, for any number of subscribers; see {@link #live(String)}
     */
    @Beta
    public Flow.Publisher<LiveEvent> live(String reader, Cursor since) {
        requireOpen();
        return parts.live()
                .publisher(
                        Ids.require("reader", reader),
                        Optional.of(nonNull("since", since).shown()));
    }

    /**
     * Counts the subscribers of live feeds on this engine, of all readers. Makes no call to the store.
     *
     * @return how many subscriptions have not been cancelled or completed
     */
    @Beta
    public int liveSubscribers() {
        requireOpen();
        return parts.live().subscriptions();
    }

    /**
     * Waits for newer posts (long polling). Returns a page of {@link PageRequest#newer} as soon as it has a post, or an
     * empty one at the end of the time. The call costs its thread, which may be a virtual one, and no round trips while
     * nothing changes. Its reader is connected, as by {@link #live(String)}, and stays connected for half a minute.
     *
     * @param reader whose feed
     * @param cursor the place, usually {@link FeedPage#newer()} of the page before
     * @param time how long to wait at most, a millisecond to an hour
     * @return a page of at most 100 posts, as {@link #read(String, PageRequest)} gives it
     * @throws InterruptedException if the thread is interrupted
     * @throws CallbackException if the filter throws
     */
    @Beta
    public FeedPage<Post> await(String reader, Cursor cursor, Duration time) throws InterruptedException {
        requireOpen();
        Ids.require("reader", reader);
        PageRequest request = PageRequest.newer(nonNull("cursor", cursor), AWAITED);
        long nanos =
                between("time", time, Duration.ofMillis(1), Duration.ofHours(1)).toNanos();
        return parts.live()
                .await(
                        reader,
                        nanos,
                        () -> read(reader, request),
                        page -> !page.items().isEmpty());
    }

    /**
     * Reads a page of a reader's feed as cards: the content of the posts, and the values that parts load for them. The
     * page is read and filled as by {@link #read(String, PageRequest, PostLoader)}. Then the parts are loaded, each
     * with at most one call a wave; they never fail the page. {@link FeedListener#read} is notified before the parts
     * are loaded.
     *
     * @param reader whose feed
     * @param request which page
     * @param cards what the cards consist of
     * @return the page
     * @throws CallbackException if the filter throws, or the loader of the content
     */
    @Beta
    public FeedPage<Card> read(String reader, PageRequest request, PageAssembly cards) {
        PostLoader<Card> loader = nonNull("cards", cards).contentLoader();
        return withParts(reader, read(reader, request, loader), cards);
    }

    private FeedPage<Card> withParts(String reader, FeedPage<Card> page, PageAssembly cards) {
        List<Card> items = parts.cards().load(reader, page.items(), cards);
        return new FeedPage<>(items, page.older(), page.newer(), page.moreNewer(), page.caveats());
    }

    /**
     * Reads a page of a reader's feed in an order that the host computes. The first page
     * ({@link RankRequest#top}) reads the newest posts of the feed, like a first page of {@link #read}: with the same
     * guarantees, and as a visit of the reader. The ranker scores them all in one call, and the order is saved. Later
     * pages ({@link RankRequest#after}) show the next posts of that order; they do not call the ranker.
     *
     * <p>A walk shows each candidate once, in the order of the first page, whatever is published or scored meanwhile.
     * Candidates are left out once they are deleted, or hidden by the filter, or their author is not followed any more.
     * A delete or an unfollow that returned before the call of a later page is respected, on any engine. Posts that are
     * published after the first page are not part of the walk. Two walks of one reader do not affect each other.
     *
     * <p>The order is kept for {@link FeedEngineBuilder.ReadSettings#rankSnapshotAge}, and for the reader's latest
     * eight walks. If the store cannot save it, the first page has no next cursor, and the caveat
     * {@link FeedPage.Caveat#ORDER_NOT_SAVED}. A later page needs the source of truth, even with
     * {@link FeedEngineBuilder.ReadSettings#staleIfError}.
     *
     * @param reader whose feed
     * @param request which page
     * @param ranker scores the candidates
     * @return the page
     * @throws SnapshotExpiredException if the order is not stored any more, or is another reader's
     * @throws CallbackException if the filter or the ranker throws, or the scores are not valid
     */
    @Beta
    public RankedPage<Post> ranked(String reader, RankRequest request, Ranker ranker) {
        requireRanked(reader, request, ranker);
        return parts.rankedReader().read(reader, request, ranker);
    }

    /**
     * Reads a page of a reader's feed in an order that the host computes, with the host's content. Posts without
     * content are left out, and the page is filled with further posts of the order. Only content that the page needs is
     * loaded. A post is not shown if its delete returned, on any engine, before this call, unless the page has the
     * caveat {@link FeedPage.Caveat#STALE}.
     *
     * @param reader whose feed
     * @param request which page
     * @param ranker scores the candidates
     * @param loader loads the content
     * @param <T> the host's content
     * @return the page
     * @throws SnapshotExpiredException if the order is not stored any more, or is another reader's
     * @throws CallbackException if the filter, the ranker or the loader throws, or the scores are not valid
     */
    @Beta
    public <T> RankedPage<T> ranked(String reader, RankRequest request, Ranker ranker, PostLoader<T> loader) {
        requireRanked(reader, request, ranker);
        return parts.rankedReader().read(reader, request, ranker, nonNull("loader", loader));
    }

    private void requireRanked(String reader, RankRequest request, Ranker ranker) {
        requireOpen();
        Ids.require("reader", reader);
        nonNull("request", request);
        nonNull("ranker", ranker);
    }

    /**
     * Reads a page of an author's own posts, from the outbox. No filter applies, because no reader is given.
     *
     * @param author whose posts
     * @param request which page; {@link PageRequest#from} and {@link PageRequest#and} have no meaning here
     * @return the page; empty for an author without posts
     * @throws IllegalArgumentException if the request names authors
     */
    public FeedPage<Post> readAuthor(String author, PageRequest request) {
        requireAuthorPage(author, request);
        long askedAt = now();
        return feedPage(
                parts.authorReader().read(author, request.range(), request.order(), request.limit(), request.before()),
                request,
                askedAt);
    }

    /**
     * Reads a page of an author's own posts with the host's content. Posts without content are left out, and the page
     * is filled with further posts.
     *
     * @param author whose posts
     * @param request as in {@link #readAuthor(String, PageRequest)}
     * @param loader loads the content
     * @param <T> the host's content
     * @return the page; empty for an author without posts
     * @throws IllegalArgumentException if the request names authors
     * @throws CallbackException if the loader throws
     */
    public <T> FeedPage<T> readAuthor(String author, PageRequest request, PostLoader<T> loader) {
        requireAuthorPage(author, request);
        nonNull("loader", loader);
        long askedAt = now();
        ReadPage<T> page = parts.authorReader()
                .read(author, request.range(), request.order(), request.limit(), request.before(), loader);
        return feedPage(page, request, askedAt);
    }

    /**
     * Reads a page of an author's own posts as cards, as {@link #read(String, PageRequest, PageAssembly)} does for a
     * feed.
     *
     * @param author whose posts
     * @param request as in {@link #readAuthor(String, PageRequest)}
     * @param reader who reads the page: parts may depend on it
     * @param cards what the cards consist of
     * @return the page; empty for an author without posts
     * @throws IllegalArgumentException if the request names authors
     * @throws CallbackException if the loader of the content throws
     */
    @Beta
    public FeedPage<Card> readAuthor(String author, PageRequest request, String reader, PageAssembly cards) {
        Ids.require("reader", reader);
        PostLoader<Card> loader = nonNull("cards", cards).contentLoader();
        return withParts(reader, readAuthor(author, request, loader), cards);
    }

    private void requireAuthorPage(String author, PageRequest request) {
        requireOpen();
        Ids.require("author", author);
        if (!nonNull("request", request).authors().equals(FeedAuthors.FOLLOWEES)) {
            throw new IllegalArgumentException("request must name no authors, but is " + request);
        }
    }

    /**
     * Counts the posts of others in a reader's feed above the mark of {@link #markSeen}, up to
     * {@link FeedEngineBuilder#unreadCap}. For a reader without a mark, all posts of others count. Own posts do not
     * count.
     *
     * <p>The count is what a read on this engine would show at that moment. It leaves out posts of authors who are not
     * followed any more, deleted posts, and posts that the host's filter hides. A live inbox is counted in the store,
     * without reading posts. Posts of pulled authors are added from their recent posts on this engine. If these do not
     * reach down to the mark, one count in the outboxes adds the rest. In some cases the store cannot count, and the
     * engine reads the feed: a filter is set; a follow, an unfollow or a delete is not finished; this engine counts the
     * inbox for the first time; own posts are above the mark.
     *
     * <p>A reader without a live inbox, for example after a long absence, gets an equally exact count. This count is
     * taken in the outboxes of the reader's followees, which costs more. Counting is not a visit: it opens no inbox,
     * and keeps none live.
     *
     * @param reader whose feed
     * @return the count
     * @throws CallbackException if the filter throws
     */
    public Unread unread(String reader) {
        requireOpen();
        Ids.require("reader", reader);
        return parts.live()
                .answer(
                        reader,
                        UNREAD,
                        Unread.class,
                        () -> countUnread(reader),
                        count -> !parts.live().isFiltered());
    }

    private Unread countUnread(String reader) {
        return parts.unread().count(List.of(reader)).getOrDefault(reader, new Unread(0, false));
    }

    /**
     * Counts unread posts for many readers, as {@link #unread(String)} does for one. Two hundred readers are counted
     * together; on most stores this takes as many round trips as one reader. Feeds with a filter or an unfinished
     * follow are read one by one. The counts may be of different moments. There may be any number of readers: apart
     * from the answers, memory use does not grow with the number of readers.
     *
     * @param readers the readers; duplicates are counted once
     * @return a count for each reader
     * @throws CallbackException if the filter throws
     */
    public Map<String, Unread> unread(Collection<String> readers) {
        requireOpen();
        List<String> checked = Ids.requireEach("readers", readers);
        return checked.isEmpty() ? Map.of() : parts.unread().count(checked);
    }

    /**
     * Counts the posts of others in a reader's feed that are newer than a cursor, up to
     * {@link FeedEngineBuilder#unreadCap}, for example to show "5 new posts" above a page. The count is about the
     * number of posts that {@link PageRequest#newer} would show, without own posts. It is made like that of
     * {@link #unread(String)}, from the cursor instead of the mark.
     *
     * @param reader whose feed
     * @param cursor the place, usually {@link FeedPage#newer()} of the page that the client shows
     * @return the count
     * @throws CallbackException if the filter throws
     */
    public Unread countNewer(String reader, Cursor cursor) {
        requireOpen();
        Ids.require("reader", reader);
        return parts.unread().count(reader, nonNull("cursor", cursor).shown());
    }

    /**
     * Marks posts as seen: all posts up to a place in the feed, and the posts that the cursor lists as shown. A mark
     * never moves back, and devices may report in any order. A post that arrives late, within the lookback below the
     * place, counts as unread, as {@link PageRequest#newer} shows it. A place later than the present of this engine
     * marks up to the present, because new posts will be published from there on.
     *
     * @param reader whose feed
     * @param upTo the place, usually {@link FeedPage#newer()} of a page that was shown
     */
    public void markSeen(String reader, Cursor upTo) {
        requireOpen();
        markSeen(List.of(seen(reader, upTo)));
    }

    /**
     * Marks posts as seen by many readers, as {@link #markSeen(String, Cursor)} does for one, for example after an
     * import. A thousand readers take few round trips. Each mark is recorded separately: if the call throws, some marks
     * may have been recorded, and the call may be repeated.
     *
     * @param readers whose feeds
     * @param upTo the place, such as {@link Cursor#at(java.time.Instant)}
     */
    public void markSeen(Collection<String> readers, Cursor upTo) {
        requireOpen();
        List<Seen> seen = Ids.requireEach("readers", readers).stream()
                .distinct()
                .map(reader -> seen(reader, upTo))
                .toList();
        nonNull("upTo", upTo);
        for (int from = 0; from < seen.size(); from += MARKS_AT_ONCE) {
            markSeen(seen.subList(from, Math.min(seen.size(), from + MARKS_AT_ONCE)));
        }
    }

    private void markSeen(List<Seen> seen) {
        parts.seenMarks().markSeen(seen);
        parts.unread().markSeen(seen);
        parts.live().marked(seen.stream().map(Seen::reader).toList());
    }

    /**
     * Reads the mark that {@link #markSeen} recorded, for example to draw a line between seen and new posts. Posts
     * above the cursor's place are new, except those that the cursor lists as shown.
     *
     * @param reader whose feed
     * @return the mark as a cursor; empty if there is none
     */
    public Optional<Cursor> seenMark(String reader) {
        requireOpen();
        SeenPosts seen = parts.seenMarks()
                .lastSeen(List.of(Ids.require("reader", reader)))
                .get(0);
        return seen.equals(SeenPosts.NOTHING) ? Optional.empty() : Optional.of(Cursor.of(seen));
    }

    /**
     * Sets the mark to a place, which may lie below the present mark: posts above the place are unread again. If a
     * device then reports posts as seen, the mark rises again.
     *
     * @param reader whose feed
     * @param upTo the place, such as {@link Cursor#at(java.time.Instant)}. A place later than the present of this
     *     engine marks up to the present
     */
    public void resetSeen(String reader, Cursor upTo) {
        requireOpen();
        Seen seen = seen(reader, upTo);
        parts.seenMarks().reset(List.of(seen));
        parts.unread().reset(seen);
        parts.live().marked(List.of(reader));
    }

    private Seen seen(String reader, Cursor upTo) {
        Ids.require("reader", reader);
        Position present = new Position(now() + 1, "", "");
        return new Seen(reader, nonNull("upTo", upTo).shown().notAbove(present));
    }

    /**
     * Lets a reader follow an author. When this returns, the author's posts are in the feed, old ones included.
     * Following again finishes a follow that was interrupted. A reader cannot follow themselves: such a call changes
     * nothing (see {@link FeedEngineBuilder#ownPosts}).
     *
     * @param reader who follows
     * @param author who is followed
     * @return whether the follow is new
     * @throws IllegalStateException if the follow graph is the host's own; see {@link #hostGraph}
     * @throws OutcomeUnknownException if the follow may be in the graph, but the feed may lack posts; following again
     *     repairs that, and so does the next refresh
     */
    public boolean follow(String reader, String author) {
        requireEdge(reader, author);
        return followAll(reader, List.of(author)).get(0);
    }

    /**
     * Lets a reader follow many authors, as {@link #follow} does for one. A thousand authors take a few round trips.
     * Each follow is recorded separately: if the call throws, some follows may have been recorded.
     *
     * @param reader who follows
     * @param authors who are followed
     * @return for each author whether the follow is new
     * @throws IllegalStateException if the follow graph is the host's own; see {@link #hostGraph}
     * @throws OutcomeUnknownException as {@link #follow} does, and if the store fails after some authors were followed
     */
    public List<Boolean> followAll(String reader, Collection<String> authors) {
        List<String> checked = requireEdges(reader, authors);
        WritableFollowGraph graph = writableGraph("follow", "followed");
        return parts.follows().follow(reader, checked, some -> graph.add(edges(reader, some)));
    }

    /**
     * Lets a reader unfollow an author. When this returns, no engine shows the author's posts any more.
     *
     * @param reader who followed
     * @param author who was followed
     * @return whether the reader followed the author
     * @throws IllegalStateException if the follow graph is the host's own; see {@link #hostGraph}
     * @throws OutcomeUnknownException if the follow may be gone from the graph, but posts may still be shown;
     *     unfollowing again repairs that, and so does the next refresh
     */
    public boolean unfollow(String reader, String author) {
        requireEdge(reader, author);
        return unfollowAll(reader, List.of(author)).get(0);
    }

    /**
     * Lets a reader unfollow many authors, as {@link #unfollow} does for one. Each unfollow is recorded separately: if
     * the call throws, some unfollows may have been recorded.
     *
     * @param reader who followed
     * @param authors who were followed
     * @return for each author whether the reader followed the author
     * @throws IllegalStateException if the follow graph is the host's own; see {@link #hostGraph}
     * @throws OutcomeUnknownException as {@link #unfollow} does, and if the store fails after some authors were
     *     unfollowed
     */
    public List<Boolean> unfollowAll(String reader, Collection<String> authors) {
        List<String> checked = requireEdges(reader, authors);
        WritableFollowGraph graph = writableGraph("unfollow", "unfollowed");
        return parts.follows().unfollow(reader, checked, some -> graph.remove(edges(reader, some)));
    }

    /**
     * Moves all followers of an author to another author, for example when a user moves to a new account: each follows
     * {@code to} instead of {@code from}, as by {@link #unfollow} and {@link #follow}. Two hundred and fifty followers
     * take a few round trips; a follower without an inbox costs only the change of the edge. A follower who is
     * {@code to} unfollows {@code from}. Each follower is moved in one step, so a follower whom another call lets
     * unfollow {@code from} meanwhile does not follow {@code to}. Readers who follow {@code from} after the call began
     * may keep following. The posts of {@code from} stay where they are.
     *
     * <p>Moving again is harmless, and finishes a move that was interrupted. A follower in whose inbox the move was
     * interrupted gets the right feed all the same, and the next refresh finishes it.
     *
     * @param from whose followers
     * @param to whom they follow instead
     * @return how many followed {@code from} until now
     * @throws IllegalArgumentException if both are the same
     * @throws IllegalStateException if the follow graph is the host's own; see {@link #hostGraph}
     * @throws OutcomeUnknownException if the store fails after some followers may have been moved; move again
     */
    @Beta
    public long moveFollowers(String from, String to) {
        requireOpen();
        Ids.require("from", from);
        Ids.require("to", to);
        if (from.equals(to)) {
            throw new IllegalArgumentException("to must be another author than from, but both are " + from);
        }
        return parts.followerMoves().move(writableGraph("moveFollowers", "followed and unfollowed"), from, to);
    }

    /**
     * Returns the object that takes reports about a follow graph that the host keeps itself. FeedKit only reads such a
     * graph, so {@link #follow} and {@link #unfollow} are refused.
     *
     * @return the same object on every call
     * @throws IllegalStateException if the follow graph is a {@linkplain WritableFollowGraph writable} one; call
     *     {@link #follow} and {@link #unfollow} then
     */
    public HostGraph hostGraph() {
        requireOpen();
        if (parts.graph() instanceof WritableFollowGraph) {
            throw new IllegalStateException(
                    "hostGraph is for a follow graph that FeedKit only reads, but FeedKit writes"
                            + " this graph: call follow and unfollow");
        }
        return parts.hostGraph();
    }

    /**
     * Returns whether a reader follows an author.
     *
     * @param reader the reader
     * @param author the author
     * @return true if the reader follows the author
     */
    public boolean isFollowing(String reader, String author) {
        requireEdge(reader, author);
        return !parts.graph().followed(reader, List.of(author)).isEmpty();
    }

    /**
     * Returns which of some authors a reader follows, in one call to the store.
     *
     * @param reader the reader
     * @param authors the authors
     * @return the authors that the reader follows
     */
    public Set<String> following(String reader, Collection<String> authors) {
        List<String> checked = requireEdges(reader, authors);
        return checked.isEmpty() ? Set.of() : parts.graph().followed(reader, checked);
    }

    /**
     * Lists the first followers of an author.
     *
     * @param author the author
     * @param limit the most ids, 1 to {@value PageRequest#MAX_LIMIT}
     * @return the ids, ascending by bytes, and where the next page begins
     * @throws IllegalArgumentException if the limit is out of range
     */
    public FollowPage followers(String author, int limit) {
        return followersAbove(author, FIRST, limit);
    }

    /**
     * Lists the next followers of an author.
     *
     * @param author the author
     * @param after list ids above this one, usually {@link FollowPage#next} of the page before
     * @param limit the most ids, 1 to {@value PageRequest#MAX_LIMIT}
     * @return the ids, ascending by bytes, and where the next page begins
     * @throws IllegalArgumentException if the limit is out of range
     */
    public FollowPage followers(String author, String after, int limit) {
        requireOpen();
        Ids.require("author", author);
        return followersAbove(author, InvalidRequestException.requireAfter(after), limit);
    }

    private FollowPage followersAbove(String author, String after, int limit) {
        requireOpen();
        Ids.require("author", author);
        requireLimit(limit);
        FollowerQuery query = new FollowerQuery(author, KeyRange.ALL, after, limit);
        return followPage(parts.graph().followers(List.of(query)).get(0));
    }

    /**
     * Lists the first authors that a reader follows.
     *
     * @param reader the reader
     * @param limit the most ids, 1 to {@value PageRequest#MAX_LIMIT}
     * @return the ids, ascending by bytes, and where the next page begins
     * @throws IllegalArgumentException if the limit is out of range
     */
    public FollowPage followees(String reader, int limit) {
        return followeesAbove(reader, FIRST, limit);
    }

    /**
     * Lists the next authors that a reader follows.
     *
     * @param reader the reader
     * @param after list ids above this one, usually {@link FollowPage#next} of the page before
     * @param limit the most ids, 1 to {@value PageRequest#MAX_LIMIT}
     * @return the ids, ascending by bytes, and where the next page begins
     * @throws IllegalArgumentException if the limit is out of range
     */
    public FollowPage followees(String reader, String after, int limit) {
        requireOpen();
        Ids.require("reader", reader);
        return followeesAbove(reader, InvalidRequestException.requireAfter(after), limit);
    }

    private FollowPage followeesAbove(String reader, String after, int limit) {
        requireOpen();
        Ids.require("reader", reader);
        requireLimit(limit);
        return followPage(parts.graph().followees(reader, after, limit));
    }

    private static FollowPage followPage(IdPage page) {
        return FollowPage.of(page.ids(), page.more());
    }

    /**
     * Counts a user's followers and followees, as the graph counts them.
     *
     * @param user the user
     * @return the counts
     */
    public FollowCounts followCounts(String user) {
        requireOpen();
        Ids.require("user", user);
        return parts.graph().counts(List.of(user)).getOrDefault(user, new FollowCounts(0, 0));
    }

    /**
     * Compares a reader's inbox with the outboxes, inserts missing posts, removes posts that do not belong there, and
     * moves posts whose time has changed. A refresh repairs every difference, from any cause. First-page reads start it
     * once in {@link FeedEngineBuilder.ReadSettings#reconcileInterval}.
     *
     * @param reader whose inbox
     * @return how many posts were inserted
     */
    public int refresh(String reader) {
        requireOpen();
        Ids.require("reader", reader);
        return parts.reconciler().refresh(reader).added();
    }

    /**
     * Rebuilds a reader's inbox from the outboxes. Meanwhile, reads are served from the outboxes.
     *
     * @param reader whose inbox
     * @return false if the inbox was not rebuilt: another engine or a read of this engine is building it, or too many
     *     inboxes are being built. Then call again
     */
    public boolean rebuild(String reader) {
        requireOpen();
        Ids.require("reader", reader);
        return parts.builder().build(reader, true);
    }

    /**
     * Returns the state of a reader's feed, for operators: inbox, followees, pulled authors, pending follows, marks and
     * connection. Changes nothing: unlike a read, it neither builds an inbox nor keeps one live. The parts are read one
     * after the other, so changes made meanwhile may show in some of them only.
     *
     * <p>If a part of the store cannot be reached, the state names it, and holds the other parts. The call then takes
     * as long as the time-outs of these parts. It reads the whole inbox and all followees, at most {@code cap} posts
     * and {@code maxFollowees} authors. Safe for use by many threads.
     *
     * @param reader the reader's user id; the reader need not exist
     * @return the state
     * @throws IllegalArgumentException if the reader is not a legal id
     * @throws EngineClosedException if the engine is closed
     */
    @Beta
    public ReaderState inspect(String reader) {
        requireOpen();
        return parts.inspector().inspect(Ids.require("reader", reader));
    }

    /**
     * Explains why a post is, or is not, in a reader's feed, for operators. The explanation is about a read from the
     * first page to the end that begins now on this engine, with the filter of this engine and without a loader: a
     * loader that has no content for a post hides the post as well. Changes nothing: unlike a read, it neither builds
     * an inbox nor keeps one live.
     *
     * <p>The facts are read one after the other, so a change made meanwhile may count or not. Plain pages may follow
     * changes of other engines later, by {@code staleness} (1 s) at most. A loss of deliveries that this engine has not
     * noticed yet does not count. While a follow or unfollow of the reader is pending, the explanation is about the
     * first page: later pages are read from the outboxes, and show posts that the inbox lacks. The call examines up to
     * {@value io.feedkit.spi.FanoutLog#COUNTED_AT_MOST} unfinished tasks, which takes a store up to about a tenth of a
     * second.
     *
     * <p>If a part of the store cannot be reached, the explanation names it. The call then takes as long as the
     * time-outs of these parts. Safe for use by many threads.
     *
     * @param reader the reader's user id; the reader need not exist
     * @param post the post; it need not exist
     * @return the explanation
     * @throws IllegalArgumentException if the reader is not a legal id, or the post is null
     * @throws CallbackException if the filter of this engine fails
     * @throws EngineClosedException if the engine is closed
     */
    @Beta
    public Explanation explain(String reader, PostKey post) {
        requireOpen();
        return parts.explainer().explain(Ids.require("reader", reader), nonNull("post", post));
    }

    /**
     * Removes all data of a user: the user's posts, inbox, marks, ranked orders and presence, and, in a writable follow
     * graph, the edges in both directions. The ids of the posts are kept as tombstones. Ranked orders in the memory of
     * other engines expire. If the call was interrupted, it may be repeated. Close the user's connections before: an
     * engine that still holds one reports the user again.
     *
     * @param user the user
     */
    public void forget(String user) {
        requireOpen();
        parts.eraser().forget(Ids.require("user", user));
    }

    /**
     * Changes the policy for all posts that this engine publishes from now on, unless all engines are switched to
     * {@linkplain #usePolicyOnAllEngines another one}. Existing feeds do not change.
     *
     * @param policy the new policy
     */
    public void usePolicy(FanoutPolicy policy) {
        requireOpen();
        parts.policies().own(nonNull("policy", policy));
    }

    /**
     * Switches all engines on this store, in all processes, to a named policy. Engines that start later use it, too.
     * This engine switches at once. Another engine switches when it publishes, after
     * {@link FeedEngineBuilder.ReadSettings#staleness} at the latest; if it publishes in a transaction of the host,
     * possibly one call later. An engine that does not know the name keeps its own policy, and logs a warning. Existing
     * feeds do not change.
     *
     * @param name a name that {@link FeedEngineBuilder#namedPolicy} gave to a policy of this engine
     * @throws IllegalArgumentException if this engine knows no policy of that name
     * @throws UnsupportedOperationException if the store cannot keep the name
     */
    @Beta
    public void usePolicyOnAllEngines(String name) {
        requireOpen();
        parts.policies().everywhere(Ids.require("name", name));
    }

    /**
     * Undoes {@link #usePolicyOnAllEngines}: each engine uses its own policy again.
     *
     * @throws UnsupportedOperationException if the store cannot keep a name
     */
    @Beta
    public void useOwnPolicyOnAllEngines() {
        requireOpen();
        parts.policies().everywhere("");
    }

    /**
     * Returns the policy that {@link #usePolicyOnAllEngines} set, read from the store.
     *
     * @return the name of the policy; empty if each engine uses its own
     * @throws StoreUnavailableException if the store cannot be reached
     */
    @Beta
    public Optional<String> policyOnAllEngines() {
        requireOpen();
        return parts.policies().name();
    }

    /**
     * Moves all posts that are old enough to the {@linkplain FeedEngineBuilder#archive archive} now, on the calling
     * thread, as the engine's own thread does from time to time. It is for engines without workers, and for hosts with
     * their own schedulers. The call takes at least a second, and keeps the rate of
     * {@link FeedEngineBuilder.ArchiveSettings#postsPerSecond}. Any number of calls may run at once, in any number of
     * processes; each post is moved once. If the call fails, is interrupted, or the engine is closed, the rest stays in
     * the outbox, and another call moves it.
     *
     * @return how many posts this call moved
     * @throws IllegalStateException if the engine has no archive, or the archive does not store what it was given
     */
    @Beta
    public long archivePosts() {
        requireOpen();
        return parts.archive()
                .orElseThrow(
                        () -> new IllegalStateException("the engine has no archive: set FeedEngineBuilder.archive"))
                .moveDue(closed::get);
    }

    /**
     * Returns who is online: connected readers, and readers who were seen lately.
     *
     * @return the same object on every call
     */
    @Beta
    public Presence presence() {
        return parts.presence();
    }

    /**
     * Returns the controls of the fan-out: drain it, inspect its backlog, pause it, and handle its dead letters.
     *
     * @return the same object on every call
     */
    public FanoutControl fanout() {
        return parts.fanout();
    }

    /**
     * Checks the health of the store: sends a query that changes nothing to all parts at the same time. A part that
     * fails or does not answer in time is reported as down, and the call does not throw. If a part has not answered an
     * earlier check, the call waits for that answer, and sends the part no second query.
     *
     * @param limit how long to wait, a millisecond to a minute
     * @return which parts answered, and how long each took
     */
    @Beta
    public Health check(Duration limit) {
        requireOpen();
        return parts.health().check(between("limit", limit, Duration.ofMillis(1), Duration.ofMinutes(1)));
    }

    /**
     * Compares stored data with the source of truth, and repairs differences if the request asks for it. It compares
     * the tasks of the fan-out log, the pulled register, both sides of the follow graph, the inboxes, the archive and
     * the seen marks; see {@link io.feedkit.verify.FindingKind} for what it finds. Without a repair it changes nothing.
     *
     * <p>Engines may work meanwhile, on this store and on all others. A difference is a finding only if it is still
     * there when it is looked at again, after {@link VerifyRequest#recheckAfter}. Repairs are those that the engine
     * makes anyway, such as a {@link #refresh}. They are idempotent, so a run that was interrupted may be repeated.
     *
     * <p>The call returns when everything is compared. It uses the calling thread, and about one connection. For a
     * large store it takes hours at the default rate, which limits the load. Run it in one process.
     *
     * @param request what to compare, how fast, and whether to repair
     * @return what was compared and found; {@linkplain VerifyReport#isStopped stopped} if the callback ended the run,
     *     the thread was interrupted, or the engine was closed
     * @throws StoreUnavailableException if ten comparisons in a row cannot reach a store. Repairs that were made stay.
     *     If a store cannot be reached while its data is listed, that stage is {@linkplain VerifyReport#incomplete
     *     incomplete}, and the run goes on
     */
    @Beta
    public VerifyReport verify(VerifyRequest request) {
        requireOpen();
        return parts.verification().run(nonNull("request", request), closed::get);
    }

    /**
     * Stops the workers after their present round (up to 128 tasks, at least a batch of each). Other engines, or the
     * next engine on this store, do the remaining tasks. The call waits no longer than the
     * {@linkplain FeedEngineBuilder.FanoutSettings#lease lease}. If a worker still hangs in a call to the store then,
     * the call logs a warning and returns, and the worker ends after its round. Idempotent.
     */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            parts.close();
        }
    }

    /** The time before a page is read: posts published during the read are newer than an empty page. */
    private long now() {
        return settings.now();
    }

    private static Walk walk(String reader, PageRequest request) {
        return Walk.visit(reader, request.authors(), request.range(), request.order(), request.isBeyondInbox());
    }

    private static <T> FeedPage<T> feedPage(ReadPage<T> page, PageRequest request, long askedAt) {
        return new FeedPage<>(
                page.items(),
                older(page, request),
                request.newerThan(page, askedAt),
                moreNewer(page, request),
                page.caveats());
    }

    private static Optional<Cursor> older(ReadPage<?> page, PageRequest request) {
        return (request.order() == Order.NEWEST_FIRST ? page.resume() : page.lowest())
                .map(place -> Cursor.at(place, page.beyondInbox()));
    }

    private static boolean moreNewer(ReadPage<?> page, PageRequest request) {
        return request.order() == Order.OLDEST_FIRST && page.resume().isPresent();
    }

    private void requireOpen() {
        if (closed.get()) {
            throw new EngineClosedException(settings.name());
        }
    }

    private static List<Edge> edges(String reader, List<String> authors) {
        return authors.stream().map(author -> new Edge(reader, author)).toList();
    }

    private List<String> requireEdges(String reader, Collection<String> authors) {
        requireOpen();
        Ids.require("reader", reader);
        return Ids.requireEach("authors", authors);
    }

    private void requireEdge(String reader, String author) {
        requireOpen();
        Ids.require("reader", reader);
        Ids.require("author", author);
    }

    private WritableFollowGraph writableGraph(String method, String instead) {
        if (parts.graph() instanceof WritableFollowGraph graph) {
            return graph;
        }
        throw new IllegalStateException(method
                + " needs a writable follow graph, but this graph is the host's own: write it and call hostGraph()."
                + instead);
    }

    private static void requireLimit(int limit) {
        InvalidRequestException.requireLimit(limit, PageRequest.MAX_LIMIT);
    }

    private static <T> List<T> requireAll(String name, Collection<T> values) {
        List<T> copy = new ArrayList<>(nonNull(name, values));
        for (int i = 0; i < copy.size(); i++) {
            nonNull(name + "[" + i + "]", copy.get(i));
        }
        return copy;
    }

    @Override
    public String toString() {
        return "FeedEngine[" + settings.name() + (closed.get() ? ", closed]" : "]");
    }
}

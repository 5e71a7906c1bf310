package io.feedkit.internal.publish;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.partitioningBy;
import static java.util.stream.Collectors.toSet;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.PublishTransaction;
import io.feedkit.Published;
import io.feedkit.event.OperationStarted.Kind;
import io.feedkit.event.PostDeleted;
import io.feedkit.event.PostPublished;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.internal.cache.BacklogCache;
import io.feedkit.internal.cache.RegisterCache;
import io.feedkit.internal.cache.RegisterView;
import io.feedkit.internal.check.FailureReasons;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.GuardedCallbacks;
import io.feedkit.internal.host.GuardedListener;
import io.feedkit.internal.host.Interrupts;
import io.feedkit.internal.inbox.CheckedInserts;
import io.feedkit.internal.presence.AuthorActivity;
import io.feedkit.internal.signal.FeedSignals;
import io.feedkit.internal.signal.Signal;
import io.feedkit.internal.transaction.CommitWatch;
import io.feedkit.internal.transaction.OwnPostDelivery;
import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.Inbox.Delivery;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Outbox.Appended;
import io.feedkit.spi.Outbox.Publication;
import io.feedkit.spi.OutboxWriter;
import io.feedkit.spi.Position;
import io.feedkit.spi.TransactionalOutbox;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The write path. It checks the posts, asks the policy, and appends post and task in one atomic step. Then it does the
 * work that must not wait for a worker. If that work fails, the task does it, because the task is durable. Thread-safe.
 */
public final class Publisher {

    private static final Logger log = LoggerFactory.getLogger(Publisher.class);

    /** The most posts of an import that one outbox call records. Posts of one author are recorded together. */
    private static final int IMPORTED_AT_ONCE = 1000;

    private static final Comparator<Post> NEWEST_FIRST_BY_AUTHOR =
            Comparator.comparing(Post::author).thenComparing((one, other) -> Position.compare(other, one));

    private static final Duration YEARS = Duration.ofDays(10 * 365);

    private final AtomicBoolean warned = new AtomicBoolean();
    private final EngineSettings settings;
    private final CheckedInserts inserts;
    private final FeedSignals signals;
    private final Outbox outbox;
    private final RegisterCache registerCache;
    private final GuardedListener listener;
    private final OwnPostDelivery ownPosts;
    private final CommitWatch commits;
    private final AuthorActivity activity;
    private final AuthorStatusLookup statuses;
    private final Runnable wakeWorkers;
    private final Runnable wakeWorkersSoon;
    private final PolicySwitch policies;

    public Publisher(
            EngineSettings settings,
            Outbox outbox,
            FollowGraph graph,
            RegisterCache registerCache,
            GuardedListener listener,
            OwnPostDelivery ownPosts,
            CommitWatch commits,
            AuthorActivity activity,
            CheckedInserts inserts,
            FeedSignals signals,
            BacklogCache backlogs,
            PolicySwitch policies,
            Runnable wakeWorkers,
            Runnable wakeWorkersSoon) {
        this.settings = settings;
        this.outbox = outbox;
        this.registerCache = registerCache;
        this.listener = listener;
        this.ownPosts = ownPosts;
        this.commits = commits;
        this.activity = activity;
        this.inserts = inserts;
        this.signals = signals;
        this.statuses = new AuthorStatusLookup(graph, registerCache, backlogs);
        this.policies = policies;
        this.wakeWorkers = wakeWorkers;
        this.wakeWorkersSoon = wakeWorkersSoon;
    }

    public void policy(FanoutPolicy newPolicy) {
        policies.own(newPolicy);
    }

    /** Publishes in the transaction that the calling thread is in, or on its own if there is none. */
    public List<Published> publishInCurrent(List<Post> posts) {
        Optional<PublishTransaction> transaction = settings.transactions().find();
        if (transaction.isEmpty()) {
            return publish(posts);
        }
        List<Published> published = publish(posts, transaction.get());
        settings.transactions().afterCommit(wakeWorkers);
        return published;
    }

    /** Publishes posts as the policy decides. */
    public List<Published> publish(List<Post> posts) {
        return listener.observe(Kind.PUBLISH, posts.size(), () -> publishNow(posts));
    }

    private List<Published> publishNow(List<Post> posts) {
        List<Published> published = finish(append(outbox, decide(policies.current(), admit(posts), statuses.plain())));
        activity.published(published.stream()
                .filter(each -> each.status() == Published.Status.NEW)
                .map(each -> each.post().author())
                .toList());
        return published;
    }

    /**
     * Publishes posts in a transaction of the host. The posts are not committed yet, so this call does not deliver
     * them. The workers, and a read by the author, do so after the commit.
     */
    public List<Published> publish(List<Post> posts, PublishTransaction transaction) {
        return listener.observe(Kind.PUBLISH, posts.size(), () -> publishIn(transaction, posts));
    }

    private List<Published> publishIn(PublishTransaction transaction, List<Post> posts) {
        TransactionalOutbox transactional = transactional();
        OutboxWriter joined = transactional.joining(transaction);
        List<Publication> publications =
                decide(policies.currentWithoutAsking(), admit(posts), statuses.within(transaction, transactional));
        List<Published> published = new ArrayList<>(posts.size());
        for (Answer answer : append(joined, publications)) {
            if (answer.isNew()) {
                Post post = answer.appended().post();
                if (!answer.isAhead()) {
                    ownPosts.remember(post);
                }
                commits.published(PostPublished.of(post, answer.mode()), settings.now());
            }
            published.add(published(answer.appended()));
        }
        wakeWorkersSoon.run();
        return published;
    }

    /** Throws {@link IllegalArgumentException} if posts could not be published in the transaction. */
    public void requireJoinable(PublishTransaction transaction) {
        transactional().joining(transaction);
    }

    private TransactionalOutbox transactional() {
        if (outbox instanceof TransactionalOutbox transactional) {
            return transactional;
        }
        throw new IllegalArgumentException("transaction must be of the store's own kind, but the outbox of this store ("
                + outbox.getClass().getSimpleName()
                + ") does not take part in transactions: publish and delete after the commit, or keep the posts in"
                + " SQL");
    }

    /**
     * Publishes earlier posts, with few tasks for each author. An author's newest posts are recorded first: they fill
     * the inboxes, and the older posts lie below them.
     */
    public List<Published> importPosts(List<Post> posts) {
        return listener.observe(Kind.PUBLISH, posts.size(), () -> importNow(posts));
    }

    private List<Published> importNow(List<Post> posts) {
        List<Post> admitted = admit(posts);
        Map<String, FanoutMode> modes = decideOnAuthors(policies.current(), admitted);
        Map<PostKey, Post> first = new HashMap<>();
        admitted.forEach(post -> first.putIfAbsent(post.key(), post));
        List<Integer> order = IntStream.range(0, admitted.size())
                .boxed()
                .sorted(Comparator.comparing(
                        place -> requireNonNull(first.get(admitted.get(place).key())), NEWEST_FIRST_BY_AUTHOR))
                .toList();
        Published[] published = new Published[admitted.size()];
        for (int from = 0; from < order.size(); from += IMPORTED_AT_ONCE) {
            List<Integer> piece = order.subList(from, Math.min(order.size(), from + IMPORTED_AT_ONCE));
            Set<String> pulled = pulled(piece.stream().map(admitted::get).toList(), modes);
            piece.stream()
                    .collect(partitioningBy(
                            place -> pulled.contains(admitted.get(place).author())))
                    .forEach((isPulled, places) -> {
                        List<Published> answers = finish(appendImported(
                                places.stream().map(admitted::get).toList(),
                                isPulled ? FanoutMode.PULL : FanoutMode.PUSH));
                        for (int i = 0; i < places.size(); i++) {
                            published[places.get(i)] = answers.get(i);
                        }
                    });
        }
        return List.of(published);
    }

    private List<Answer> appendImported(List<Post> posts, FanoutMode mode) {
        return posts.isEmpty()
                ? List.of()
                : outbox.appendImported(posts, mode).stream()
                        .map(appended -> new Answer(appended, mode))
                        .toList();
    }

    /** Decides once for each author. */
    private Map<String, FanoutMode> decideOnAuthors(FanoutPolicy decider, List<Post> posts) {
        List<String> authors = posts.stream().map(Post::author).distinct().toList();
        Map<String, FanoutMode> modes = new HashMap<>();
        for (int from = 0; from < authors.size(); from += IMPORTED_AT_ONCE) {
            List<String> piece = authors.subList(from, Math.min(authors.size(), from + IMPORTED_AT_ONCE));
            AuthorStatuses known = new AuthorStatuses(statuses.plain(), Set.copyOf(piece));
            piece.forEach(author -> modes.put(author, decide(decider, known, author)));
        }
        return modes;
    }

    /**
     * The authors whose posts are pulled: by the policy, or because a post lies among the author's unpushed ones, as in
     * {@link #isAmongUnpushed}. Most imported posts are old, so this uses the current register, and not its last known
     * state.
     */
    private Set<String> pulled(List<Post> posts, Map<String, FanoutMode> modes) {
        Set<String> authors = posts.stream().map(Post::author).collect(toSet());
        RegisterView known = registerCache.current(authors);
        return posts.stream()
                .filter(post -> modes.get(post.author()) != FanoutMode.PUSH || known.isUnpushed(post))
                .map(Post::author)
                .collect(toSet());
    }

    private static FanoutMode decide(FanoutPolicy decider, AuthorStatuses statuses, String author) {
        return GuardedCallbacks.call("policy", () -> decider.decide(statuses.of(author)));
    }

    /** Deletes in the transaction that the calling thread is in, or on its own if there is none. */
    public List<Boolean> deleteInCurrent(List<PostKey> keys) {
        Optional<PublishTransaction> transaction = settings.transactions().find();
        if (transaction.isEmpty()) {
            return delete(keys);
        }
        List<Boolean> existed = delete(keys, transaction.get());
        settings.transactions().afterCommit(() -> {
            hide(keys);
            wakeWorkers.run();
        });
        return existed;
    }

    private void hide(List<PostKey> keys) {
        registerCache.deleted(keys);
    }

    /** Deletes posts. Inboxes may hold posts that the outbox does not know; they are hidden at once, too. */
    public List<Boolean> delete(List<PostKey> keys) {
        List<Boolean> existed = outbox.delete(keys);
        List<PostKey> deleted = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            if (existed.get(i)) {
                deleted.add(keys.get(i));
            }
        }
        hide(keys);
        deleted.forEach(key -> listener.notify(listener -> listener.deleted(PostDeleted.of(key))));
        wakeWorkers.run();
        return existed;
    }

    /**
     * Deletes posts in a transaction of the host. Like other engines, this engine removes the posts from its caches
     * when it notices the commit.
     */
    public List<Boolean> delete(List<PostKey> keys, PublishTransaction transaction) {
        List<Boolean> existed = transactional().joining(transaction).delete(keys);
        for (int i = 0; i < keys.size(); i++) {
            if (existed.get(i)) {
                commits.deleted(keys.get(i), settings.now());
            }
        }
        wakeWorkersSoon.run();
        return existed;
    }

    private record Answer(Appended appended, FanoutMode mode) {
        boolean isNew() {
            return appended.status() == Appended.Status.NEW || isAhead();
        }

        /** Whether the outbox holds the post back. Then the task does everything, when the post's time has come. */
        boolean isAhead() {
            return appended.status() == Appended.Status.AHEAD;
        }
    }

    private List<Publication> decide(FanoutPolicy decider, List<Post> posts, AuthorStatuses.Source source) {
        AuthorStatuses statuses =
                new AuthorStatuses(source, posts.stream().map(Post::author).collect(toSet()));
        List<Publication> publications = new ArrayList<>(posts.size());
        for (Post post : posts) {
            FanoutMode mode = decide(decider, statuses, post.author());
            publications.add(new Publication(post, isAmongUnpushed(post, mode) ? FanoutMode.PULL : mode));
        }
        return publications;
    }

    /**
     * Whether a post to be pushed is back-dated and lies among its author's unpushed posts. Pages show such a post at
     * once, so it must be pulled as well. Otherwise it would vanish when the author leaves the register before its push
     * is done.
     */
    private boolean isAmongUnpushed(Post post, FanoutMode mode) {
        return mode == FanoutMode.PUSH && registerCache.lastKnown(post.author()).isUnpushed(post);
    }

    /**
     * Returns the posts as they are to be stored. A post that is dated ahead of the present is stored with the present.
     * So it does not show before its time, and does not lie above posts that are published later. An outbox that holds
     * posts back stores their own times, and shows each post at its time.
     *
     * @throws IllegalArgumentException if a post is dated ahead by more than the allowed skew
     */
    private List<Post> admit(List<Post> posts) {
        Instant present = settings.clock().instant();
        warnOfSeconds(posts, present);
        if (outbox.holdsBack()) {
            return posts;
        }
        Instant latest = present.plus(settings.maxFutureSkew());
        List<Post> admitted = new ArrayList<>(posts.size());
        for (Post post : posts) {
            Instant at = post.publishedAt();
            if (at.isAfter(latest)) {
                throw new IllegalArgumentException("publishedAt of " + post.key() + " must not be later than " + latest
                        + " (now plus maxFutureSkew " + settings.maxFutureSkew() + "), but is " + at);
            }
            boolean ahead = at.isAfter(present);
            admitted.add(ahead ? new Post(post.author(), post.id(), present) : post);
        }
        return admitted;
    }

    /**
     * Warns once if a time was probably given in seconds: read as milliseconds, such a time of today is in January
     * 1970.
     */
    private void warnOfSeconds(List<Post> posts, Instant present) {
        for (Post post : posts) {
            Instant asSeconds = Instant.ofEpochSecond(post.publishedAt().toEpochMilli());
            if (Duration.between(asSeconds, present).abs().compareTo(YEARS) < 0 && warned.compareAndSet(false, true)) {
                log.warn(
                        "{}: the post {} is dated {}; its time was probably given in seconds, but milliseconds are"
                                + " expected",
                        settings.name(),
                        post.key(),
                        post.publishedAt());
            }
        }
    }

    private List<Answer> append(OutboxWriter writer, List<Publication> publications) {
        List<Appended> appended = writer.append(publications);
        List<Answer> answers = new ArrayList<>(publications.size());
        for (int i = 0; i < publications.size(); i++) {
            answers.add(new Answer(appended.get(i), publications.get(i).mode()));
        }
        return answers;
    }

    /** Does the work that must not wait for a worker. */
    private List<Published> finish(List<Answer> answers) {
        List<Post> unpushed = new ArrayList<>();
        List<Delivery> own = new ArrayList<>();
        for (Answer answer : answers) {
            if (answer.isNew() && !answer.isAhead()) {
                Post post = answer.appended().post();
                if (answer.mode() != FanoutMode.PUSH) {
                    unpushed.add(post);
                }
                own.add(new Delivery(post, List.of(post.author()), 0));
            }
        }
        if (!own.isEmpty()) {
            doAtOnce(unpushed, settings.ownPosts() ? own : List.of());
            wakeWorkers.run();
        }
        List<Published> published = new ArrayList<>(answers.size());
        for (Answer answer : answers) {
            published.add(published(answer.appended()));
            if (answer.isNew()) {
                listener.notify(listener ->
                        listener.published(PostPublished.of(answer.appended().post(), answer.mode())));
            }
        }
        return published;
    }

    private void doAtOnce(List<Post> unpushed, List<Delivery> own) {
        try {
            if (!unpushed.isEmpty()) {
                registerCache.put(unpushed);
            }
            if (!own.isEmpty()) {
                inserts.deliver(own);
                signals.send(Signal.own(own.stream().map(Delivery::post).toList()));
            }
        } catch (Exception e) {
            Interrupts.keep(e);
            log.debug(
                    "{}: cannot register or deliver new posts at once; their fan-out tasks do so",
                    settings.name(),
                    FailureReasons.printable(e));
        }
    }

    private static Published published(Appended appended) {
        return new Published(
                switch (appended.status()) {
                    case NEW, AHEAD -> Published.Status.NEW;
                    case SAME -> Published.Status.SAME;
                    case DELETED -> Published.Status.DELETED;
                },
                appended.post());
    }
}

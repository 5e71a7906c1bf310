package io.feedkit.testkit.model;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.WritableFollowGraph.Edge;
import io.feedkit.testkit.SettableClock;
import io.feedkit.testkit.oracle.OracleFeed;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The posts that a read must show, and the posts that it may show, at any moment, according to the promises.
 *
 * <p>A read must show a post whose fan-out has ended (finished or dead), once the staleness bound has passed. It must
 * show a pulled post at once on the engine that published it, and an own post at once. After a reader's follow, refresh
 * or rebuild has returned, it must show every earlier post. A read may show every post that is in the oracle's feed. A
 * read without content may also show posts that were deleted within the staleness bound. A post that an operation under
 * way concerns may be shown or not.
 */
final class ExpectedPosts {

    /** A set of posts that a read, or a walk of many reads, must still show. */
    private record Watched(String reader, Set<Post> posts, Predicate<Post> andStill) {}

    private final OracleFeed oracle;
    private final Host host;
    private final FeedStore store;
    private final SettableClock clock;
    private final Cluster cluster;
    private final long staleness;
    private final Map<PostKey, Long> appendedAt = new HashMap<>();
    private final Map<PostKey, Long> settledAt = new HashMap<>();
    private final Map<PostKey, Long> deletedAt = new HashMap<>();
    private final List<Set<PostKey>> atOnce = new ArrayList<>();
    private final Set<PostKey> own = new HashSet<>();
    private final Set<PostKey> leftToWorkers = new HashSet<>();
    private final Map<String, Set<Post>> promised = new HashMap<>();
    private final List<Map<String, Map<Post, Long>>> shown = new ArrayList<>();
    private final Set<String> damaged = new HashSet<>();
    private final Map<String, Set<Post>> wrongEntries = new HashMap<>();
    private final Set<Post> placesBefore = new HashSet<>();
    private final Set<Edge> unreported = new HashSet<>();
    private boolean isMoving;
    private final Deque<Step> underWay = new ArrayDeque<>();
    private final List<Watched> watched = new ArrayList<>();
    private int changes;

    ExpectedPosts(
            OracleFeed oracle,
            Host host,
            FeedStore store,
            SettableClock clock,
            Cluster cluster,
            ModelSettings settings) {
        this.oracle = oracle;
        this.host = host;
        this.store = store;
        this.clock = clock;
        this.cluster = cluster;
        this.staleness = settings.staleness().toMillis();
        for (int i = 0; i < Cluster.ENGINES; i++) {
            atOnce.add(new HashSet<>());
            shown.add(new HashMap<>());
        }
    }

    /** Records changes. Called after every step, and before the clock moves. */
    void sync() {
        long now = clock.millis();
        FanoutLog log = store.outbox().fanout();
        boolean allShown = log.invisibleSince() == 0;
        boolean allDone = log.queueStatus().unfinished() == 0;
        long settledMark = store.outbox().settledMark();
        for (Post post : oracle.posts()) {
            long appended = appendedAt.computeIfAbsent(post.key(), key -> now);
            boolean settled = allShown || appended < settledMark;
            if (settled && (!leftToWorkers.contains(post.key()) || allDone)) {
                settledAt.putIfAbsent(post.key(), now);
            }
        }
        oracle.tombstones().forEach(key -> deletedAt.putIfAbsent(key, now));
        promised.forEach((reader, posts) -> posts.removeIf(post -> !inFeed(reader, post)));
        shown.forEach(onEngine ->
                onEngine.forEach((reader, posts) -> posts.keySet().removeIf(post -> !inFeed(reader, post))));
        for (Watched set : watched) {
            set.posts()
                    .removeIf(post -> !inFeed(set.reader(), post)
                            || damaged.contains(set.reader())
                            || isUnreported(set.reader(), post)
                            || isUnderWay(set.reader(), post)
                            || !set.andStill().test(post));
        }
    }

    private boolean inFeed(String reader, Post post) {
        return oracle.exists(post.key()) && oracle.shows(reader, post.author()) && host.isShown(reader, post);
    }

    /** Whether a read of this engine must show a post. */
    boolean isRequired(int engine, String reader, Post post) {
        Long settled = settledAt.get(post.key());
        boolean visible = (settled != null && settled + staleness(engine) <= clock.millis())
                || atOnce.get(engine).contains(post.key())
                || (reader.equals(post.author()) && own.contains(post.key()))
                || promised.getOrDefault(reader, Set.of()).contains(post)
                || wasShown(engine, reader, post);
        return visible
                && inFeed(reader, post)
                && !damaged.contains(reader)
                && !isUnreported(reader, post)
                && !isUnderWay(reader, post);
    }

    /** Whether this engine has shown a post, or another engine has shown it longer ago than the staleness bound. */
    private boolean wasShown(int engine, String reader, Post post) {
        for (int other = 0; other < Cluster.ENGINES; other++) {
            Long at = shown.get(other).getOrDefault(reader, Map.of()).get(post);
            if (at != null && (other == engine || at + staleness(engine) <= clock.millis())) {
                return true;
            }
        }
        return false;
    }

    /** All posts of a feed that a read from the outboxes must show now. */
    Set<Post> all(String reader) {
        Set<Post> all = new LinkedHashSet<>(oracle.posts());
        all.removeIf(post -> !inFeed(reader, post) || isUnreported(reader, post) || isUnderWay(reader, post));
        return all;
    }

    /** All posts that a read of this engine must show now. */
    Set<Post> required(int engine, String reader) {
        Set<Post> required = new LinkedHashSet<>(oracle.posts());
        required.removeIf(post -> !isRequired(engine, reader, post));
        return required;
    }

    /** The greatest staleness of an engine's pages, by the store's clock. */
    long staleness(int engine) {
        return cluster.clock(engine).oldest(staleness);
    }

    /** Whether a read of this engine may show a post. */
    boolean isAllowed(int engine, String reader, Post post, boolean hydrated) {
        if (!host.isShown(reader, post) || (hydrated && !host.hasContent(post))) {
            return false;
        }
        if (isUnderWay(reader, post)) {
            return true;
        }
        if (!isUnreported(reader, post) && !oracle.shows(reader, post.author())) {
            return false;
        }
        Long deleted = deletedAt.get(post.key());
        if (deleted == null) {
            return oracle.exists(post.key()) || wrongEntries(reader).contains(post);
        }
        return !hydrated && (clock.millis() - deleted < staleness(engine) || isMisplaced(reader, post));
    }

    /**
     * Whether the inbox may hold a post at a place where the outbox no longer has it. A delete does not find the post
     * there.
     */
    private boolean isMisplaced(String reader, Post post) {
        return wrongEntries(reader).contains(post) && appendedAt.containsKey(post.key());
    }

    /** Keeps a set of required posts up to date: a post that leaves the feed, even for a moment, leaves the set. */
    void watch(String reader, Set<Post> posts, Predicate<Post> andStill) {
        watched.add(new Watched(reader, posts, andStill));
    }

    void unwatch(Set<Post> posts) {
        watched.removeIf(set -> set.posts() == posts);
    }

    void visibleAtOnce(int engine, PostKey key) {
        atOnce.get(engine).add(key);
    }

    /**
     * From now on, the post may be missing in the register, until a worker enters it or the publisher is known to have
     * entered it. If the post is pushed to active readers only, the settled mark does not wait for the entry.
     */
    void leaveToWorkers(PostKey key) {
        leftToWorkers.add(key);
    }

    void doneByPublisher(PostKey key) {
        leftToWorkers.remove(key);
    }

    void ownAtOnce(PostKey key) {
        own.add(key);
    }

    void promise(String reader, Collection<Post> posts) {
        promised.computeIfAbsent(reader, id -> new HashSet<>()).addAll(posts);
    }

    /**
     * Records posts that an engine showed to a reader. They must stay, unless they are deleted, unfollowed or hidden,
     * whatever later pages are made from. Posts that an operation under way concerns are not recorded.
     */
    void show(int engine, String reader, Collection<Post> posts) {
        Map<Post, Long> before = shown.get(engine).computeIfAbsent(reader, id -> new HashMap<>());
        posts.stream()
                .filter(post -> !isUnderWay(reader, post))
                .forEach(post -> before.putIfAbsent(post, clock.millis()));
    }

    /**
     * Records an edge that was not reported to any engine. It may count or not until all engines have read the graph.
     */
    void unreported(String reader, String author) {
        unreported.add(new Edge(reader, author));
    }

    /** The readers of unreported edges. */
    Set<String> unreported() {
        return unreported.stream().map(Edge::reader).collect(Collectors.toSet());
    }

    /** Records that all engines have read the graph. */
    void graphRead() {
        unreported.clear();
    }

    private boolean isUnreported(String reader, Post post) {
        return unreported.contains(new Edge(reader, post.author()));
    }

    void damage(String reader) {
        damaged.add(reader);
        promised.remove(reader);
        shown.forEach(onEngine -> onEngine.remove(reader));
    }

    /** Records that a reader's inbox gets an entry that the outboxes do not have. */
    void damage(String reader, Post entry) {
        damage(reader);
        wrongEntries.computeIfAbsent(reader, id -> new HashSet<>()).add(entry);
    }

    /**
     * Records that the host has changed the time of a post.
     *
     * @param before the post as it was
     */
    void moved(Post before) {
        placesBefore.add(before);
        deliverAgain();
    }

    /**
     * Records that unfinished tasks name posts by times that have changed. A worker that fails may leave such posts in
     * inboxes, also after these were healed.
     */
    void deliverAgain() {
        isMoving = !placesBefore.isEmpty();
        Users.ALL.forEach(reader -> placesBefore.forEach(post -> damage(reader, post)));
    }

    /** Records that all tasks have finished, or are dead. */
    void allDelivered() {
        deliverAgain();
        isMoving = false;
    }

    /**
     * Records that the source of truth was restored from a backup. Its posts count as if they had just been published.
     * Inboxes may hold posts that are gone, and lack others, until they are healed.
     *
     * @param before the posts before
     */
    void restored(Collection<Post> before) {
        appendedAt.clear();
        settledAt.clear();
        deletedAt.keySet().retainAll(oracle.tombstones());
        atOnce.forEach(Set::clear);
        own.clear();
        leftToWorkers.clear();
        oracle.posts().forEach(post -> leftToWorkers.add(post.key()));
        Set<Post> kept = Set.copyOf(oracle.posts());
        for (String reader : Users.ALL) {
            before.stream().filter(post -> !kept.contains(post)).forEach(lost -> damage(reader, lost));
            damage(reader);
        }
        deliverAgain();
        sync();
    }

    /** The entries that a reader's inbox may hold although the outboxes do not have them. */
    Set<Post> wrongEntries(String reader) {
        return wrongEntries.getOrDefault(reader, Set.of());
    }

    /** Records that a reader's inbox has been compared with the outboxes. */
    void heal(String reader) {
        if (!isMoving) {
            damaged.remove(reader);
            wrongEntries.remove(reader);
        }
    }

    Set<String> damaged() {
        return Set.copyOf(damaged);
    }

    void begin(Step step) {
        changes++;
        underWay.push(step);
        sync();
    }

    void end() {
        sync();
        underWay.pop();
    }

    boolean isSettled(Post post) {
        return settledAt.containsKey(post.key());
    }

    /** The number of times that steps were run in the middle of an operation. */
    int changes() {
        return changes;
    }

    /** Whether some operation is in the middle of its work now. */
    boolean isInterleaved() {
        return !underWay.isEmpty();
    }

    private boolean isUnderWay(String reader, Post post) {
        return underWay.stream().anyMatch(step -> step.unsettles(reader, post));
    }
}

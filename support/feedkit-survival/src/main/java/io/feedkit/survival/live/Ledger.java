package io.feedkit.survival.live;

import io.feedkit.Post;
import io.feedkit.PostKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What was published, deleted, followed and unfollowed, with the times at which each call began and returned. A call
 * that failed is repeated until it is answered, so each has an end. Times are of {@link System#nanoTime()}.
 * Thread-safe.
 */
final class Ledger {

    /** A call, from its first attempt until it was answered. */
    static final class Span {
        private final long began;
        private volatile boolean ended;
        private volatile long returned;
        private volatile String engine = "";

        Span() {
            began = System.nanoTime();
        }

        /** Records that an engine has answered. */
        void end(String by) {
            engine = by;
            returned = System.nanoTime();
            ended = true;
        }

        boolean beganBy(long time) {
            return began - time <= 0;
        }

        /** Whether the call had returned some time before another time: a longer time on other engines. */
        boolean isKnownAt(long time, String to, Bounds bounds) {
            long bound = engine.equals(to) ? bounds.sameEngine() : bounds.otherEngine();
            return ended && returned + bound - time < 0;
        }

        long began() {
            return began;
        }

        long returned() {
            return returned;
        }

        String engine() {
            return engine;
        }

        boolean returnedBy(long time) {
            return ended && returned - time <= 0;
        }
    }

    /** How many nanoseconds after a call returned its effect must be seen. */
    record Bounds(long sameEngine, long otherEngine) {}

    /** A post. */
    static final class Entry {
        private final PostKey key;
        private final Span publish = new Span();
        private volatile @Nullable Post stored;
        private volatile @Nullable Span delete;

        Entry(PostKey key) {
            this.key = key;
        }

        PostKey key() {
            return key;
        }

        Span publish() {
            return publish;
        }

        void stored(Post post, String engine) {
            stored = post;
            publish.end(engine);
        }

        Optional<Post> stored() {
            return Optional.ofNullable(stored);
        }

        Span deleting() {
            Span span = new Span();
            delete = span;
            return span;
        }

        Optional<Span> delete() {
            return Optional.ofNullable(delete);
        }
    }

    /** A follow or an unfollow. */
    record Change(boolean following, Span span) {}

    private final Map<PostKey, Entry> posts = new ConcurrentHashMap<>();
    private final Map<String, Map<String, List<Change>>> changes = new ConcurrentHashMap<>();
    private final AtomicInteger changed = new AtomicInteger();

    Entry publishing(PostKey key) {
        Entry entry = new Entry(key);
        posts.put(key, entry);
        return entry;
    }

    /** A follow that was written before the run. */
    void followed(String reader, String author) {
        Span span = new Span();
        span.end("");
        edge(reader, author).add(new Change(true, span));
    }

    Span changing(String reader, String author, boolean following) {
        Change change = new Change(following, new Span());
        edge(reader, author).add(change);
        changed.incrementAndGet();
        return change.span();
    }

    /** Whether the last change of an edge was a follow. */
    boolean follows(String reader, String author) {
        List<Change> all = changesOf(reader, author);
        return !all.isEmpty() && all.get(all.size() - 1).following();
    }

    Collection<Entry> posts() {
        return posts.values();
    }

    Optional<Entry> find(PostKey key) {
        return Optional.ofNullable(posts.get(key));
    }

    List<Change> changesOf(String reader, String author) {
        return changedEdges(reader).getOrDefault(author, List.of());
    }

    /** The changes of the authors whom a reader follows, by author. */
    Map<String, List<Change>> changedEdges(String reader) {
        return changes.getOrDefault(reader, Map.of());
    }

    private List<Change> edge(String reader, String author) {
        return changes.computeIfAbsent(reader, same -> new ConcurrentHashMap<>())
                .computeIfAbsent(author, same -> new CopyOnWriteArrayList<>());
    }

    /** The follows and unfollows during the run. */
    int changes() {
        return changed.get();
    }

    int deletes() {
        return (int) posts.values().stream()
                .filter(entry -> entry.delete().isPresent())
                .count();
    }

    /** Whether a reader may have been shown an author's posts at a time. */
    boolean mayFollow(String reader, String author, String engine, long time, Bounds bounds) {
        boolean may = false;
        for (Change change : changesOf(reader, author)) {
            if (change.following()) {
                may |= change.span().beganBy(time);
            } else if (change.span().isKnownAt(time, engine, bounds)) {
                may = false;
            }
        }
        return may;
    }

    /** Whether a reader has followed an author from a time until now. */
    boolean hasFollowedSince(String reader, String author, long time) {
        List<Change> all = changesOf(reader, author);
        if (all.isEmpty()) {
            return false;
        }
        Change last = all.get(all.size() - 1);
        return last.following() && last.span().returnedBy(time);
    }

    /** The posts that a reader's feed has in the end, because they were stored, not deleted, and are followed. */
    List<Post> feed(String reader) {
        List<Post> feed = new ArrayList<>();
        for (Entry entry : posts.values()) {
            if (entry.delete().isEmpty() && follows(reader, entry.key().author())) {
                entry.stored().ifPresent(feed::add);
            }
        }
        return feed;
    }
}

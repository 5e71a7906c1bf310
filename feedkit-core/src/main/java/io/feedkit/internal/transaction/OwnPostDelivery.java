package io.feedkit.internal.transaction;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.internal.check.FailureReasons;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.Interrupts;
import io.feedkit.internal.inbox.CheckedInserts;
import io.feedkit.internal.signal.FeedSignals;
import io.feedkit.internal.signal.Signal;
import io.feedkit.spi.Inbox.Delivery;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Position;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers posts that were published in transactions of the host to their authors, so that the authors see them at once
 * after the commit.
 *
 * <p>The engine cannot know when the host commits. It remembers the post, and looks for it when the author reads. A
 * post that exists is committed, and is delivered to the author's own inbox. A post that does not exist is not
 * committed yet, or was rolled back or deleted. It is looked for again at the next reads, for up to an hour. The post's
 * task delivers to the author as well, so deliveries here may fail or be dropped. Thread-safe.
 */
public final class OwnPostDelivery {

    private static final Logger log = LoggerFactory.getLogger(OwnPostDelivery.class);

    /** The most posts remembered; the oldest are dropped first. */
    static final int MAX_POSTS = 10_000;

    /** How long a post is remembered: longer than any reasonable transaction is open. */
    static final long KEPT_MILLIS = TimeUnit.HOURS.toMillis(1);

    private record Pending(Post post, long since) {}

    private final EngineSettings settings;
    private final Outbox outbox;
    private final CheckedInserts inserts;
    private final FeedSignals signals;
    private final ReentrantLock lock = new ReentrantLock();
    /** From the oldest to the newest; guarded by the lock. */
    private final Map<PostKey, Pending> pending = new LinkedHashMap<>();
    /** The keys of {@code pending} by author. Written under the lock; tested for an author without the lock. */
    private final Map<String, Set<PostKey>> byAuthor = new ConcurrentHashMap<>();

    public OwnPostDelivery(EngineSettings settings, Outbox outbox, CheckedInserts inserts, FeedSignals signals) {
        this.outbox = outbox;
        this.inserts = inserts;
        this.signals = signals;
        this.settings = settings;
    }

    /** Remembers a new post of a transaction that is still open. */
    public void remember(Post post) {
        if (!settings.followees().ownPosts()) {
            return;
        }
        long now = settings.clock().millis();
        lock.lock();
        try {
            forgetKey(post.key());
            pending.put(post.key(), new Pending(post, now));
            byAuthor.computeIfAbsent(post.author(), author -> new HashSet<>()).add(post.key());
            forgetOld(now);
        } finally {
            lock.unlock();
        }
    }

    /** Whether posts of an author are remembered, which may be committed by now. */
    public boolean isRemembered(String author) {
        return byAuthor.containsKey(author);
    }

    /** Whether a post is remembered, which the author's next read delivers if it is committed. */
    public boolean isRemembered(PostKey key) {
        lock.lock();
        try {
            return pending.containsKey(key);
        } finally {
            lock.unlock();
        }
    }

    /** The number of remembered posts or of their authors, whichever is larger. */
    int size() {
        lock.lock();
        try {
            return Math.max(pending.size(), byAuthor.size());
        } finally {
            lock.unlock();
        }
    }

    /**
     * Delivers the author's committed posts to the author's own inbox, before the inbox is read. Never fails: the task
     * delivers them too.
     */
    public void deliver(String author) {
        if (!byAuthor.containsKey(author)) {
            return;
        }
        try {
            List<Post> remembered = of(author);
            Map<PostKey, Post> existing = remembered.isEmpty()
                    ? Map.of()
                    : outbox.existing(remembered.stream().map(Post::key).toList());
            if (!existing.isEmpty()) {
                inserts.deliver(existing.values().stream()
                        .sorted(Position::compare)
                        .map(post -> new Delivery(post, List.of(author), 0))
                        .toList());
                signals.send(Signal.own(existing.values()));
                forget(remembered.stream()
                        .filter(post -> existing.containsKey(post.key()))
                        .toList());
            }
        } catch (Exception e) {
            Interrupts.keep(e);
            log.debug(
                    "{}: cannot deliver own posts of {}; the next read, or the fan-out task, delivers them",
                    settings.name(),
                    author,
                    FailureReasons.printable(e));
        }
    }

    private List<Post> of(String author) {
        long now = settings.clock().millis();
        lock.lock();
        try {
            forgetOld(now);
            List<Post> posts = new ArrayList<>();
            for (PostKey key : byAuthor.getOrDefault(author, Set.of())) {
                Pending found = pending.get(key);
                if (found != null) {
                    posts.add(found.post());
                }
            }
            return posts;
        } finally {
            lock.unlock();
        }
    }

    private void forget(List<Post> posts) {
        lock.lock();
        try {
            posts.forEach(this::remove);
        } finally {
            lock.unlock();
        }
    }

    private void forgetOld(long now) {
        Iterator<Pending> oldestFirst = pending.values().iterator();
        while (oldestFirst.hasNext()) {
            Pending oldest = oldestFirst.next();
            if (pending.size() <= MAX_POSTS && now - oldest.since() < KEPT_MILLIS) {
                return;
            }
            oldestFirst.remove();
            unlink(oldest.post().key());
        }
    }

    /** Removes a post, but not a post with the same key that was published meanwhile. */
    private void remove(Post post) {
        Pending found = pending.get(post.key());
        if (found != null && found.post().equals(post)) {
            forgetKey(post.key());
        }
    }

    private void forgetKey(PostKey key) {
        if (pending.remove(key) != null) {
            unlink(key);
        }
    }

    private void unlink(PostKey key) {
        byAuthor.computeIfPresent(key.author(), (author, keys) -> {
            keys.remove(key);
            return keys.isEmpty() ? null : keys;
        });
    }
}

package io.feedkit.internal;

import io.feedkit.PostKey;
import io.feedkit.event.PostDeleted;
import io.feedkit.event.PostPublished;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What was published and deleted in transactions of the host, so that the listener hears of it after the commit.
 *
 * <p>Nobody tells the engine of a commit. Its workers look now and then: a post that exists was committed, and so was the delete of one that does not exist any more. What is
 * rolled back is forgotten after a while. Thread-safe.
 */
public final class Uncommitted {

    private static final Logger log = LoggerFactory.getLogger(Uncommitted.class);

    /** The most changes remembered; the oldest make room. */
    static final int MAX_CHANGES = 10_000;

    /** How long a change is remembered: longer than a sane transaction is open. */
    static final long KEPT_MILLIS = TimeUnit.HOURS.toMillis(1);

    private static final int AT_ONCE = 500;

    /** A publish, or else a delete. */
    private record Change(Optional<PostPublished> published, long since) {}

    private final Events events;
    private final ReentrantLock looking = new ReentrantLock();
    private final ReentrantLock lock = new ReentrantLock();
    /** Those that were looked for longest ago come first; guarded by the lock. */
    private final Map<PostKey, Change> changes = new LinkedHashMap<>();

    private volatile boolean empty = true;

    public Uncommitted(Events events) {
        this.events = events;
    }

    /** Remembers a publish in a transaction that is still open. */
    void published(PostPublished event, long now) {
        add(event.post().key(), new Change(Optional.of(event), now));
    }

    /** Remembers a delete in a transaction that is still open; none of a post that was published in one, which nobody has heard of. */
    void deleted(PostKey key, long now) {
        add(key, new Change(Optional.empty(), now));
    }

    private void add(PostKey key, Change change) {
        if (!events.wanted()) {
            return;
        }
        lock.lock();
        try {
            Change before = changes.remove(key);
            boolean unheardOf = before != null && before.published().isPresent();
            if (change.published().isPresent() || !unheardOf) {
                changes.put(key, change);
                bound();
            }
            empty = changes.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    private void bound() {
        Iterator<PostKey> oldest = changes.keySet().iterator();
        for (int excess = changes.size() - MAX_CHANGES; excess > 0; excess--) {
            oldest.next();
            oldest.remove();
        }
    }

    /** Tells of what has been committed. Never fails: what could not be looked for is looked for later. */
    void look(Parts parts) {
        if (empty || !looking.tryLock()) {
            return;
        }
        try {
            Map<PostKey, Change> some = take(parts.now());
            try {
                some.keySet().removeAll(told(some, parts.outbox().existing(some.keySet())));
            } finally {
                putBack(some);
            }
        } catch (Exception e) {
            log.debug(
                    "{}: it is not known yet what was committed",
                    parts.settings().name(),
                    e);
        } finally {
            looking.unlock();
        }
    }

    private Map<PostKey, Change> take(long now) {
        lock.lock();
        try {
            changes.values().removeIf(change -> now - change.since() >= KEPT_MILLIS);
            Map<PostKey, Change> some = new LinkedHashMap<>();
            Iterator<Map.Entry<PostKey, Change>> all = changes.entrySet().iterator();
            while (all.hasNext() && some.size() < AT_ONCE) {
                Map.Entry<PostKey, Change> next = all.next();
                some.put(next.getKey(), next.getValue());
                all.remove();
            }
            return some;
        } finally {
            lock.unlock();
        }
    }

    private List<PostKey> told(Map<PostKey, Change> some, Set<PostKey> existing) {
        List<PostKey> committed = new ArrayList<>();
        some.forEach((key, change) -> {
            if (change.published().isPresent() == existing.contains(key)) {
                committed.add(key);
                change.published()
                        .ifPresentOrElse(
                                event -> events.tell(listener -> listener.published(event)),
                                () -> events.tell(listener -> listener.deleted(new PostDeleted(key))));
            }
        });
        return committed;
    }

    /** Behind the others; what was changed again meanwhile stays as it is. */
    private void putBack(Map<PostKey, Change> some) {
        lock.lock();
        try {
            some.forEach(changes::putIfAbsent);
            bound();
            empty = changes.isEmpty();
        } finally {
            lock.unlock();
        }
    }
}

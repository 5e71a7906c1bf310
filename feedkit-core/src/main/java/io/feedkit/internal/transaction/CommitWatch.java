package io.feedkit.internal.transaction;

import io.feedkit.PostKey;
import io.feedkit.event.FeedListener;
import io.feedkit.event.PostDeleted;
import io.feedkit.event.PostPublished;
import io.feedkit.internal.check.FailureReasons;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.GuardedListener;
import io.feedkit.internal.host.Interrupts;
import io.feedkit.internal.presence.AuthorActivity;
import io.feedkit.spi.Outbox;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches publishes and deletes in transactions of the host. After the commit, it notifies the listener, and counts the
 * authors as active.
 *
 * <p>The host does not report its commits. So the workers look for them now and then, less often the longer a commit
 * takes. If a published post exists, its publish was committed. If a deleted post no longer exists, its delete was
 * committed. Changes that were rolled back are dropped after an hour. Thread-safe.
 */
public final class CommitWatch {

    private static final Logger log = LoggerFactory.getLogger(CommitWatch.class);

    /** The most changes remembered; the oldest are dropped first. */
    static final int MAX_CHANGES = 10_000;

    /** How long a change is remembered: longer than any reasonable transaction is open. */
    static final long KEPT_MILLIS = TimeUnit.HOURS.toMillis(1);

    private static final int AT_ONCE = 500;
    private static final long FIRST_PAUSE_MILLIS = 2;
    private static final long LONGEST_PAUSE_MILLIS = 30_000;

    /**
     * A publish, a delete, or a publish and then a delete.
     *
     * @param published the publish, if there was one
     * @param deleted whether there was a delete, after the publish if there was one
     * @param since when the change was made
     * @param due when the change is next looked for
     * @param pause the pause after that, if the change is not found
     */
    private record Change(Optional<PostPublished> published, boolean deleted, long since, long due, long pause) {

        private Change thenDeleted(long now) {
            return new Change(published, true, now, now, FIRST_PAUSE_MILLIS);
        }

        private Change withoutPublish() {
            return new Change(Optional.empty(), true, since, due, pause);
        }

        private Change later(long now) {
            return new Change(published, deleted, since, now + pause, Math.min(2 * pause, LONGEST_PAUSE_MILLIS));
        }
    }

    /** A committed change: the author, if it is a publish, and the event. */
    private record Committed(Optional<String> publisher, Consumer<FeedListener> event) {}

    private final EngineSettings settings;
    private final Outbox outbox;
    private final AuthorActivity activity;
    private final GuardedListener events;
    private final ReentrantLock looking = new ReentrantLock();
    private final ReentrantLock lock = new ReentrantLock();
    /** From the oldest to the newest; guarded by the lock. */
    private final Map<PostKey, Change> changes = new LinkedHashMap<>();

    private volatile long nextDue = Long.MAX_VALUE;

    public CommitWatch(EngineSettings settings, Outbox outbox, AuthorActivity activity, GuardedListener events) {
        this.settings = settings;
        this.outbox = outbox;
        this.activity = activity;
        this.events = events;
    }

    /** Remembers a publish in a transaction that is still open. */
    public void published(PostPublished event, long now) {
        if (events.hasListener() || activity.counts()) {
            put(event.post().key(), new Change(Optional.of(event), false, now, now, FIRST_PAUSE_MILLIS));
        }
    }

    /**
     * Remembers a delete in a transaction that is still open. If the post was published in such a transaction too, the
     * publish is looked for first.
     */
    public void deleted(PostKey key, long now) {
        if (events.hasListener() || activity.counts()) {
            lock.lock();
            try {
                Change before = changes.get(key);
                put(
                        key,
                        before != null
                                ? before.thenDeleted(now)
                                : new Change(Optional.empty(), true, now, now, FIRST_PAUSE_MILLIS));
            } finally {
                lock.unlock();
            }
        }
    }

    private void put(PostKey key, Change change) {
        lock.lock();
        try {
            changes.remove(key);
            changes.put(key, change);
            Iterator<PostKey> oldest = changes.keySet().iterator();
            for (int excess = changes.size() - MAX_CHANGES; excess > 0; excess--) {
                oldest.next();
                oldest.remove();
            }
            nextDue = Math.min(nextDue, change.due());
        } finally {
            lock.unlock();
        }
    }

    /** How many changes are remembered. */
    int size() {
        lock.lock();
        try {
            return changes.size();
        } finally {
            lock.unlock();
        }
    }

    /** Looks for the changes that are due, and reports the committed ones. Never fails. */
    public void lookIfDue() {
        long now = settings.now();
        if (nextDue <= now && looking.tryLock()) {
            List<Committed> found = new ArrayList<>();
            try {
                look(due(now, now), now, found);
            } finally {
                looking.unlock();
                report(found);
            }
        }
    }

    /**
     * Looks for all changes, and reports the committed ones. Never fails: if the store fails, the changes are looked
     * for later.
     */
    public void look() {
        if (nextDue == Long.MAX_VALUE) {
            return;
        }
        List<Committed> found = new ArrayList<>();
        looking.lock();
        try {
            long now = settings.now();
            Map<PostKey, Change> all = due(Long.MAX_VALUE, now);
            while (!all.isEmpty()) {
                Map<PostKey, Change> some = new LinkedHashMap<>();
                Iterator<Map.Entry<PostKey, Change>> rest = all.entrySet().iterator();
                while (rest.hasNext() && some.size() < AT_ONCE) {
                    Map.Entry<PostKey, Change> next = rest.next();
                    some.put(next.getKey(), next.getValue());
                    rest.remove();
                }
                look(some, now, found);
            }
        } finally {
            looking.unlock();
            // This also reports the changes that were found before the store threw an error.
            report(found);
        }
    }

    /** The changes to look for by a given time, or all changes for {@code Long.MAX_VALUE}. Drops old changes. */
    private Map<PostKey, Change> due(long time, long now) {
        lock.lock();
        try {
            changes.values().removeIf(change -> now - change.since() >= KEPT_MILLIS);
            Map<PostKey, Change> due = new LinkedHashMap<>();
            changes.forEach((key, change) -> {
                if (change.due() <= time && (time == Long.MAX_VALUE || due.size() < AT_ONCE)) {
                    due.put(key, change);
                }
            });
            return due;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Looks for some changes, and adds the committed ones to {@code found}. The caller reports them without holding a
     * lock, because a listener may block or call the engine.
     */
    private void look(Map<PostKey, Change> some, long now, List<Committed> found) {
        Map<PostKey, Change> left = new LinkedHashMap<>(some);
        try {
            Set<PostKey> existing = outbox.existing(some.keySet()).keySet();
            some.forEach((key, change) -> findIfCommitted(key, change, existing.contains(key), left, found));
        } catch (Exception e) {
            Interrupts.keep(e);
            log.debug(
                    "{}: cannot look for committed publishes and deletes; looking again later",
                    settings.name(),
                    FailureReasons.printable(e));
        } finally {
            keep(some, left, now);
        }
    }

    private static void findIfCommitted(
            PostKey key, Change change, boolean exists, Map<PostKey, Change> left, List<Committed> found) {
        if (change.published().isPresent()) {
            if (exists) {
                left.remove(key);
                if (change.deleted()) {
                    left.put(key, change.withoutPublish());
                }
                PostPublished event = change.published().get();
                found.add(new Committed(Optional.of(event.post().author()), listener -> listener.published(event)));
            }
        } else if (!exists) {
            left.remove(key);
            found.add(new Committed(Optional.empty(), listener -> listener.deleted(PostDeleted.of(key))));
        }
    }

    private void report(List<Committed> found) {
        activity.published(
                found.stream().flatMap(each -> each.publisher().stream()).toList());
        found.forEach(each -> events.notify(each.event()));
    }

    /** Keeps the changes that were not reported. Changes that were replaced meanwhile stay as they are. */
    private void keep(Map<PostKey, Change> looked, Map<PostKey, Change> left, long now) {
        lock.lock();
        try {
            looked.forEach((key, change) -> changes.computeIfPresent(key, (same, current) -> {
                Change kept = left.get(key);
                return !current.equals(change) ? current : kept == null ? null : kept.later(now);
            }));
            nextDue = changes.values().stream().mapToLong(Change::due).min().orElse(Long.MAX_VALUE);
        } finally {
            lock.unlock();
        }
    }
}

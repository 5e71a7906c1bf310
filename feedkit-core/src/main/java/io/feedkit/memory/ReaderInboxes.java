package io.feedkit.memory;

import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The records of all readers, which every view of the inboxes shares.
 *
 * <p>No call reaches an inbox that is no longer read or written. So each call also checks a few other records, and
 * removes those that have expired.
 */
final class ReaderInboxes {

    private static final int SWEPT_AT_LEAST = 4;
    private static final int REQUESTS_PER_SWEPT = 32;

    private final ConcurrentHashMap<String, ReaderInbox> records = new ConcurrentHashMap<>();
    private final AtomicReference<@Nullable String> owner = new AtomicReference<>();
    private final AtomicLong tokens = new AtomicLong();
    private final AtomicBoolean sweeping = new AtomicBoolean();
    private Iterator<Map.Entry<String, ReaderInbox>> unswept =
            records.entrySet().iterator();

    /** The source of truth that the inboxes belong to: the one that claimed them first. */
    String claim(String identity) {
        String before = owner.compareAndExchange(null, identity);
        return before == null ? identity : before;
    }

    /** A number that was never returned before. */
    long nextToken() {
        return tokens.incrementAndGet();
    }

    @Nullable
    ReaderInbox find(String reader) {
        return records.get(reader);
    }

    /** Runs an action on a reader's record under the record's lock. Creates the record if there is none. */
    <T> T with(String reader, Function<ReaderInbox, T> action) {
        while (true) {
            ReaderInbox inbox = records.computeIfAbsent(reader, id -> new ReaderInbox());
            synchronized (inbox) {
                if (!inbox.isRetired()) {
                    return action.apply(inbox);
                }
            }
            records.remove(reader, inbox);
        }
    }

    void drop(String reader) {
        ReaderInbox inbox = records.remove(reader);
        if (inbox != null) {
            inbox.retire();
        }
    }

    /** Checks a few records, more after a larger batch of requests, and removes those that have expired. */
    void sweep(int requests, long now) {
        if (!sweeping.compareAndSet(false, true)) {
            return;
        }
        try {
            int visits = SWEPT_AT_LEAST + requests / REQUESTS_PER_SWEPT;
            for (int i = 0; i < visits; i++) {
                if (!unswept.hasNext()) {
                    unswept = records.entrySet().iterator();
                    return;
                }
                Map.Entry<String, ReaderInbox> entry = unswept.next();
                if (entry.getValue().retireIfOver(now)) {
                    records.remove(entry.getKey(), entry.getValue());
                }
            }
        } finally {
            sweeping.set(false);
        }
    }

    /** The readers who have a record; the set shows later changes. */
    Set<String> readers() {
        return records.keySet();
    }

    /** How many readers have a record. */
    int size() {
        return records.size();
    }
}

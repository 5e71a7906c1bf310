package io.feedkit.memory;

import io.feedkit.Beta;
import io.feedkit.internal.check.Arguments;
import io.feedkit.spi.PresenceStore;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Presence in this process: the default of an engine, and for several engines in one process. A reader takes about 250
 * bytes until the store forgets the reader. When the process ends, all presence is lost. Thread-safe.
 *
 * @since 0.1.0
 */
@Beta
public final class InMemoryPresenceStore implements PresenceStore {

    /** Readers who are forgotten take memory for at most this part of the time for which they were kept. */
    private static final int SWEEPS = 8;

    /** How many readers a page looks at, in multiples of its limit. */
    private static final int LOOKED_AT = 10;

    private static final Comparator<Seen> LATEST_FIRST =
            Comparator.comparingLong(Seen::lastSeen).thenComparing(Seen::reader).reversed();

    private record Entry(long lastSeen, long onlineUntil, long keptUntil) {

        static final Entry NONE = new Entry(0, 0, 0);

        Entry and(Sighting sighting, long keptMillis, long now) {
            long seen = Math.max(lastSeen, Math.max(1, now - sighting.seenAgoMillis()));
            long online = sighting.onlineMillis() > 0 ? later(now, sighting.onlineMillis()) : 0;
            long until = Math.max(onlineUntil, online);
            return new Entry(seen, until, Math.max(Math.max(keptUntil, until), later(seen, keptMillis)));
        }

        private static long later(long time, long millis) {
            return millis > Long.MAX_VALUE - time ? Long.MAX_VALUE : time + millis;
        }
    }

    private final Clock clock;
    private final Map<String, Entry> entries = new ConcurrentHashMap<>();
    private final NavigableSet<Seen> latestFirst = new ConcurrentSkipListSet<>(LATEST_FIRST);
    private final AtomicLong nextSweep = new AtomicLong(Long.MIN_VALUE);

    private InMemoryPresenceStore(Clock clock) {
        this.clock = clock;
    }

    /**
     * Creates an empty store that uses the system's clock.
     *
     * @return the store
     */
    public static InMemoryPresenceStore create() {
        return create(Clock.systemUTC());
    }

    /**
     * Creates an empty store.
     *
     * @param clock the store's clock
     * @return the store
     */
    public static InMemoryPresenceStore create(Clock clock) {
        return new InMemoryPresenceStore(Arguments.nonNull("clock", clock));
    }

    @Override
    public void report(List<Sighting> sightings, long keptMillis) {
        long now = clock.millis();
        for (Sighting sighting : sightings) {
            entries.compute(
                    sighting.reader(),
                    (reader, before) -> replace(
                            reader,
                            before,
                            (before == null || isForgotten(before, now) ? Entry.NONE : before)
                                    .and(sighting, keptMillis, now)));
        }
        sweepIfDue(keptMillis, now);
    }

    /** Keeps the list in step with the entry. Called while the reader's entry is locked. */
    private Entry replace(String reader, Entry before, Entry after) {
        if (before == null || before.lastSeen() != after.lastSeen()) {
            latestFirst.add(new Seen(reader, after.lastSeen()));
            if (before != null) {
                latestFirst.remove(new Seen(reader, before.lastSeen()));
            }
        }
        return after;
    }

    private static boolean isForgotten(Entry entry, long now) {
        return entry.keptUntil() <= now;
    }

    private void sweepIfDue(long keptMillis, long now) {
        long due = nextSweep.get();
        long pause = keptMillis / SWEEPS;
        // The clock may have been set back.
        if ((now >= due || due - now > pause) && nextSweep.compareAndSet(due, now + pause)) {
            entries.forEach((reader, entry) -> {
                if (isForgotten(entry, now)) {
                    remove(reader, now);
                }
            });
        }
    }

    private void remove(String reader, long now) {
        entries.computeIfPresent(reader, (same, entry) -> {
            if (!isForgotten(entry, now)) {
                return entry;
            }
            latestFirst.remove(new Seen(reader, entry.lastSeen()));
            return null;
        });
    }

    @Override
    public List<Status> status(List<String> readers) {
        long now = clock.millis();
        return readers.stream()
                .map(reader -> {
                    Entry entry = entries.getOrDefault(reader, Entry.NONE);
                    return isForgotten(entry, now)
                            ? Status.UNKNOWN
                            : new Status(entry.onlineUntil() > now, entry.lastSeen());
                })
                .toList();
    }

    @Override
    public long countOnline() {
        long now = clock.millis();
        return entries.values().stream()
                .filter(entry -> entry.onlineUntil() > now)
                .count();
    }

    @Override
    public OnlinePage online(Seen below, int limit) {
        long now = clock.millis();
        List<Seen> readers = new ArrayList<>();
        Seen last = below;
        long looked = 0;
        for (Seen seen : latestFirst.tailSet(below, false)) {
            if (readers.size() == limit || looked == (long) LOOKED_AT * limit) {
                return new OnlinePage(readers, Optional.of(last));
            }
            // A reader who is seen at this moment is in the set twice, and the entry has the later time.
            Entry entry = entries.getOrDefault(seen.reader(), Entry.NONE);
            if (entry.onlineUntil() > now && entry.lastSeen() == seen.lastSeen()) {
                readers.add(seen);
            }
            last = seen;
            looked++;
        }
        return new OnlinePage(readers, Optional.empty());
    }

    @Override
    public void forget(Collection<String> readers) {
        for (String unwanted : readers) {
            entries.computeIfPresent(unwanted, (reader, entry) -> {
                latestFirst.remove(new Seen(reader, entry.lastSeen()));
                return null;
            });
        }
    }

    @Override
    public String toString() {
        return "InMemoryPresenceStore[" + entries.size() + " readers]";
    }
}

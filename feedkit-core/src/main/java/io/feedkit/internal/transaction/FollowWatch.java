package io.feedkit.internal.transaction;

import io.feedkit.event.FollowChanged;
import io.feedkit.internal.check.FailureReasons;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.Interrupts;
import io.feedkit.internal.inbox.Follows;
import io.feedkit.spi.FollowGraph;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the follows and unfollows that the host has reported in transactions on its own graph, until they are
 * committed.
 *
 * <p>The host does not report its commits. A follow is committed if the graph has the edge, and an unfollow if the
 * graph does not have it. Each read looks for the changes of its reader. The workers look for all changes, less often
 * the longer a commit takes. Changes that were rolled back are dropped after an hour. Thread-safe.
 */
public final class FollowWatch {

    private static final Logger log = LoggerFactory.getLogger(FollowWatch.class);

    /** The most reports remembered; the oldest are dropped first. */
    static final int MAX_REPORTS = 10_000;

    /** How long a report is remembered: longer than any reasonable transaction is open. */
    static final long KEPT_MILLIS = TimeUnit.HOURS.toMillis(1);

    /** The most readers for whom a worker asks the graph at a time. */
    private static final int READERS_AT_ONCE = 50;

    private static final long AFTER_TIME_OUT_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** A failure that took at least this long counts as a time-out. */
    private static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final int LOCKS = 64;
    private static final long FIRST_PAUSE_MILLIS = 2;
    private static final long LONGEST_PAUSE_MILLIS = 30_000;

    private record Edge(String reader, String author, boolean following) {}

    /**
     * A report of an edge.
     *
     * @param number distinguishes it from a later report of the same edge
     * @param since when it was made
     * @param due when the graph is next asked, unless a read of the reader comes before
     * @param pause the pause after that
     */
    private record Report(long number, long since, long due, long pause) {

        private Report later(long now) {
            return new Report(number, since, now + pause, Math.min(2 * pause, LONGEST_PAUSE_MILLIS));
        }
    }

    private final EngineSettings settings;
    private final FollowGraph graph;
    private final Follows follows;
    /**
     * One of these locks is held while a reader's changes are looked for, so that a second read waits for the result.
     */
    private final ReentrantLock[] looking =
            Stream.generate(ReentrantLock::new).limit(LOCKS).toArray(ReentrantLock[]::new);

    private final ReentrantLock lock = new ReentrantLock();
    /** From the oldest to the newest; guarded by the lock. */
    private final Map<Edge, Report> reports = new LinkedHashMap<>();
    /** The keys of {@code reports} by reader. Written under the lock; tested for a reader without the lock. */
    private final Map<String, Set<Edge>> byReader = new ConcurrentHashMap<>();

    /** Whether the last call to a store failed after so long a time that it counts as a time-out. */
    private volatile boolean timedOut;

    /** The time of that failure, by {@link System#nanoTime}. */
    private volatile long timedOutAt;

    /** How many reports were made; guarded by the lock. */
    private long made;

    /** When the next report is due, or earlier. Written under the lock. */
    private volatile long nextDue = Long.MAX_VALUE;

    public FollowWatch(EngineSettings settings, FollowGraph graph, Follows follows) {
        this.settings = settings;
        this.graph = graph;
        this.follows = follows;
    }

    /** Remembers changes that are reported in a transaction that is still open. */
    public void remember(String reader, Collection<String> authors, boolean following) {
        long now = settings.now();
        lock.lock();
        try {
            for (String author : authors) {
                if (!author.equals(reader)) {
                    Edge edge = new Edge(reader, author, following);
                    drop(edge);
                    reports.put(edge, new Report(++made, now, now, FIRST_PAUSE_MILLIS));
                    byReader.computeIfAbsent(reader, added -> new LinkedHashSet<>())
                            .add(edge);
                }
            }
            dropOld(now);
            nextDue = Math.min(nextDue, now);
        } finally {
            lock.unlock();
        }
    }

    /** The number of remembered reports or of their readers, whichever is larger. */
    int size() {
        lock.lock();
        try {
            return Math.max(reports.size(), byReader.size());
        } finally {
            lock.unlock();
        }
    }

    /** Whether reports about a reader are remembered, which may be committed by now. */
    public boolean isRemembered(String reader) {
        return byReader.containsKey(reader);
    }

    /** Whether a follow or unfollow of an author is remembered, which the next read applies if it is committed. */
    public boolean isRemembered(String reader, String author, boolean following) {
        Edge edge = new Edge(reader, author, following);
        lock.lock();
        try {
            return reports.containsKey(edge);
        } finally {
            lock.unlock();
        }
    }

    /** Applies the committed changes of a reader, before the reader's feed is read. Never fails. */
    public void apply(String reader) {
        if (byReader.containsKey(reader) && !isPaused()) {
            look(reader, false);
        }
    }

    /**
     * After a time-out, reads do not look for a while. Otherwise each of them would wait for a time-out of a store that
     * hangs.
     */
    private boolean isPaused() {
        return timedOut && System.nanoTime() - timedOutAt < AFTER_TIME_OUT_NANOS;
    }

    /** Looks for the changes that are due, and applies the committed ones. Never fails. */
    public void lookIfDue() {
        long now = settings.now();
        if (nextDue <= now) {
            lookForEach(readers(now, READERS_AT_ONCE));
        }
    }

    /**
     * Looks for all changes, and applies the committed ones. Never fails: if a store fails, the changes are looked for
     * later.
     */
    public void look() {
        if (nextDue != Long.MAX_VALUE) {
            lookForEach(readers(Long.MAX_VALUE, Integer.MAX_VALUE));
        }
    }

    /** Stops at the first failure, because a store that is down may time out for each reader. */
    private void lookForEach(List<String> readers) {
        for (String reader : readers) {
            if (!look(reader, true)) {
                return;
            }
        }
    }

    private List<String> readers(long time, int most) {
        lock.lock();
        try {
            dropOld(settings.now());
            nextDue = reports.values().stream().mapToLong(Report::due).min().orElse(Long.MAX_VALUE);
            return reports.entrySet().stream()
                    .filter(report -> report.getValue().due() <= time)
                    .map(report -> report.getKey().reader())
                    .distinct()
                    .limit(most)
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Looks for the changes of a reader.
     *
     * @param putsOff whether the workers look later for changes that are not committed yet; a read leaves their next
     *     look unchanged
     * @return false if a store failed
     */
    private boolean look(String reader, boolean putsOff) {
        ReentrantLock one = looking[Math.floorMod(reader.hashCode(), LOCKS)];
        List<FollowChanged> changes = new ArrayList<>();
        one.lock();
        try {
            Map<Edge, Report> looked = of(reader);
            return looked.isEmpty() || look(reader, looked, putsOff, changes);
        } finally {
            one.unlock();
            follows.notifyListener(changes);
        }
    }

    private boolean look(String reader, Map<Edge, Report> looked, boolean putsOff, List<FollowChanged> changes) {
        Set<Edge> done = Set.of();
        long begun = System.nanoTime();
        try {
            Set<Edge> committed = committed(reader, looked.keySet());
            List<String> followed = authors(committed, true);
            if (!followed.isEmpty()) {
                changes.addAll(follows.followed(reader, followed));
            }
            List<String> unfollowed = authors(committed, false);
            if (!unfollowed.isEmpty()) {
                changes.addAll(follows.unfollowed(reader, unfollowed));
            }
            done = committed;
            timedOut = false;
            return true;
        } catch (Exception e) {
            Interrupts.keep(e);
            timedOutAt = System.nanoTime();
            timedOut = timedOutAt - begun >= LONG_NANOS;
            log.debug(
                    "{}: cannot look for committed follows of {}; looking again later",
                    settings.name(),
                    reader,
                    FailureReasons.printable(e));
            return false;
        } finally {
            keep(looked, done, putsOff);
        }
    }

    private Set<Edge> committed(String reader, Set<Edge> edges) {
        Set<String> authors = new LinkedHashSet<>();
        edges.forEach(edge -> authors.add(edge.author()));
        Set<String> followed = graph.followed(reader, authors);
        Set<Edge> committed = new LinkedHashSet<>(edges);
        committed.removeIf(edge -> followed.contains(edge.author()) != edge.following());
        return committed;
    }

    private static List<String> authors(Set<Edge> edges, boolean following) {
        return edges.stream()
                .filter(edge -> edge.following() == following)
                .map(Edge::author)
                .toList();
    }

    private Map<Edge, Report> of(String reader) {
        lock.lock();
        try {
            dropOld(settings.now());
            Map<Edge, Report> found = new LinkedHashMap<>();
            for (Edge edge : byReader.getOrDefault(reader, Set.of())) {
                Report report = reports.get(edge);
                if (report != null) {
                    found.put(edge, report);
                }
            }
            return found;
        } finally {
            lock.unlock();
        }
    }

    /** Removes reports that are done, and puts the others off. Reports that were made again meanwhile stay. */
    private void keep(Map<Edge, Report> looked, Set<Edge> done, boolean putsOff) {
        long now = settings.now();
        lock.lock();
        try {
            looked.forEach((edge, report) -> {
                if (report.equals(reports.get(edge))) {
                    if (done.contains(edge)) {
                        drop(edge);
                    } else if (putsOff) {
                        reports.put(edge, report.later(now));
                    }
                }
            });
        } finally {
            lock.unlock();
        }
    }

    private void dropOld(long now) {
        Iterator<Map.Entry<Edge, Report>> oldestFirst = reports.entrySet().iterator();
        while (oldestFirst.hasNext()) {
            Map.Entry<Edge, Report> oldest = oldestFirst.next();
            if (reports.size() <= MAX_REPORTS && now - oldest.getValue().since() < KEPT_MILLIS) {
                return;
            }
            Edge edge = oldest.getKey();
            oldestFirst.remove();
            unlink(edge);
        }
    }

    private void drop(Edge edge) {
        if (reports.remove(edge) != null) {
            unlink(edge);
        }
    }

    private void unlink(Edge edge) {
        byReader.computeIfPresent(edge.reader(), (reader, edges) -> {
            edges.remove(edge);
            return edges.isEmpty() ? null : edges;
        });
    }
}

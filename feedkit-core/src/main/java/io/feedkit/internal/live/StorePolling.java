package io.feedkit.internal.live;

import io.feedkit.Post;
import io.feedkit.internal.check.FailureReasons;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.Interrupts;
import io.feedkit.internal.signal.Signal.By;
import io.feedkit.internal.signal.Signal.Visible;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.CountQuery;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.Inbox.State;
import io.feedkit.spi.KeyRange;
import io.feedkit.spi.Order;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import io.feedkit.spi.SeenPosts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds in the store what other engines changed, while no bus brings their signals; seldom, if it does. A round
 * compares the latest two minutes of the inboxes of all connected readers with those of the round before, many in each
 * call, and lets {@link RegisterNews} look at authors whose entries in the pulled register have changed. It takes at
 * most a quarter of the thread's time, so a store with very many connected readers is asked less often. Thread-safe.
 */
final class StorePolling {

    private static final Logger log = LoggerFactory.getLogger(StorePolling.class);

    private static final int READERS_AT_ONCE = 500;
    private static final int POSTS = 50;

    /** How much longer than a call the thread rests after it. */
    private static final int REST = 3;

    /** Every how many rounds entries are counted, to notice posts that arrived later than the lookback. */
    private static final int COUNTED_EVERY = 10;

    /** After how many intervals a round is made although the bus works: an engine may be on the bus unheard. */
    private static final int SELDOM = 30;

    /** How far back entries are counted. */
    private static final long COUNTED_MILLIS = TimeUnit.DAYS.toMillis(1);

    private static final int MOST_COUNTED = 1000;

    /** How many counts an inbox is asked for at once. */
    private static final int COUNTS = 4;

    private static final long CLOSE_MILLIS = 5000;

    /** After how many intervals without a poll the knowledge about a reader is no longer trusted. */
    private static final int TRUSTED = 3;

    private final EngineSettings settings;
    private final Duration interval;
    private final Inbox inbox;
    private final ConnectedReaders readers;
    private final RegisterNews news;
    private final LiveFeeds feeds;
    private final BooleanSupplier isNeeded;

    /** How many entries a reader had between two positions. Later, only late ones can have been added there. */
    private record Old(Position bottom, Position top, int entries) {}

    /** What was counted last, for each reader. Used by the thread. */
    private final Map<String, Old> counted = new ConcurrentHashMap<>();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition end = lock.newCondition();
    private boolean closed;
    private @Nullable Thread thread;
    private int round;
    private int sinceRound;

    StorePolling(
            EngineSettings settings,
            Inbox inbox,
            ConnectedReaders readers,
            RegisterNews news,
            LiveFeeds feeds,
            BooleanSupplier isNeeded) {
        this.settings = settings;
        this.interval = settings.live().pollInterval();
        this.inbox = inbox;
        this.readers = readers;
        this.news = news;
        this.feeds = feeds;
        this.isNeeded = isNeeded;
    }

    /** Starts the thread at the first call. */
    void start() {
        lock.lock();
        try {
            if (thread == null && !closed) {
                thread = new Thread(this::run, settings.name() + "-live-poll");
                thread.setDaemon(true);
                thread.start();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether the connection was polled lately, so that a change would have been noticed. */
    boolean isTrusted(Connection connection, long now) {
        long age = now - connection.polledAt();
        return connection.polledAt() != Long.MIN_VALUE && age >= 0 && age < TRUSTED * interval.toMillis();
    }

    private void run() {
        while (rest(interval.toNanos())) {
            sinceRound++;
            if (!readers.isEmpty() && (isNeeded.getAsBoolean() || sinceRound >= SELDOM)) {
                sinceRound = 0;
                try {
                    round();
                } catch (Throwable e) {
                    Interrupts.keep(e);
                    log.debug("{}: cannot poll the store for live feeds", settings.name(), FailureReasons.printable(e));
                }
            }
        }
    }

    /** Rests; returns false if the engine was closed. */
    private boolean rest(long nanos) {
        lock.lock();
        try {
            long left = nanos;
            while (!closed && left > 0) {
                left = end.awaitNanos(left);
            }
            return !closed;
        } catch (InterruptedException e) {
            log.debug("{}: the polling thread was interrupted, and continues", settings.name(), e);
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void round() {
        round++;
        feeds.updateRegister();
        news.lookAtAuthors(recent());
        List<Connection> all = new ArrayList<>();
        readers.forEach(all::add);
        for (int from = 0; from < all.size(); from += READERS_AT_ONCE) {
            long start = System.nanoTime();
            look(all.subList(from, Math.min(all.size(), from + READERS_AT_ONCE)));
            if (!rest(REST * (System.nanoTime() - start))) {
                return;
            }
        }
    }

    private PositionRange recent() {
        long since = Math.max(0, settings.now() - SeenPosts.LOOKBACK_MILLIS);
        return PositionRange.from(new Position(since, "", ""));
    }

    private void look(List<Connection> connections) {
        List<Connection> indexed =
                connections.stream().filter(Connection::isIndexed).toList();
        if (indexed.isEmpty()) {
            return;
        }
        PositionRange recent = recent();
        List<Slice> slices = inbox.slice(indexed.stream()
                .map(connection -> new SliceQuery(connection.reader(), recent, Order.NEWEST_FIRST, POSTS, false))
                .toList());
        for (int i = 0; i < indexed.size(); i++) {
            compare(indexed.get(i), slices.get(i));
        }
        if (round % COUNTED_EVERY == 0) {
            count(indexed, recent.from());
        }
    }

    private void compare(Connection connection, Slice slice) {
        Slice before = connection.polled();
        long now = settings.now();
        boolean gap = before != null && now - connection.polledAt() > SeenPosts.LOOKBACK_MILLIS / 2;
        connection.polled(slice, now);
        boolean full = slice.posts().size() == POSTS;
        if (before == null || slice.state() != State.LIVE || gap || (full && round % COUNTED_EVERY == 0)) {
            connection.readAgain(gap);
        } else if (full) {
            connection.readOn();
        } else {
            Set<Post> known = new HashSet<>(before.posts());
            List<Post> posts = slice.posts();
            for (int i = posts.size() - 1; i >= 0; i--) {
                if (!known.contains(posts.get(i))) {
                    // The reader may have seen the post before, by the register.
                    connection.offer(new Visible(posts.get(i), KeyRange.ALL, By.REPETITION));
                }
            }
        }
        boolean current = before == null
                ? feeds.hasFollowees(connection, slice)
                : before.epoch() == slice.epoch() && slice.pending().equals(before.pending());
        if (!current) {
            feeds.reloadFollowees(connection);
        }
    }

    /**
     * Notices entries that appeared below the lookback. As time goes by, entries leave the lookback. So entries are
     * counted between the positions of the last count. If an entry arrives between the counts of one reader, the
     * numbers may be too high or too low by one until the next round.
     */
    private void count(List<Connection> connections, Position lookback) {
        Position dayAgo = new Position(Math.max(0, settings.now() - COUNTED_MILLIS), "", "");
        List<CountQuery> queries = new ArrayList<>();
        for (Connection connection : connections) {
            Old before = counted.getOrDefault(connection.reader(), new Old(dayAgo, lookback, MOST_COUNTED));
            for (Position above : List.of(before.bottom(), before.top(), dayAgo, lookback)) {
                queries.add(new CountQuery(connection.reader(), above, MOST_COUNTED, Map.of()));
            }
        }
        List<Integer> counts =
                inbox.count(queries).stream().map(Inbox.Count::above).toList();
        for (int i = 0; i < connections.size(); i++) {
            Connection connection = connections.get(i);
            List<Integer> above = counts.subList(COUNTS * i, COUNTS * (i + 1));
            int old = above.get(0) - above.get(1);
            int now = above.get(2) - above.get(3);
            Old before = counted.put(connection.reader(), new Old(dayAgo, lookback, now));
            if (before != null && old > before.entries()) {
                connection.readAgain(true);
            }
        }
        counted.keySet().removeIf(reader -> readers.find(reader) == null);
    }

    void close() {
        Thread running;
        lock.lock();
        try {
            closed = true;
            running = thread;
            end.signal();
        } finally {
            lock.unlock();
        }
        if (running != null) {
            try {
                running.join(CLOSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}

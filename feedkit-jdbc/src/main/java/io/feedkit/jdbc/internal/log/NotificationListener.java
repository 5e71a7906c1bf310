package io.feedkit.jdbc.internal.log;

import io.feedkit.StoreUnavailableException;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Dialect;
import io.feedkit.spi.FanoutLog.Watch;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wakes watchers when other processes say that there are tasks. While somebody watches, one daemon thread, {@value #THREAD}, holds a connection that listens; if the
 * connection breaks, it takes another after a pause, and wakes everybody once. Thread-safe.
 */
public final class NotificationListener implements AutoCloseable {

    static final String THREAD = "feedkit-jdbc-listener";

    private static final Logger LOG = LoggerFactory.getLogger(NotificationListener.class);

    /** How long the thread waits at a time, and so may take to end: nothing can wake it while it does. */
    private static final Duration SLICE = Duration.ofMillis(250);

    private static final long FIRST_PAUSE_MILLIS = 100;
    private static final long LONGEST_PAUSE_MILLIS = 5_000;

    private final DataSource dataSource;
    private final String channel;
    private final Duration timeout;
    private final List<Watcher> watchers = new CopyOnWriteArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private Optional<Thread> running = Optional.empty();
    private boolean closed;
    private long pauseMillis = FIRST_PAUSE_MILLIS;
    private boolean warned;

    private NotificationListener(DataSource dataSource, String channel, Duration timeout) {
        this.dataSource = dataSource;
        this.channel = channel;
        this.timeout = timeout;
    }

    /**
     * A listener that has not begun.
     *
     * @param timeout the longest a statement may take
     * @throws IllegalArgumentException if the database or the data source's connections have no notices
     * @throws StoreUnavailableException if the database does not answer
     */
    public static NotificationListener of(DataSource dataSource, Database database, Duration timeout) {
        if (database.dialect() != Dialect.POSTGRESQL) {
            throw new IllegalArgumentException(
                    "notifications need PostgreSQL, but dataSource leads to " + database.dialect());
        }
        try {
            if (!NotificationConnection.isPossible(dataSource)) {
                throw new IllegalArgumentException(
                        "notifications need connections that unwrap to org.postgresql.PGConnection, but those of dataSource do not");
            }
        } catch (LinkageError e) {
            throw new IllegalArgumentException(
                    "notifications need PostgreSQL's own driver, org.postgresql:postgresql, but its classes cannot be used",
                    e);
        } catch (SQLException e) {
            throw new StoreUnavailableException("log.listen", e);
        }
        return new NotificationListener(dataSource, NotificationChannel.of(database), timeout);
    }

    /** What is notified. */
    public String channel() {
        return channel;
    }

    /** A watcher; compared by identity, since the same action may be given twice. */
    private static final class Watcher {
        private final Runnable wakeUp;

        Watcher(Runnable wakeUp) {
            this.wakeUp = wakeUp;
        }
    }

    Watch watch(Runnable wakeUp) {
        Watcher watcher = new Watcher(wakeUp);
        lock.lock();
        try {
            if (!closed && running.isEmpty()) {
                Thread thread = new Thread(this::run, THREAD);
                thread.setDaemon(true);
                thread.start();
                running = Optional.of(thread);
            }
            watchers.add(watcher);
        } finally {
            lock.unlock();
        }
        return () -> end(watcher);
    }

    private void end(Watcher watcher) {
        lock.lock();
        try {
            watchers.remove(watcher);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private boolean isWanted() {
        lock.lock();
        try {
            return !closed && !watchers.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        while (goesOn()) {
            try {
                listen();
            } catch (SQLException | RuntimeException | Error e) {
                report(e);
                pause();
            }
        }
    }

    /** Decides together with {@link #watch} whether this thread goes on, so that there is never none, nor two. */
    private boolean goesOn() {
        lock.lock();
        try {
            if (!isWanted()) {
                running = Optional.empty();
            }
            return running.isPresent();
        } finally {
            lock.unlock();
        }
    }

    private void listen() throws SQLException {
        try (NotificationConnection connection = NotificationConnection.open(dataSource, channel, timeout)) {
            LOG.debug("listens to {}", channel);
            wake();
            while (isWanted()) {
                boolean heard = connection.hears(SLICE);
                pauseMillis = FIRST_PAUSE_MILLIS;
                warned = false;
                if (heard) {
                    wake();
                }
            }
        }
    }

    private void wake() {
        for (Watcher watcher : watchers) {
            try {
                watcher.wakeUp.run();
            } catch (RuntimeException e) {
                LOG.debug("a watcher failed", e);
            }
        }
    }

    private void report(Throwable failure) {
        if (warned || !isWanted()) {
            LOG.debug("listening to {} failed, and is tried again", channel, failure);
        } else {
            LOG.warn(
                    "listening to {} failed, and is tried again; until then other processes' tasks wait for a poll, and further failures in a row are logged at DEBUG",
                    channel,
                    failure);
            warned = true;
        }
    }

    /** Waits, longer each time, and at random, so that processes that lost the same server do not come back together. */
    private void pause() {
        long millis = ThreadLocalRandom.current().nextLong(pauseMillis / 2, pauseMillis + 1);
        pauseMillis = Math.min(LONGEST_PAUSE_MILLIS, 2 * pauseMillis);
        long left = TimeUnit.MILLISECONDS.toNanos(millis);
        lock.lock();
        try {
            while (isWanted() && left > 0) {
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            LOG.debug("a stray interrupt woke the listener; only close() stops it", e);
        } finally {
            lock.unlock();
        }
    }

    /** Ends all watches and the thread, which gives its connection back. */
    @Override
    public void close() {
        Optional<Thread> last;
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
            last = running;
        } finally {
            lock.unlock();
        }
        last.filter(thread -> thread != Thread.currentThread()).ifPresent(this::join);
    }

    private void join(Thread thread) {
        try {
            TimeUnit.NANOSECONDS.timedJoin(thread, timeout.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            LOG.warn("{} has not ended within {}", THREAD, timeout);
        }
    }
}

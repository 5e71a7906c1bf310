package io.feedkit.jdbc.internal.log;

import io.feedkit.StoreUnavailableException;
import io.feedkit.internal.check.Addresses;
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
 * Wakes watchers at other processes' notifications of new tasks. While there are watchers, one daemon thread,
 * {@value #THREAD}, holds a connection that listens. If the connection breaks, the thread opens another after a pause,
 * and wakes all watchers once. Thread-safe.
 */
public final class NotificationListener implements AutoCloseable {

    static final String THREAD = "feedkit-jdbc-listener";

    private static final Logger LOG = LoggerFactory.getLogger(NotificationListener.class);

    /** The longest single wait of the thread. A wait cannot be interrupted, so the thread may take this long to end. */
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
     * Creates a listener. Its thread starts with the first watcher.
     *
     * @param timeout how long a statement may take
     * @throws IllegalArgumentException if the database or the data source's connections have no notifications
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
                        "notifications need connections that unwrap to org.postgresql.PGConnection,"
                                + " but those of dataSource do not");
            }
        } catch (LinkageError e) {
            throw new IllegalArgumentException(
                    "notifications need PostgreSQL's own driver, org.postgresql:postgresql,"
                            + " but its classes cannot be used",
                    e);
        } catch (SQLException e) {
            throw new StoreUnavailableException("log.listen", Addresses.clean(e));
        }
        return new NotificationListener(dataSource, NotificationChannel.of(database), timeout);
    }

    /** The channel of the tasks. */
    public String channel() {
        return channel;
    }

    /** A watcher. It is compared by identity, since two watchers may have the same action. */
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

    private boolean isNeeded() {
        lock.lock();
        try {
            return !closed && !watchers.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        while (continues()) {
            try {
                listen();
            } catch (SQLException | RuntimeException | Error e) {
                report(e);
                pause();
            }
        }
    }

    /** Decides under the lock of {@link #watch} whether this thread continues, so that there is always exactly one. */
    private boolean continues() {
        lock.lock();
        try {
            if (!isNeeded()) {
                running = Optional.empty();
            }
            return running.isPresent();
        } finally {
            lock.unlock();
        }
    }

    private void listen() throws SQLException {
        try (NotificationConnection connection = NotificationConnection.open(dataSource, channel, timeout)) {
            LOG.debug("Listening to {}", channel);
            wake();
            while (isNeeded()) {
                boolean received = connection.awaitNotification(SLICE);
                pauseMillis = FIRST_PAUSE_MILLIS;
                warned = false;
                if (received) {
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
                LOG.debug("A watcher failed", e);
            }
        }
    }

    private void report(Throwable failure) {
        if (warned || !isNeeded()) {
            LOG.debug("Listening to {} failed; retrying", channel, failure);
        } else {
            LOG.warn(
                    "Listening to {} failed; retrying. Until then, workers find other processes' tasks by polling."
                            + " Further failures in a row are logged at DEBUG",
                    channel,
                    failure);
            warned = true;
        }
    }

    /**
     * Waits a random time, longer with each failure, so that processes that lost a server do not reconnect together.
     */
    private void pause() {
        long millis = ThreadLocalRandom.current().nextLong(pauseMillis / 2, pauseMillis + 1);
        pauseMillis = Math.min(LONGEST_PAUSE_MILLIS, 2 * pauseMillis);
        long left = TimeUnit.MILLISECONDS.toNanos(millis);
        lock.lock();
        try {
            while (isNeeded() && left > 0) {
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            LOG.debug("The listener was interrupted and continues; only close() stops it", e);
        } finally {
            lock.unlock();
        }
    }

    /** Ends all watches, and stops the thread, which returns its connection. */
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
            LOG.warn("The thread {} did not end within {}; it ends after its statement", THREAD, timeout);
        }
    }
}

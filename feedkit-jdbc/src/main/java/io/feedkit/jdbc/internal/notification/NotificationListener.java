package io.feedkit.jdbc.internal.notification;

import io.feedkit.StoreUnavailableException;
import io.feedkit.internal.check.Addresses;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes the notifications of a channel to receivers. While there are receivers, one daemon thread holds a connection
 * that listens. If the connection breaks or falls silent, the thread opens another after a pause. Thread-safe.
 */
public final class NotificationListener implements AutoCloseable {

    /** Receives notifications, on the listener's thread. */
    public interface Receiver {

        /** The listener has connected. Notifications that were sent before may be missing. */
        void connected();

        /** Some notifications arrived. */
        void received(List<String> texts);
    }

    /** The presence of a receiver. */
    @FunctionalInterface
    public interface Registration {

        /** Removes the receiver. Idempotent. */
        void close();
    }

    private static final Logger LOG = LoggerFactory.getLogger(NotificationListener.class);

    /** The longest single wait of the thread. A wait cannot be interrupted, so the thread may take this long to end. */
    private static final Duration SLICE = Duration.ofMillis(250);

    private static final long FIRST_PAUSE_MILLIS = 100;
    private static final long LONGEST_PAUSE_MILLIS = 5_000;

    private final DataSource dataSource;
    private final String channel;
    private final Duration timeout;
    private final NotificationUse use;
    private final List<Registered> receivers = new CopyOnWriteArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private Optional<Thread> running = Optional.empty();
    private boolean closed;
    private long pauseMillis = FIRST_PAUSE_MILLIS;
    private boolean warned;

    /**
     * Creates a listener. Its thread starts with the first receiver.
     *
     * @param timeout how long a statement may take
     */
    public NotificationListener(DataSource dataSource, String channel, Duration timeout, NotificationUse use) {
        this.dataSource = dataSource;
        this.channel = channel;
        this.timeout = timeout;
        this.use = use;
    }

    /**
     * Checks that a database has notifications.
     *
     * @throws IllegalArgumentException if the database or the data source's connections have no notifications
     * @throws StoreUnavailableException if the database does not answer
     */
    public static void requirePossible(DataSource dataSource, NotificationUse use) {
        try (Connection connection = dataSource.getConnection()) {
            String product = connection.getMetaData().getDatabaseProductName();
            if (!product.equalsIgnoreCase("PostgreSQL")) {
                throw new IllegalArgumentException(use.needs() + " PostgreSQL, but dataSource leads to " + product);
            }
            if (!NotificationConnection.isPossible(connection)) {
                throw new IllegalArgumentException(
                        use.needs() + " connections that unwrap to org.postgresql.PGConnection,"
                                + " but those of dataSource do not");
            }
        } catch (LinkageError e) {
            throw new IllegalArgumentException(
                    use.needs() + " PostgreSQL's own driver, org.postgresql:postgresql,"
                            + " but its classes cannot be used",
                    e);
        } catch (SQLException e) {
            throw new StoreUnavailableException("jdbc.connect", Addresses.clean(e));
        }
    }

    /** The channel. */
    public String channel() {
        return channel;
    }

    /** A receiver, compared by identity. */
    private static final class Registered {
        private final Receiver receiver;

        Registered(Receiver receiver) {
            this.receiver = receiver;
        }
    }

    /** Adds a receiver, until its registration is closed. Does not wait for the database. */
    public Registration add(Receiver receiver) {
        Registered added = new Registered(receiver);
        lock.lock();
        try {
            if (!closed && running.isEmpty()) {
                Thread thread = new Thread(this::run, use.thread());
                thread.setDaemon(true);
                thread.start();
                running = Optional.of(thread);
            }
            receivers.add(added);
        } finally {
            lock.unlock();
        }
        return () -> end(added);
    }

    private void end(Registered registered) {
        lock.lock();
        try {
            receivers.remove(registered);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private boolean isNeeded() {
        lock.lock();
        try {
            return !closed && !receivers.isEmpty();
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

    /** Decides under the lock of {@link #add} whether this thread continues, so that there is always exactly one. */
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
        try (NotificationConnection connection =
                NotificationConnection.open(dataSource, channel, timeout, use.silence())) {
            LOG.debug("Listening to {}", channel);
            tell(Receiver::connected);
            while (isNeeded()) {
                List<String> texts = connection.await(SLICE);
                pauseMillis = FIRST_PAUSE_MILLIS;
                warned = false;
                if (!texts.isEmpty()) {
                    tell(receiver -> receiver.received(texts));
                }
            }
        }
    }

    private void tell(Consumer<Receiver> call) {
        for (Registered each : receivers) {
            if (isClosed()) {
                return;
            }
            try {
                call.accept(each.receiver);
            } catch (RuntimeException e) {
                LOG.debug("A receiver of {} failed", channel, e);
            }
        }
    }

    private void report(Throwable failure) {
        if (warned || !isNeeded()) {
            LOG.debug("Listening to {} failed; retrying", channel, failure);
        } else {
            LOG.warn(
                    "Listening to {} failed; retrying. Until then, {}. Further failures in a row are logged at DEBUG",
                    channel,
                    use.meanwhile(),
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

    private boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /** Ends all registrations, and stops the thread, which returns its connection. */
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
            LOG.warn("The thread {} did not end within {}; it ends after its statement", use.thread(), timeout);
        }
    }
}

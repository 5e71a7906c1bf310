package io.feedkit.redis.internal.bus;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.feedkit.FeedKitException;
import io.feedkit.StoreUnavailableException;
import io.feedkit.internal.bus.BusListeners;
import io.feedkit.redis.internal.connection.ConnectFailures;
import io.feedkit.redis.internal.connection.ConnectionFactory;
import io.feedkit.redis.internal.connection.FailureLogLevel;
import io.lettuce.core.RedisException;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Keeps a {@link BusSession} open. A daemon thread, {@value #THREAD}, opens the first one when the bus is first used,
 * and another one after each that broke. Thread-safe.
 */
public final class BusConnector implements AutoCloseable {

    /** The thread's name. */
    public static final String THREAD = "feedkit-redis-live-bus";

    private static final Logger LOG = LoggerFactory.getLogger(BusConnector.class);

    private static final String SEND = "bus.send";

    /** How often the thread looks whether the session still works. */
    private static final Duration LOOK = Duration.ofMillis(500);

    private static final long FIRST_PAUSE_MILLIS = 50;
    private static final long LONGEST_PAUSE_MILLIS = 2000;

    /** How often a closing caller interrupts the thread, because the code that connects may swallow an interrupt. */
    private static final long INTERRUPT_MILLIS = 10;

    private final String prefix;
    private final String servers;
    private final ConnectionFactory connections;
    private final byte[] channel;
    private final Duration timeout;
    private final BusListeners listeners;
    private final FailureLogLevel logLevel = new FailureLogLevel(Clock.systemUTC());
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // Guarded by the lock.
    private @Nullable Thread thread;
    private @Nullable BusSession session;
    private @Nullable FeedKitException failure;
    private boolean closed;

    private volatile boolean connecting;

    /**
     * Creates a connector without connections.
     *
     * @param prefix what log messages begin with
     * @param servers the servers' addresses, for messages
     * @param connections the client, which is closed with the connector
     * @param timeout how long a message may take, with the connection that it waits for
     * @param listeners what gets the messages that arrive
     */
    public BusConnector(
            String prefix,
            String servers,
            ConnectionFactory connections,
            byte[] channel,
            Duration timeout,
            BusListeners listeners) {
        this.prefix = prefix;
        this.servers = servers;
        this.connections = connections;
        this.channel = channel.clone();
        this.timeout = timeout;
        this.listeners = listeners;
    }

    /** Starts the thread at the first call, unless the connector is closed. */
    public void start() {
        lock.lock();
        try {
            if (thread == null && !closed) {
                Thread started = new Thread(this::run, THREAD);
                started.setDaemon(true);
                thread = started;
                started.start();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Sends a message. If a connection is being made, waits for it. After a failed attempt to connect, calls fail at
     * once until an attempt succeeds.
     *
     * @throws StoreUnavailableException if the message may not have been sent
     */
    public void send(String message) {
        start();
        long deadline = System.nanoTime() + timeout.toNanos();
        try {
            awaitSession(deadline).send(message, Math.max(1, deadline - System.nanoTime()));
        } catch (RedisException e) {
            throw new StoreUnavailableException(SEND, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException(SEND, e);
        }
    }

    private BusSession awaitSession(long deadline) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = deadline - System.nanoTime();
            while (session == null && failure == null && !closed && left > 0) {
                left = changed.awaitNanos(left);
            }
            if (closed) {
                throw new StoreUnavailableException(SEND, new IllegalStateException("this bus is closed"));
            }
            if (session != null) {
                return session;
            }
            String reason = failure == null ? "no answer within " + timeout : String.valueOf(failure.getMessage());
            throw new StoreUnavailableException(
                    SEND, new IllegalStateException("not connected to " + servers + ": " + reason, failure));
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        long pause = FIRST_PAUSE_MILLIS;
        while (!isClosed()) {
            try (BusSession opened = open()) {
                pause = FIRST_PAUSE_MILLIS;
                connected(opened);
                watch(opened);
            } catch (Throwable e) {
                failed(e);
                rest(ThreadLocalRandom.current().nextLong(pause / 2, pause));
                pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
            }
        }
    }

    private BusSession open() {
        connecting = true;
        try {
            return BusSession.open(connections, channel, timeout, new Owner());
        } finally {
            connecting = false;
        }
    }

    /** Passes on what a session tells. */
    private final class Owner implements BusSession.Owner {

        @Override
        public void received(String message) {
            listeners.receive(message);
        }

        @Override
        public void broken() {
            lock.lock();
            try {
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    private void connected(BusSession opened) {
        lock.lock();
        try {
            if (failure == null) {
                LOG.debug("{}: the live bus is connected to {}", prefix, servers);
            } else {
                LOG.info("{}: the live bus is connected to {} again", prefix, servers);
            }
            failure = null;
            session = opened;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Returns when the session is broken, or the connector is closed. */
    private void watch(BusSession opened) throws InterruptedException {
        try {
            while (isSoundAfter(LOOK.toNanos(), opened)) {
                probe(opened);
            }
        } finally {
            lock.lock();
            try {
                session = null;
            } finally {
                lock.unlock();
            }
        }
        opened.trouble().filter(reason -> !isClosed()).ifPresent(this::lost);
    }

    private boolean isSoundAfter(long nanos, BusSession opened) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = nanos;
            while (!closed && opened.trouble().isEmpty() && left > 0) {
                left = changed.awaitNanos(left);
            }
            return !closed && opened.trouble().isEmpty();
        } finally {
            lock.unlock();
        }
    }

    private void probe(BusSession opened) throws InterruptedException {
        try {
            opened.probe(timeout.toNanos());
        } catch (RedisException e) {
            LOG.debug("{}: a probe of the live bus failed", prefix, e);
        }
    }

    private void lost(String reason) {
        Level level = logLevel.of(new RedisException(reason)) == Level.WARN ? Level.INFO : Level.DEBUG;
        LOG.atLevel(level)
                .log(
                        "{}: the live bus connects to {} again, because {} (next times are logged at DEBUG)",
                        prefix,
                        servers,
                        reason);
    }

    private void failed(Throwable cause) {
        FeedKitException known = typed(cause);
        lock.lock();
        try {
            if (closed) {
                return;
            }
            failure = known;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        LOG.atLevel(logLevel.of(known))
                .log(
                        "{}: the live bus cannot connect to {}; retrying, and live feeds poll the store meanwhile: {}"
                                + " (next failures of this kind are logged at DEBUG)",
                        prefix,
                        servers,
                        known.getMessage());
    }

    private static FeedKitException typed(Throwable cause) {
        if (cause instanceof FeedKitException known) {
            return known;
        }
        return cause instanceof RedisException refused
                ? ConnectFailures.of(refused)
                : new StoreUnavailableException("redis.connect", cause);
    }

    private boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    private void rest(long millis) {
        lock.lock();
        try {
            long left = MILLISECONDS.toNanos(millis);
            while (!closed && left > 0) {
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            LOG.debug("{}: the thread of the live bus was interrupted, and continues", prefix, e);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Ends the thread, and closes the connections and FeedKit's own client. An interrupted caller also waits for that,
     * and stays interrupted. Idempotent.
     */
    @Override
    public void close() {
        Thread running;
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            running = thread;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        listeners.clear();
        boolean unfinished = connecting;
        if (running != null) {
            end(running);
        }
        connections.end().run(unfinished);
    }

    private static void end(Thread running) {
        boolean interrupted = false;
        while (running.isAlive()) {
            running.interrupt();
            try {
                running.join(INTERRUPT_MILLIS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}

package io.feedkit.rabbitmq.internal.connection;

import io.feedkit.FeedKitException;
import io.feedkit.internal.check.Addresses;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * A connection that is opened again after it was lost. All work that may hang runs as a job on a thread of its own,
 * which also reconnects: writes to a socket have no time-out. Thread-safe.
 *
 * <p>Any failure of a connection or of one of its channels ends the connection. Recovery always opens a new connection,
 * and creates everything on it again.
 */
public final class RecoveringConnection {

    /** The first pause after a connection was lost. Each pause is twice the one before. */
    private static final long FIRST_PAUSE_MILLIS = 100;

    private static final long LONGEST_PAUSE_MILLIS = 5_000;
    /** After a connection has lasted this long, the pauses start again with the first one. */
    private static final long STABLE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final long CLOSE_MILLIS = 1_000;

    private static final Job WAKE = () -> {};

    private static final Logger LOG = LoggerFactory.getLogger(RecoveringConnection.class);

    /** Work to do on the connection. */
    @FunctionalInterface
    public interface Job {

        /** Does the work. A failure ends the connection. */
        void run() throws IOException, TimeoutException;

        /** Called instead of {@link #run} if the connection ended before. */
        default void drop() {}
    }

    /** The purpose of a connection. */
    public interface Role {

        /** Prepares a new connection; a failure ends it. */
        void begin(OpenConnection opened) throws IOException, TimeoutException;

        /** Called after the connection has ended. */
        void lost();
    }

    private final Connector connector;
    private final String name;
    private final Role role;
    private final BlockingQueue<Job> jobs = new LinkedBlockingQueue<>();
    private final Thread thread;
    private volatile Optional<OpenConnection> current = Optional.empty();
    private volatile Sockets sockets = new Sockets();
    private volatile boolean closed;
    private boolean warned;

    /**
     * Creates a connection that is not open yet.
     *
     * @param purpose what the connection is for, in its name and the thread's
     */
    public RecoveringConnection(Connector connector, String purpose, Role role) {
        this.connector = connector;
        this.name = connector.queues().prefix() + " " + purpose;
        this.role = role;
        thread = new Thread(this::run, "feedkit-rabbitmq " + name);
        thread.setDaemon(true);
    }

    /** Connects for the first time, in this thread. */
    public void start() throws IOException, TimeoutException {
        current = Optional.of(open());
        thread.start();
    }

    /** Whether there is a connection, as far as is known. */
    public boolean isConnected() {
        return current.filter(opened -> opened.brokenBy().isEmpty()).isPresent() && !closed;
    }

    /** Submits a job. Returns false if there is no connection. */
    public boolean submit(Job job) {
        if (!isConnected()) {
            return false;
        }
        jobs.add(job);
        return true;
    }

    /**
     * Submits a job for this connection, or for the one that is being prepared. If there is none, the job may be
     * dropped, or run on the next one. So it must be a job that {@link Role#begin} also does, or that has no effect on
     * the next connection.
     */
    public void submitAnyway(Job job) {
        if (!closed) {
            jobs.add(job);
        }
    }

    /** Closes the connection, after the submitted jobs, and in bounded time. */
    public void close() {
        closed = true;
        jobs.add(WAKE);
        if (thread.isAlive() && !Thread.currentThread().equals(thread)) {
            join();
            sockets.cut();
            join();
        } else {
            current.ifPresent(OpenConnection::close);
        }
    }

    private void join() {
        try {
            thread.join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private OpenConnection open() throws IOException, TimeoutException {
        Sockets newSockets = new Sockets();
        sockets = newSockets;
        OpenConnection opened =
                new OpenConnection(connector.connect(name, newSockets), newSockets, () -> jobs.add(WAKE));
        try {
            role.begin(opened);
            return opened;
        } catch (Throwable e) {
            opened.close();
            throw e;
        }
    }

    private void run() {
        long pause = FIRST_PAUSE_MILLIS;
        while (!closed || current.isPresent()) {
            long begin = System.nanoTime();
            try {
                current.ifPresent(this::serve);
            } catch (Throwable e) {
                warn(e);
            }
            if (System.nanoTime() - begin > STABLE_NANOS) {
                pause = FIRST_PAUSE_MILLIS;
            }
            try {
                pause(pause);
                reconnect();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (Throwable e) {
                warn(e);
            }
            pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
        }
    }

    /** Never fails, so that the thread continues in any case. */
    private void warn(Throwable failure) {
        try {
            LOG.warn("{}: the connection failed; reconnecting", name, Addresses.clean(failure));
        } catch (Throwable e) {
            // The failure may be the logger's.
        }
    }

    /** Runs jobs until the connection has ended. */
    private void serve(OpenConnection opened) {
        try {
            while (opened.brokenBy().isEmpty() && !(closed && jobs.isEmpty())) {
                jobs.take().run();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            closed = true;
        } catch (Throwable e) {
            opened.markBroken(ConnectFailures.text(e));
        } finally {
            Optional<String> reason = opened.brokenBy();
            current = Optional.empty();
            try {
                role.lost();
            } finally {
                opened.close();
            }
            reason.filter(text -> !closed)
                    .ifPresent(text ->
                            LOG.warn("{}: lost the connection to {}; reconnecting: {}", name, connector.where(), text));
        }
    }

    /** Waits, and drops jobs that were submitted too late. */
    private void pause(long millis) throws InterruptedException {
        long nanos = TimeUnit.MILLISECONDS.toNanos(ThreadLocalRandom.current().nextLong(millis / 2, millis));
        long begin = System.nanoTime();
        long left = nanos;
        while (left > 0 && !closed) {
            Optional.ofNullable(jobs.poll(left, TimeUnit.NANOSECONDS)).ifPresent(Job::drop);
            left = nanos - (System.nanoTime() - begin);
        }
    }

    private void reconnect() {
        if (closed) {
            return;
        }
        try {
            OpenConnection opened = open();
            if (closed) {
                opened.close();
                return;
            }
            current = Optional.of(opened);
            warned = false;
            LOG.info("{}: reconnected to {}", name, connector.where());
        } catch (IOException | TimeoutException | RuntimeException e) {
            FeedKitException failure = ConnectFailures.of(connector.where(), e);
            LOG.atLevel(failure.isRetryable() || warned ? Level.DEBUG : Level.WARN)
                    .log("{}: {}", name, failure.getMessage());
            warned |= !failure.isRetryable();
        }
    }
}

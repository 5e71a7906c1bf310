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
 * A connection that is kept up. Everything that may hang runs as a job on the link's own thread, which also connects
 * again: writes to a socket have no time-out. Thread-safe.
 *
 * <p>Whatever goes wrong on a connection or on a channel of it ends the connection. There is one way to recover: a new
 * connection, and everything on it anew.
 */
public final class Link {

    /** The first pause after a connection was lost. Each pause is twice the one before. */
    private static final long FIRST_PAUSE_MILLIS = 100;

    private static final long LONGEST_PAUSE_MILLIS = 5_000;
    /** A connection that has lasted so long was a good one: the pauses begin anew. */
    private static final long GOOD_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final long CLOSE_MILLIS = 1_000;

    private static final Job WAKE = () -> {};

    private static final Logger LOG = LoggerFactory.getLogger(Link.class);

    /** Something to do on the connection. */
    @FunctionalInterface
    public interface Job {

        /** Does it. A failure ends the connection. */
        void run() throws IOException, TimeoutException;

        /** The connection ended before. */
        default void drop() {}
    }

    /** What a link is for. */
    public interface Role {

        /** Prepares a new connection; a failure ends it. */
        void begin(Line line) throws IOException, TimeoutException;

        /** The connection has ended. */
        void lost();
    }

    private final Connector connector;
    private final String name;
    private final Role role;
    private final BlockingQueue<Job> jobs = new LinkedBlockingQueue<>();
    private final Thread thread;
    private volatile Optional<Line> current = Optional.empty();
    private volatile Sockets sockets = new Sockets();
    private volatile boolean closed;
    private boolean warned;

    /**
     * Makes a link that is not connected.
     *
     * @param purpose what the connection is for, in its name and the thread's
     */
    public Link(Connector connector, String purpose, Role role) {
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
        return current.filter(line -> line.brokenBy().isEmpty()).isPresent() && !closed;
    }

    /** Has a job done, unless there is no connection. */
    public boolean submit(Job job) {
        if (!isConnected()) {
            return false;
        }
        jobs.add(job);
        return true;
    }

    /**
     * Has a job done on this connection, or on the one that is being prepared. If there is none, the job may be
     * dropped, or be done on the next one: so it is for what {@link Role#begin} does as well, and for what has no
     * effect then.
     */
    public void submitAnyway(Job job) {
        if (!closed) {
            jobs.add(job);
        }
    }

    /** Closes the connection, after the jobs that have been submitted, and in bounded time. */
    public void close() {
        closed = true;
        jobs.add(WAKE);
        if (thread.isAlive() && !Thread.currentThread().equals(thread)) {
            join();
            sockets.cut();
            join();
        } else {
            current.ifPresent(Line::close);
        }
    }

    private void join() {
        try {
            thread.join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Line open() throws IOException, TimeoutException {
        Sockets opened = new Sockets();
        sockets = opened;
        Line line = new Line(connector.connect(name, opened), opened, () -> jobs.add(WAKE));
        try {
            role.begin(line);
            return line;
        } catch (Throwable e) {
            line.close();
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
            if (System.nanoTime() - begin > GOOD_NANOS) {
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

    /** Does not fail: the thread goes on whatever happens. */
    private void warn(Throwable failure) {
        try {
            LOG.warn("{}: the connection has failed, and is opened again", name, Addresses.clean(failure));
        } catch (Throwable e) {
            // The logger may be what has failed.
        }
    }

    /** Does jobs until the connection has ended. */
    private void serve(Line line) {
        try {
            while (line.brokenBy().isEmpty() && !(closed && jobs.isEmpty())) {
                jobs.take().run();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            closed = true;
        } catch (Throwable e) {
            line.breakOff(ConnectFailures.text(e));
        } finally {
            Optional<String> reason = line.brokenBy();
            current = Optional.empty();
            try {
                role.lost();
            } finally {
                line.close();
            }
            reason.filter(text -> !closed)
                    .ifPresent(
                            text -> LOG.warn("{}: the connection to {} was lost: {}", name, connector.where(), text));
        }
    }

    /** Waits, and drops the jobs that have come too late. */
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
            Line line = open();
            if (closed) {
                line.close();
                return;
            }
            current = Optional.of(line);
            warned = false;
            LOG.info("{}: connected to {} again", name, connector.where());
        } catch (IOException | TimeoutException | RuntimeException e) {
            FeedKitException failure = ConnectFailures.of(connector.where(), e);
            LOG.atLevel(failure.isRetryable() || warned ? Level.DEBUG : Level.WARN)
                    .log("{}: {}", name, failure.getMessage());
            warned |= !failure.isRetryable();
        }
    }
}

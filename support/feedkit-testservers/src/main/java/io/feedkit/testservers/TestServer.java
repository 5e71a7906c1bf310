package io.feedkit.testservers;

import java.util.List;

/**
 * A real server: processes of the operating system with a temporary directory, on a port of the loopback address.
 *
 * <p>Each operation ends within about two minutes or fails with an {@link IllegalStateException} that shows the tail of
 * the server's log. A server that is not closed ends with the JVM, also if the JVM is killed. Thread-safe.
 *
 * <p>The shared servers ({@link PostgresServer#shared()}, {@link MariaDbServer#shared()}, {@link MySqlServer#shared()},
 * {@link RedisServer#shared()} and others) belong to the whole JVM: they refuse to be killed, restarted or closed.
 */
public abstract sealed class TestServer implements AutoCloseable
        permits SqlServer, RedisServer, RabbitMqServer, KafkaServer, CassandraServer {

    private final boolean shared;
    private final int port;
    private final ServerProcess process;
    private final Thread hook = new Thread(this::end, "feedkit-testserver-end");
    private boolean closed;

    TestServer(String name, boolean shared, int port) {
        this.shared = shared;
        this.port = port;
        process = new ServerProcess(name);
    }

    /**
     * Returns the port that the server listens on.
     *
     * @return the port, which a restart does not change
     */
    public final int port() {
        return port;
    }

    /**
     * Kills each of the server's processes with SIGKILL, and returns when all have ended. No effect if the server is
     * not running.
     *
     * @throws IllegalStateException if this server is shared, or a process does not end
     */
    public final synchronized void kill() {
        refuseIfShared("killed");
        process.kill();
    }

    /**
     * Restarts the server, with the same port and data, and returns when it answers. A running server is killed first.
     *
     * @throws IllegalStateException if this server is shared or closed, or does not answer in time
     */
    public final synchronized void restart() {
        refuseIfShared("restarted");
        if (closed) {
            throw new IllegalStateException("this server is closed");
        }
        process.kill();
        launch();
    }

    /**
     * Restarts the server, with the same port and without data, and returns when it answers. A running server is killed
     * first.
     *
     * @throws IllegalStateException if this server is shared or closed, or does not answer in time
     */
    public final synchronized void restartEmpty() {
        refuseIfShared("emptied");
        if (closed) {
            throw new IllegalStateException("this server is closed");
        }
        process.kill();
        process.clear();
        initialize(process);
        launch();
    }

    /**
     * Stops each of the server's processes with SIGSTOP: connections stay open, and requests are not answered. No
     * effect if the server is not running.
     *
     * @throws IllegalStateException if this server is shared
     */
    public final synchronized void freeze() {
        refuseIfShared("frozen");
        process.freeze();
    }

    /** Resumes the server's processes after {@link #freeze()}. No effect if the server is not running or not frozen. */
    public final synchronized void thaw() {
        process.signal("CONT");
    }

    /**
     * Returns whether the server's process is running.
     *
     * @return true if it is
     */
    public final synchronized boolean isRunning() {
        return process.isRunning();
    }

    /**
     * Returns the end of the server's log.
     *
     * @return the last lines
     */
    public final String logTail() {
        return process.tail();
    }

    /**
     * Kills the server and deletes its data. A second call has no effect.
     *
     * @throws IllegalStateException if this server is shared
     */
    @Override
    public final void close() {
        refuseIfShared("closed");
        discard();
    }

    /** Fills the data directory. */
    abstract void initialize(ServerProcess process);

    /** The command that runs the server, in the foreground. */
    abstract List<String> command(ServerProcess process);

    /** The request that a starting server must answer. */
    abstract ServerProcess.Probe probe();

    /** Starts the server. Called once, by the method that created this object. */
    final synchronized void begin() {
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            initialize(process);
            launch();
        } catch (RuntimeException e) {
            discard();
            throw e;
        }
    }

    private void launch() {
        process.launch(command(process), probe());
    }

    final ServerProcess process() {
        return process;
    }

    private void refuseIfShared(String verb) {
        if (shared) {
            throw new IllegalStateException("the shared server must not be " + verb + ": start one of your own");
        }
    }

    private void discard() {
        end();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM is ending, and the hook has nothing to do.
        }
    }

    private synchronized void end() {
        if (closed) {
            return;
        }
        closed = true;
        process.kill();
        process.delete();
    }
}

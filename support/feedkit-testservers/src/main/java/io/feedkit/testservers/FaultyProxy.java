package io.feedkit.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.net.ServerSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * A TCP proxy on the loopback address in front of a server, which makes faults on demand. Faults add up, apply to open
 * and new connections, and last until {@link #pass()}. Thread-safe; it starts a daemon thread to accept connections and
 * two for each connection.
 *
 * <p>A reply that is held or cut off makes a write ambiguous: the client's call fails although the server has applied
 * the write.
 */
public final class FaultyProxy implements AutoCloseable {

    /** A direction through the proxy. */
    public enum Direction {

        /** From client to server. */
        REQUESTS,

        /** From server to client. */
        REPLIES
    }

    private static final int CONNECT_MILLIS = 10_000;

    private final int serverPort;
    private final ServerSocketFactory sockets;
    private final int port = Ports.free();
    private final Set<ProxiedConnection> connections = new HashSet<>();
    private final Set<Direction> held = EnumSet.noneOf(Direction.class);
    private Duration delay = Duration.ZERO;
    private long replyBytes = Long.MAX_VALUE;
    private @Nullable ServerSocket listener;
    private boolean accepting;
    private boolean closed;

    private FaultyProxy(int serverPort, ServerSocketFactory sockets) {
        this.serverPort = serverPort;
        this.sockets = sockets;
    }

    /**
     * Starts a proxy that passes all data.
     *
     * @param serverPort the port of the server on the loopback address; it need not listen yet
     * @return the proxy
     */
    public static FaultyProxy before(int serverPort) {
        return started(serverPort, ServerSocketFactory.getDefault());
    }

    /**
     * Starts a proxy that passes all data. Connections to it are encrypted (TLS), those to the server are not. When it
     * resets a connection, the client may read an orderly end instead.
     *
     * @param serverPort the port of the server on the loopback address; it need not listen yet
     * @param certificate the certificate that it presents to clients
     * @return the proxy
     */
    public static FaultyProxy encrypted(int serverPort, Certificate certificate) {
        return started(serverPort, certificate.sockets());
    }

    private static FaultyProxy started(int serverPort, ServerSocketFactory sockets) {
        FaultyProxy proxy = new FaultyProxy(serverPort, sockets);
        proxy.pass();
        return proxy;
    }

    /**
     * Returns the port that the proxy listens on.
     *
     * @return the port on the loopback address
     */
    public int port() {
        return port;
    }

    /**
     * Changes a URL of the server so that it leads through this proxy.
     *
     * @param serverUrl a URL with the server's port
     * @return the same URL with the proxy's port
     * @throws IllegalArgumentException if the URL does not have the server's port
     */
    public String url(String serverUrl) {
        String address = "127.0.0.1:" + serverPort;
        if (!serverUrl.contains(address + "/")) {
            throw new IllegalArgumentException("serverUrl must contain " + address + "/, but is " + serverUrl);
        }
        return serverUrl.replace(address + "/", "127.0.0.1:" + port + "/");
    }

    /**
     * Ends all faults: held data is passed on, and connections are accepted again. Connections that were ended or reset
     * stay so.
     */
    public synchronized void pass() {
        refuseIfClosed();
        held.clear();
        delay = Duration.ZERO;
        limitReplies(Long.MAX_VALUE);
        if (listener == null) {
            awaitAcceptor();
            listen();
        }
        notifyAll();
    }

    /**
     * Delays each piece of data, of at most 8 KiB, in both directions. Pieces of one direction of one connection wait
     * for each other.
     *
     * @param duration the delay
     */
    public synchronized void delay(Duration duration) {
        delay = duration;
        notifyAll();
    }

    /**
     * Holds all data in one direction, the end of a connection included, like a network that loses each packet. The
     * senders do not notice.
     *
     * @param direction the direction
     */
    public synchronized void blackHole(Direction direction) {
        held.add(direction);
    }

    /**
     * Passes a number of further bytes of replies on each connection, open or new, and ends the connection when the
     * server sends one more byte. The client reads these bytes and then the end of the stream.
     *
     * @param bytes how many bytes pass; with 0 the next reply ends the connection
     * @throws IllegalArgumentException if {@code bytes} is negative
     */
    public synchronized void cutAfterReplyBytes(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("bytes must not be negative, was " + bytes);
        }
        limitReplies(bytes);
    }

    /** Resets each open connection, on both sides: peers get "connection reset". New connections are accepted. */
    public synchronized void resetAll() {
        connections.forEach(ProxiedConnection::reset);
        connections.clear();
        notifyAll();
    }

    /** Refuses new connections: clients get "connection refused". Open connections continue. */
    public synchronized void refuse() {
        ServerSocket open = listener;
        listener = null;
        if (open != null) {
            close(open);
            awaitAcceptor();
        }
    }

    /**
     * Counts the connections.
     *
     * @return how many are open
     */
    public synchronized int connections() {
        return connections.size();
    }

    /** Resets each connection and stops listening. A second call has no effect. */
    @Override
    public synchronized void close() {
        closed = true;
        refuse();
        resetAll();
    }

    /**
     * Waits until a piece of data may pass. Returns how many bytes of it may pass, or -1 if the connection has ended.
     */
    synchronized int admit(ProxiedConnection connection, Direction direction, int length) throws InterruptedException {
        long arrived = System.nanoTime();
        while (connections.contains(connection)) {
            long left = delay.toNanos() - (System.nanoTime() - arrived);
            if (held.contains(direction)) {
                wait();
            } else if (left > 0) {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            } else {
                return direction == Direction.REPLIES ? connection.takeReply(length) : length;
            }
        }
        return -1;
    }

    synchronized void ended(ProxiedConnection connection) {
        connections.remove(connection);
        notifyAll();
    }

    private void limitReplies(long bytes) {
        replyBytes = bytes;
        connections.forEach(connection -> connection.limitReplies(bytes));
    }

    private void listen() {
        try {
            ServerSocket opened = Ports.listen(sockets.createServerSocket(), port);
            listener = opened;
            accepting = true;
            Thread acceptor = new Thread(() -> acceptAll(opened), "feedkit-proxy-accept");
            acceptor.setDaemon(true);
            acceptor.start();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot listen on port " + port, e);
        }
    }

    private void acceptAll(ServerSocket from) {
        while (true) {
            try {
                connect(from, from.accept());
            } catch (IOException e) {
                if (from.isClosed()) {
                    acceptorEnded();
                    return;
                }
            }
        }
    }

    private synchronized void acceptorEnded() {
        accepting = false;
        notifyAll();
    }

    /** Waits for the thread that accepts connections. The kernel listens until that thread has left {@code accept}. */
    private void awaitAcceptor() {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(2L * CONNECT_MILLIS);
        try {
            while (accepting) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    throw new IllegalStateException("port " + port + " still accepts connections");
                }
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the proxy was closing port " + port, e);
        }
    }

    private void connect(ServerSocket from, Socket client) throws IOException {
        Socket server = new Socket();
        ProxiedConnection connection = new ProxiedConnection(this, client, server);
        try {
            server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), serverPort), CONNECT_MILLIS);
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            open(from, connection);
        } catch (IOException e) {
            connection.reset();
            throw e;
        }
    }

    private synchronized void open(ServerSocket from, ProxiedConnection connection) throws IOException {
        if (from.isClosed()) {
            throw new SocketException("the proxy refuses new connections");
        }
        connection.limitReplies(replyBytes);
        connections.add(connection);
        connection.start();
    }

    private void refuseIfClosed() {
        if (closed) {
            throw new IllegalStateException("this proxy is closed");
        }
    }

    private static void close(ServerSocket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

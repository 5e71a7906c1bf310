package io.feedkit.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports for servers that are stopped and started again. A port is reserved until the JVM ends, so that nobody else gets
 * it while its server is down: a bound socket that does not listen holds it, and clients get "connection refused".
 */
final class Ports {

    private static final int LOWEST = 12_000;
    private static final int END = 32_000;
    private static final int TRIES = 100;
    private static final Set<Socket> RESERVATIONS = ConcurrentHashMap.newKeySet();

    private Ports() {}

    static int free() {
        return free(0);
    }

    /** Reserves a free port such that the port at the given distance above it is free too, and reserved. */
    static int free(int distance) {
        for (int i = 0; i < TRIES; i++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, END - distance);
            if (reserve(port) && (distance == 0 || reserve(port + distance))) {
                return port;
            }
        }
        throw new IllegalStateException("no free port from " + LOWEST + " to " + END + " in " + TRIES + " tries");
    }

    static ServerSocket listen(int port) throws IOException {
        return listen(new ServerSocket(), port);
    }

    static ServerSocket listen(ServerSocket socket, int port) throws IOException {
        try {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /**
     * Binds a socket, which fails if another socket of any process is bound to the port. Once it is bound it permits
     * its address to be reused, which Linux then allows to one socket that listens.
     */
    private static boolean reserve(int port) {
        try {
            Socket socket = new Socket();
            try {
                socket.setReuseAddress(false);
                socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                socket.setReuseAddress(true);
                RESERVATIONS.add(socket);
                return true;
            } catch (IOException e) {
                socket.close();
                return false;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

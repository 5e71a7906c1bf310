package io.feedkit.testservers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Free ports below those that the kernel assigns to clients, so that no client gets one while its server is down. */
final class Ports {

    private static final int LOWEST = 12_000;
    private static final int END = 32_000;
    private static final int TRIES = 100;

    private Ports() {}

    static int free() {
        return free(0);
    }

    /** Finds a free port such that the port at the given distance above it is free too. */
    static int free(int distance) {
        for (int i = 0; i < TRIES; i++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, END - distance);
            if (isFree(port) && isFree(port + distance)) {
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

    private static boolean isFree(int port) {
        try {
            listen(port).close();
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}

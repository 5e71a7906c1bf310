package io.feedkit.rabbitmq.internal.connection;

import com.rabbitmq.client.SocketConfigurator;
import java.io.IOException;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The sockets of one connection and of the attempts to open it. A thread that hangs in a write holds the client's
 * locks, so that only the end of the socket frees it. Thread-safe.
 */
final class Sockets {

    private final List<Socket> opened = new CopyOnWriteArrayList<>();
    private volatile boolean cut;

    SocketConfigurator noting(SocketConfigurator host) {
        return socket -> {
            host.configure(socket);
            opened.add(socket);
            if (cut) {
                cut();
            }
        };
    }

    /** Ends them all at once, without a word to the broker. Returns whether there were any. */
    boolean cut() {
        cut = true;
        for (Socket socket : opened) {
            try {
                // Otherwise an encrypted one would wait for the writer before it closes.
                socket.setSoLinger(true, 0);
            } catch (IOException e) {
                // Closed already.
            }
            try {
                socket.close();
            } catch (IOException e) {
                // Closed already.
            }
        }
        return !opened.isEmpty();
    }
}

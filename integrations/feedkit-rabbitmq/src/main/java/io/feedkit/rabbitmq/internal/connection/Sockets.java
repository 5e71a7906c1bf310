package io.feedkit.rabbitmq.internal.connection;

import com.rabbitmq.client.SocketConfigurator;
import java.io.IOException;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The sockets of one connection and of the attempts to open it. A thread that hangs in a write holds the client's
 * locks, so that only closing the socket frees it. Thread-safe.
 */
final class Sockets {

    private final List<Socket> opened = new CopyOnWriteArrayList<>();
    private volatile boolean cut;

    SocketConfigurator recording(SocketConfigurator host) {
        return socket -> {
            host.configure(socket);
            opened.add(socket);
            if (cut) {
                cut();
            }
        };
    }

    /** Closes all sockets at once, without notifying the broker. Returns whether there were any. */
    boolean cut() {
        cut = true;
        for (Socket socket : opened) {
            try {
                // Otherwise closing an encrypted socket would wait for the thread that writes to it.
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

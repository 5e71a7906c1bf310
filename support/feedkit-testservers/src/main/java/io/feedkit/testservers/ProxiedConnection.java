package io.feedkit.testservers;

import io.feedkit.testservers.FaultyProxy.Direction;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;

/** A connection through a {@link FaultyProxy}, whose lock guards the limit of replies. */
final class ProxiedConnection {

    private static final int PIECE = 8 * 1024;

    private final FaultyProxy proxy;
    private final Socket client;
    private final Socket server;
    private final AtomicInteger open = new AtomicInteger(Direction.values().length);
    private long replyBytes;

    ProxiedConnection(FaultyProxy proxy, Socket client, Socket server) {
        this.proxy = proxy;
        this.client = client;
        this.server = server;
    }

    void start() {
        start(Direction.REQUESTS, client, server);
        start(Direction.REPLIES, server, client);
    }

    void limitReplies(long bytes) {
        replyBytes = bytes;
    }

    /**
     * Returns how many bytes of a reply pass within the limit. If these are fewer than its length, the connection ends.
     */
    int takeReply(int length) {
        int taken = (int) Math.min(length, replyBytes);
        if (replyBytes != Long.MAX_VALUE) {
            replyBytes -= taken;
        }
        return taken;
    }

    void reset() {
        reset(client);
        reset(server);
    }

    private void start(Direction direction, Socket from, Socket to) {
        Thread pump = new Thread(() -> pump(direction, from, to), "feedkit-proxy-" + direction);
        pump.setDaemon(true);
        pump.start();
    }

    private void pump(Direction direction, Socket from, Socket to) {
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] piece = new byte[PIECE];
            for (int length = in.read(piece); length >= 0; length = in.read(piece)) {
                int admitted = proxy.admit(this, direction, length);
                out.write(piece, 0, Math.max(0, admitted));
                if (admitted < length) {
                    end();
                    return;
                }
            }
            proxy.admit(this, direction, 0);
            to.shutdownOutput();
            if (open.decrementAndGet() == 0) {
                end();
            }
        } catch (IOException e) {
            proxy.ended(this);
            reset();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            reset();
        }
    }

    private void end() throws IOException {
        proxy.ended(this);
        client.close();
        server.close();
    }

    private static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException e) {
            // It is already closed.
        }
    }
}

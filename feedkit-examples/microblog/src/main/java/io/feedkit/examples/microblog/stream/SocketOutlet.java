package io.feedkit.examples.microblog.stream;

import jakarta.websocket.CloseReason;
import jakarta.websocket.SendResult;
import jakarta.websocket.Session;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import tools.jackson.databind.json.JsonMapper;

/** A WebSocket. It takes one message at a time, and reports when the message has left. */
final class SocketOutlet implements Outlet {

    /** How long a client may leave a message unread. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private record Piece(String text, Runnable sent) {}

    private final Session session;
    private final JsonMapper json;
    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by the lock.
    private final Deque<Piece> waiting = new ArrayDeque<>();
    private boolean sending;
    private boolean closed;

    SocketOutlet(Session session, JsonMapper json) {
        this.session = session;
        this.json = json;
        session.getAsyncRemote().setSendTimeout(PATIENCE.toMillis());
    }

    @Override
    public void send(Message message, Runnable sent) {
        add(Map.of("stream", List.of("user"), "event", message.event(), "payload", message.payload()), sent);
    }

    /** Tells the client what was wrong with its request. */
    void error(String text) {
        add(Map.of("error", text, "status", 400), () -> {});
    }

    private void add(Map<String, Object> message, Runnable sent) {
        String text = json.writeValueAsString(message);
        lock.lock();
        try {
            if (!closed) {
                waiting.add(new Piece(text, sent));
            }
        } finally {
            lock.unlock();
        }
        sendNext();
    }

    private void sendNext() {
        Piece next;
        lock.lock();
        try {
            next = sending || closed ? null : waiting.poll();
            sending |= next != null;
        } finally {
            lock.unlock();
        }
        if (next != null) {
            try {
                session.getAsyncRemote().sendText(next.text(), result -> sent(next, result));
            } catch (IllegalStateException e) {
                close(); // the client is gone
            }
        }
    }

    private void sent(Piece piece, SendResult result) {
        if (!result.isOK()) {
            close();
            return;
        }
        lock.lock();
        try {
            sending = false;
        } finally {
            lock.unlock();
        }
        piece.sent().run();
        sendNext();
    }

    @Override
    public void beat() {
        lock.lock();
        try {
            if (!sending && !closed) {
                session.getAsyncRemote().sendPing(ByteBuffer.allocate(0));
            }
        } catch (IOException | IllegalStateException e) {
            close();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (!closed) {
                closed = true;
                session.close(new CloseReason(CloseReason.CloseCodes.GOING_AWAY, ""));
            }
        } catch (IOException e) {
            // It is closed already.
        } finally {
            lock.unlock();
        }
    }
}

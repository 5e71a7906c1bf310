package io.feedkit.examples.microblog.stream;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Server-sent events by the non-blocking output of servlets. Spring's {@code SseEmitter} would hold a thread while a
 * client does not read.
 */
final class SseOutlet implements Outlet, WriteListener {

    private record Piece(String text, Runnable sent) {

        byte[] bytes() {
            return text.getBytes(StandardCharsets.UTF_8);
        }
    }

    private final AsyncContext exchange;
    private final ServletOutputStream out;
    private final boolean withCursors;
    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by the lock.
    private final Deque<Piece> waiting = new ArrayDeque<>();
    private List<Runnable> unflushed = new ArrayList<>();
    private boolean open;
    private boolean closed;

    /**
     * @param withCursors whether events have FeedKit's cursors as ids
     */
    SseOutlet(AsyncContext exchange, ServletOutputStream out, boolean withCursors) {
        this.exchange = exchange;
        this.out = out;
        this.withCursors = withCursors;
        waiting.add(new Piece(
                ":)\n", SseOutlet::nothing)); // begins the answer: a client would take silence for a hung connection
    }

    private static void nothing() {}

    @Override
    public void send(Message message, Runnable sent) {
        String id = withCursors
                ? message.cursor().map(cursor -> "id: " + cursor + "\n").orElse("")
                : "";
        add(new Piece(id + "event: " + message.event() + "\ndata: " + message.payload() + "\n\n", sent));
    }

    /** One newline: an empty line would end an event, and some clients then read one without data. */
    @Override
    public void beat() {
        add(new Piece(":thump\n", SseOutlet::nothing));
    }

    private void add(Piece piece) {
        lock.lock();
        try {
            if (!closed) {
                waiting.add(piece);
            }
        } finally {
            lock.unlock();
        }
        write();
    }

    @Override
    public void onWritePossible() {
        lock.lock();
        try {
            open = true;
        } finally {
            lock.unlock();
        }
        write();
    }

    /** Writes as much as the connection takes now. The server calls again when it takes more. */
    private void write() {
        List<Runnable> sent = new ArrayList<>();
        lock.lock();
        try {
            while (open && !closed && !(waiting.isEmpty() && unflushed.isEmpty()) && out.isReady()) {
                Piece next = waiting.poll();
                if (next == null) {
                    out.flush();
                    sent.addAll(unflushed);
                    unflushed = new ArrayList<>();
                } else {
                    out.write(next.bytes());
                    unflushed.add(next.sent());
                }
            }
        } catch (IOException | IllegalStateException e) {
            onError(e);
        } finally {
            lock.unlock();
        }
        sent.forEach(Runnable::run);
    }

    /** The client is gone. */
    @Override
    public void onError(Throwable failure) {
        close();
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (!closed) {
                closed = true;
                exchange.complete();
            }
        } catch (IllegalStateException e) {
            // The server has ended the exchange already.
        } finally {
            lock.unlock();
        }
    }
}

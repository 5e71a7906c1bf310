package io.feedkit.spring.web;

import io.feedkit.Beta;
import io.feedkit.Cursor;
import io.feedkit.FeedEngine;
import io.feedkit.live.LiveEvent;
import io.feedkit.spring.internal.web.EventContent;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * Live feeds as server-sent events of Spring MVC:
 *
 * <pre>{@code
 * @GetMapping("/feed/events")
 * SseEmitter events(@RequestParam Cursor newer, Principal reader) {
 *     return streams.open(reader.getName(), newer);
 * }
 * }</pre>
 *
 * <p>Each event has the name of its {@link LiveEvent} type, the post or its key as data, and its cursor as id. When a
 * browser connects again, it continues after the last event that it got. Streams end when the application stops, so
 * that they do not delay it. A comment at once tells the client that the stream is open; one every 20 seconds finds
 * clients that are gone. Thread-safe.
 *
 * @since 0.1.0
 */
@Beta
public final class LiveStreams extends EndingStreams {

    private static final String LAST_EVENT = "Last-Event-ID";

    /** Comments that clients ignore; often enough for proxies that close idle connections after a minute. */
    private static final Duration BEAT = Duration.ofSeconds(20);

    private final FeedEngine feed;
    private final Set<Sender> open = ConcurrentHashMap.newKeySet();
    private volatile @Nullable ScheduledExecutorService beats;

    /**
     * Creates streams. The auto-configuration has a bean.
     *
     * @param feed the engine
     */
    public LiveStreams(FeedEngine feed) {
        this.feed = Objects.requireNonNull(feed, "feed must not be null");
    }

    /**
     * Opens a stream, for the present request.
     *
     * @param reader whose feed
     * @param since where the stream begins, usually the {@code newer} cursor of a page; the header
     *     {@code Last-Event-ID} of the request wins
     * @return the answer of the handler
     * @throws io.feedkit.InvalidCursorException if the header is not a cursor
     */
    public SseEmitter open(String reader, Cursor since) {
        return new Stream(feed.live(reader, lastEvent(since)));
    }

    /** Begins when Spring takes it as the answer: a handler that fails after opening it leaves nothing open. */
    private final class Stream extends SseEmitter {

        private final Flow.Publisher<LiveEvent> events;

        Stream(Flow.Publisher<LiveEvent> events) {
            super(0L);
            this.events = events;
        }

        @Override
        protected void extendResponse(ServerHttpResponse response) {
            super.extendResponse(response);
            events.subscribe(new Sender(this));
        }
    }

    private static Cursor lastEvent(Cursor since) {
        RequestAttributes request = RequestContextHolder.getRequestAttributes();
        if (request instanceof ServletRequestAttributes servlet) {
            String last = servlet.getRequest().getHeader(LAST_EVENT);
            return last == null || last.isEmpty() ? since : Cursor.parse(last);
        }
        return since;
    }

    /** Writes to all streams, to notice clients that are gone. */
    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // a beat does not throw
    public void start() {
        super.start();
        beats = Executors.newSingleThreadScheduledExecutor(action -> {
            Thread thread = new Thread(action, "feedkit-live-streams");
            thread.setDaemon(true);
            return thread;
        });
        beats.scheduleWithFixedDelay(
                () -> open.forEach(Sender::beat), BEAT.toMillis(), BEAT.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void stop() {
        super.stop();
        ScheduledExecutorService running = beats;
        if (running != null) {
            running.shutdownNow();
        }
    }

    /** Sends events and beats. One thread writes at a time, and a client that does not read blocks it. */
    private final class Sender implements Flow.Subscriber<LiveEvent> {

        private final SseEmitter emitter;
        private final Runnable end = this::end;
        private final ReentrantLock writing = new ReentrantLock();

        Sender(SseEmitter emitter) {
            this.emitter = emitter;
        }

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            emitter.onCompletion(() -> forget(subscription));
            emitter.onError(failure -> forget(subscription));
            open.add(this);
            add(end);
            beat(); // otherwise the answer begins with the first event, and clients take it for a hung connection
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(LiveEvent event) {
            send(SseEmitter.event()
                    .id(event.cursor().toString())
                    .name(EventContent.name(event))
                    .data(EventContent.data(event)));
        }

        private void forget(Flow.Subscription subscription) {
            open.remove(this);
            remove(end);
            subscription.cancel();
        }

        /** Not while an event is being written: other streams would wait for a client that does not read. */
        void beat() {
            if (writing.tryLock()) {
                try {
                    send(SseEmitter.event().comment(""));
                } catch (RuntimeException e) {
                    emitter.completeWithError(e);
                } finally {
                    writing.unlock();
                }
            }
        }

        /** Ends the stream; on a thread of its own if an event is being written. */
        private void end() {
            if (writing.tryLock()) {
                try {
                    emitter.complete();
                } finally {
                    writing.unlock();
                }
            } else {
                Thread later = new Thread(emitter::complete, "feedkit-live-streams");
                later.setDaemon(true);
                later.start();
            }
        }

        private void send(SseEmitter.SseEventBuilder event) {
            writing.lock();
            try {
                emitter.send(event);
            } catch (IOException | IllegalStateException e) {
                open.remove(this);
                emitter.completeWithError(e);
            } finally {
                writing.unlock();
            }
        }

        @Override
        public void onError(Throwable failure) {
            emitter.completeWithError(failure);
        }

        @Override
        public void onComplete() {
            emitter.complete();
        }
    }
}

package io.feedkit.examples.microblog.survival;

import io.feedkit.examples.microblog.survival.Events.Event;
import io.feedkit.examples.microblog.survival.Ledger.Entry;
import io.feedkit.examples.microblog.survival.Members.Member;
import io.feedkit.testservers.survival.Rounds;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Holds a stream, and opens it again on any server when it ends, after the last event that it got. It checks that no
 * post comes twice, after its delete, or of an author who is not followed. Runs in a thread of its own.
 */
final class Listener implements Client, AutoCloseable {

    /** How late an event may follow a delete or an unfollow on another server, whose bus may be silent. */
    private static final Duration LATE = Duration.ofSeconds(5);

    private static final int RETRY_MILLIS = 200;

    private final List<Application> servers;
    private final Http http;
    private final Ledger ledger;
    private final Sightings sightings;
    private final Member reader;
    private final Random random;
    private final Map<String, Long> shown = new ConcurrentHashMap<>();
    private final Set<String> deleted = ConcurrentHashMap.newKeySet();
    private final String since;
    private final AtomicInteger opened = new AtomicInteger();
    private final AtomicInteger catchUps = new AtomicInteger();
    private volatile String lastEvent = "";

    /** When the client had to read its pages again for the last time, because deletes and follows may be lost. */
    private volatile long rereadAt;

    private volatile long eventAt = System.nanoTime();
    private volatile InputStream body = InputStream.nullInputStream();
    private volatile boolean closed;

    /** @param since the cursor of the page that the reader has read before */
    Listener(
            List<Application> servers,
            Http http,
            Ledger ledger,
            Sightings sightings,
            Member reader,
            String since,
            Random random) {
        this.servers = servers;
        this.http = http;
        this.ledger = ledger;
        this.sightings = sightings;
        this.reader = reader;
        this.since = since;
        this.random = random;
    }

    void listen() {
        while (!closed) {
            try {
                open();
            } catch (IOException e) {
                // The server has ended.
            }
            Rounds.moment(random, RETRY_MILLIS);
        }
    }

    private void open() throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(Calls.any(servers, random)
                        .uri("/api/v1/streaming/user?feedkit=1&access_token=" + reader.token() + "&since=" + since))
                .header("Accept", "text/event-stream");
        if (!lastEvent.isEmpty()) {
            request.header("Last-Event-ID", lastEvent);
        }
        long openedAt = System.nanoTime();
        HttpResponse<InputStream> response = http.send(request, BodyHandlers.ofInputStream());
        try (BufferedReader in = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
            if (response.statusCode() != 200) {
                refused(response.statusCode(), in.readLine());
                return;
            }
            body = response.body();
            if (closed) {
                return;
            }
            opened.incrementAndGet();
            rereadAt = openedAt;
            Events events = new Events(in);
            for (Optional<Event> event = events.next(); event.isPresent(); event = events.next()) {
                receive(event.get());
            }
        }
    }

    private void refused(int status, String body) {
        if (status != Http.UNAVAILABLE) {
            violated("could not open a stream: " + status + " " + body);
        }
    }

    private void receive(Event event) {
        long now = System.nanoTime();
        switch (event.name()) {
            case "update" -> receive(Shown.of(Answer.json(event.data())), now);
            case "delete" -> deleted.add(event.data());
            case "feedkit.catch_up" -> {
                catchUps.incrementAndGet();
                rereadAt = now;
            }
            case "feedkit.feed_changed" -> rereadAt = now;
            default -> {
                // Of another timeline, such as a notification.
            }
        }
        if (!event.id().isEmpty()) {
            lastEvent = event.id();
        }
        eventAt = now;
    }

    private void receive(Shown post, long now) {
        Optional<Entry> entry = ledger.find(post);
        entry.ifPresent(found -> sightings.saw(reader.id(), found));
        if (entry.isEmpty()) {
            violated("got " + post + ", which nobody wrote");
        } else if (entry.get().isDeletedBy(now - LATE.toNanos()) || deleted.contains(post.id())) {
            violated("got " + post + " after its delete");
        } else if (!ledger.mayFollow(reader.id(), post.author(), now - LATE.toNanos(), now)) {
            violated("got " + post + " of an author who was not followed");
        }
        if (shown.putIfAbsent(post.text(), now) != null) {
            violated("got " + post + " again");
        }
    }

    private void violated(String what) {
        ledger.violated("while streaming, " + reader.id() + " " + what);
    }

    Member reader() {
        return reader;
    }

    boolean got(Entry entry) {
        return shown.containsKey(entry.text());
    }

    /** Whether the client knows that a post was deleted, or had to read its pages again since. */
    boolean knowsDelete(Entry entry) {
        return entry.id().filter(deleted::contains).isPresent()
                || entry.delete().filter(span -> span.beganBy(rereadAt)).isPresent();
    }

    int events() {
        return shown.size() + deleted.size();
    }

    int opened() {
        return opened.get();
    }

    int catchUps() {
        return catchUps.get();
    }

    /** Ends the stream. An interrupt would not, before JDK 20. */
    @Override
    public void close() {
        closed = true;
        try {
            body.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public boolean wentOnSince(long time) {
        return eventAt - time > 0;
    }
}

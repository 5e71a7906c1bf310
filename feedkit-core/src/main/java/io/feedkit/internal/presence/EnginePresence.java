package io.feedkit.internal.presence;

import io.feedkit.InvalidRequestException;
import io.feedkit.PageRequest;
import io.feedkit.StoreUnavailableException;
import io.feedkit.internal.check.Ids;
import io.feedkit.internal.host.CircuitBreaker;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.inbox.InboxRenewal;
import io.feedkit.presence.Connection;
import io.feedkit.presence.OnlinePage;
import io.feedkit.presence.OnlineReader;
import io.feedkit.presence.Presence;
import io.feedkit.spi.PresenceStore;
import io.feedkit.spi.PresenceStore.Seen;
import io.feedkit.spi.PresenceStore.Status;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Presence as hosts use it. Answers come from the store, and from what this engine has not reported yet. Thread-safe.
 */
public final class EnginePresence implements Presence {

    /** How many readers one call asks about. */
    private static final int AT_ONCE = 1000;

    /** How many calls one page may take while it finds too few readers. */
    private static final int CALLS_FOR_PAGE = 10;

    private final EngineSettings settings;
    private final PresenceStore store;
    private final Announcer announcer;
    private final SeenReaders seen;
    private final ConnectedReaders connected;
    private final ConnectedInboxes inboxes;
    private final CircuitBreaker breaker;
    private final Runnable requireOpen;

    public EnginePresence(EngineSettings settings, PresenceStore store, InboxRenewal renewal, Runnable requireOpen) {
        this.settings = settings;
        this.store = store;
        this.requireOpen = requireOpen;
        announcer = new Announcer(settings, store);
        seen = announcer.seen();
        connected = announcer.connected();
        inboxes = new ConnectedInboxes(settings, renewal, connected);
        breaker = new CircuitBreaker(settings, "the presence store is down; who is online is not known");
    }

    /** Records who was seen. Reads and publishes use it. */
    public SeenReaders seenReaders() {
        return seen;
    }

    ConnectedReaders connectedReaders() {
        return connected;
    }

    /**
     * Begins a connection, as {@link #connect(String)} does, without its checks. Live feeds of the engine use it. A
     * connection that begins after the engine was closed has no effect.
     */
    public Connection begin(String reader) {
        Connection connection = connected.connect(reader);
        inboxes.arrived();
        return connection;
    }

    /** Whether this engine holds a connection of a reader. */
    public boolean isConnected(String reader) {
        return connected.contains(reader);
    }

    @Override
    public Connection connect(String reader) {
        requireOpen.run();
        return begin(Ids.require("reader", reader));
    }

    @Override
    public void seen(String reader) {
        requireOpen.run();
        seen.note(Ids.require("reader", reader));
    }

    @Override
    public void seen(Collection<String> readers) {
        requireOpen.run();
        Ids.requireEach("readers", readers).forEach(seen::note);
    }

    @Override
    public boolean isOnline(String reader) {
        requireOpen.run();
        return !onlineOf(List.of(Ids.require("reader", reader))).isEmpty();
    }

    @Override
    public Set<String> online(Collection<String> readers) {
        requireOpen.run();
        return onlineOf(Ids.requireEach("readers", readers));
    }

    private Set<String> onlineOf(List<String> readers) {
        Set<String> online = new HashSet<>();
        List<String> others = new ArrayList<>();
        for (String reader : readers) {
            if (isKnownOnline(reader)) {
                online.add(reader);
            } else {
                others.add(reader);
            }
        }
        forEachStatus(others, (reader, status) -> {
            if (status.online()) {
                online.add(reader);
            }
        });
        return Set.copyOf(online);
    }

    private boolean isKnownOnline(String reader) {
        if (connected.contains(reader)) {
            return true;
        }
        long at = seen.seenAt(reader);
        return at > 0
                && settings.now() - at < settings.presence().onlineWindow().toMillis();
    }

    private interface StatusConsumer {
        void accept(String reader, Status status);
    }

    private void forEachStatus(List<String> readers, StatusConsumer action) {
        List<String> distinct = readers.stream().distinct().toList();
        for (int from = 0; from < distinct.size(); from += AT_ONCE) {
            List<String> some = distinct.subList(from, Math.min(distinct.size(), from + AT_ONCE));
            List<Status> found = ask("presence.status", () -> store.status(some));
            for (int i = 0; i < some.size(); i++) {
                action.accept(some.get(i), found.get(i));
            }
        }
    }

    @Override
    public long count() {
        requireOpen.run();
        return ask("presence.countOnline", store::countOnline);
    }

    @Override
    public OnlinePage list(int limit) {
        requireOpen.run();
        return page(Seen.TOP, InvalidRequestException.requireLimit(limit, PageRequest.MAX_LIMIT));
    }

    @Override
    public OnlinePage list(String after, int limit) {
        requireOpen.run();
        Seen below = ListPlace.parse(after);
        return page(below, InvalidRequestException.requireLimit(limit, PageRequest.MAX_LIMIT));
    }

    private OnlinePage page(Seen below, int limit) {
        List<OnlineReader> readers = new ArrayList<>();
        Optional<Seen> next = Optional.of(below);
        for (int call = 0; call < CALLS_FOR_PAGE && next.isPresent() && readers.size() < limit; call++) {
            Seen place = next.get();
            int wanted = limit - readers.size();
            PresenceStore.OnlinePage found = ask("presence.online", () -> store.online(place, wanted));
            found.readers()
                    .forEach(each ->
                            readers.add(new OnlineReader(each.reader(), Instant.ofEpochMilli(each.lastSeen()))));
            next = found.next();
        }
        return new OnlinePage(readers, next.map(ListPlace::format));
    }

    @Override
    public Optional<Instant> lastSeen(String reader) {
        requireOpen.run();
        String checked = Ids.require("reader", reader);
        return Optional.ofNullable(lastSeenOf(List.of(checked)).get(checked));
    }

    @Override
    public Map<String, Instant> lastSeen(Collection<String> readers) {
        requireOpen.run();
        return lastSeenOf(Ids.requireEach("readers", readers));
    }

    private Map<String, Instant> lastSeenOf(List<String> readers) {
        Map<String, Instant> times = new HashMap<>();
        long keptSince = settings.now() - settings.presence().lastSeenKept().toMillis();
        forEachStatus(readers, (reader, status) -> {
            long known = Math.max(seen.seenAt(reader), connected.since(reader));
            long last = Math.max(known, status.lastSeen());
            if (last > 0 && (status.online() || known > 0 || last > keptSince)) {
                times.put(reader, Instant.ofEpochMilli(last));
            }
        });
        return Map.copyOf(times);
    }

    @Override
    public void announce() {
        requireOpen.run();
        announcer.announce();
    }

    /** Renews the inboxes of connected readers that are due. For tests, which do not wait for the thread. */
    void renewInboxes() {
        inboxes.renewDue();
    }

    /** Removes a user's presence, and ends the user's connections on this engine. */
    public void forget(String user) {
        announcer.forget(user);
    }

    private <T> T ask(String operation, Supplier<T> question) {
        T answer = breaker.ask(() -> breaker.watch(question));
        if (answer == null) {
            throw new StoreUnavailableException(
                    operation,
                    breaker.lastFailure()
                            .orElseGet(() -> new IllegalStateException("the presence store does not answer")));
        }
        return answer;
    }

    @Override
    public String toString() {
        return "Presence[" + settings.name() + "]";
    }

    /** Reports everybody once more, and stops the threads. Waits for a second at most. */
    public void close() {
        inboxes.close();
        announcer.close();
    }
}

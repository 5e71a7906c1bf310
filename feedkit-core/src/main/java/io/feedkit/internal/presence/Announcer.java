package io.feedkit.internal.presence;

import static io.feedkit.internal.check.FailureReasons.printable;
import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.TimedThread;
import io.feedkit.internal.host.WarningLimiter;
import io.feedkit.internal.presence.ConnectedReaders.Connected;
import io.feedkit.spi.PresenceStore;
import io.feedkit.spi.PresenceStore.Sighting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports this engine's readers to the presence store, in batches, on a thread of its own. All connected readers are
 * reported once in an interval, as online for two intervals. So they go offline by time if the engine dies. Readers who
 * were seen or have connected since the last report are reported earlier. A report that fails is repeated: meanwhile
 * the readers wait in {@link SeenReaders} and {@link ConnectedReaders}. Thread-safe.
 */
final class Announcer {

    /** How many readers one call reports: enough for several of each bucket of a store that keeps them in buckets. */
    static final int AT_ONCE = 10_000;

    /** How long a new connection waits for others that are reported in the same call. */
    private static final Duration PROMPT = Duration.ofSeconds(1);

    /** How long closing the engine waits for the last report. A store that hangs does not hold it up longer. */
    private static final Duration GOODBYE = Duration.ofSeconds(1);

    /** A reader who was seen within the window is reported when less than this part of it is over. */
    private static final int PARTS_OF_WINDOW = 4;

    /** A failed announcement is repeated after this part of the interval. */
    private static final int TRIES_IN_INTERVAL = 4;

    private static final Logger log = LoggerFactory.getLogger(Announcer.class);

    private final EngineSettings settings;
    private final PresenceStore store;
    private final SeenReaders seen;
    private final ConnectedReaders connected;
    private final TimedThread thread;

    /** Held during a report, which one thread makes at a time. */
    private final ReentrantLock reporting = new ReentrantLock();

    private final WarningLimiter warnings;
    private final long intervalMillis;
    private final long windowMillis;
    private final Duration seenDelay;
    private final Duration prompt;
    private volatile long announcedAt;

    Announcer(EngineSettings settings, PresenceStore store) {
        this.settings = settings;
        this.store = store;
        Duration interval = settings.presence().interval();
        Duration window = settings.presence().onlineWindow();
        this.intervalMillis = interval.toMillis();
        this.windowMillis = window.toMillis();
        this.seenDelay = shorter(interval, window.dividedBy(PARTS_OF_WINDOW));
        this.prompt = shorter(interval, PROMPT);
        this.warnings = new WarningLimiter(settings.clock());
        this.announcedAt = System.nanoTime() - interval.toNanos();
        this.thread = new TimedThread(settings, "presence", this::run);
        this.seen = new SeenReaders(settings, this::wakeInTime, () -> thread.within(prompt));
        this.connected = new ConnectedReaders(settings, () -> thread.within(prompt), this::left);
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    SeenReaders seen() {
        return seen;
    }

    ConnectedReaders connected() {
        return connected;
    }

    /** Reads and publishes come here, so this usually takes no lock. The next announcement may be too late for them. */
    private void wakeInTime() {
        if (!thread.isDueWithin(seenDelay)) {
            thread.within(seenDelay);
        }
    }

    private void left(String reader) {
        seen.note(reader);
        thread.within(prompt);
    }

    private void run() {
        boolean all = untilAnnouncement().isNegative();
        long begun = System.nanoTime();
        try {
            if (all) {
                // If this fails, the next try is early enough for readers not to lapse.
                announcedAt = begun - intervalNanos() / TRIES_IN_INTERVAL * (TRIES_IN_INTERVAL - 1);
                announce();
                announcedAt = begun;
            } else {
                reportNews();
            }
        } catch (Throwable e) {
            log.atLevel(warnings.level())
                    .setCause(printable(e))
                    .log(
                            "{}: cannot report to the presence store who is online; trying again soon; failures of the"
                                    + " next minutes are logged at DEBUG",
                            settings.name());
        } finally {
            continueLater();
        }
    }

    private long intervalNanos() {
        return MILLISECONDS.toNanos(intervalMillis);
    }

    private Duration untilAnnouncement() {
        return Duration.ofNanos(announcedAt - System.nanoTime()).plusMillis(intervalMillis);
    }

    private void continueLater() {
        if (!connected.isEmpty()) {
            Duration left = untilAnnouncement().plusNanos(1);
            thread.within(left.isNegative() ? Duration.ZERO : left);
        }
        if (!seen.isEmpty() || connected.hasUnreported()) {
            thread.within(seenDelay);
        }
    }

    /** Reports all readers who are connected, and all who were seen and not reported. */
    void announce() {
        report(batch -> {
            seen.forEach(batch::addSeen);
            connected.forEach(batch::addConnected);
        });
    }

    /** Reports readers who were seen or have connected since the last report. */
    private void reportNews() {
        report(batch -> {
            seen.forEach(batch::addSeen);
            connected.forEachUnreported(batch::addConnected);
        });
    }

    private void report(Consumer<Batch> content) {
        reporting.lock();
        try {
            Batch batch = new Batch();
            content.accept(batch);
            batch.report();
        } finally {
            reporting.unlock();
        }
    }

    /** Removes a user. Waits for a report under way, which may have the user and would bring the user back. */
    void forget(String user) {
        connected.forget(user);
        seen.forget(user);
        reporting.lock();
        try {
            store.forget(List.of(user));
        } finally {
            reporting.unlock();
        }
    }

    /** Stops, after a last report: whoever is still connected was last seen now. */
    void close() {
        boolean anybody = !seen.isEmpty() || !connected.isEmpty();
        seen.close();
        if (!anybody) {
            thread.close();
        } else if (!thread.close(this::goodbye, GOODBYE)) {
            log.debug(
                    "{}: closed before the presence store has answered; connected readers go offline after two"
                            + " intervals",
                    settings.name());
        }
    }

    private void goodbye() {
        long now = settings.now();
        report(batch -> {
            seen.forEach(batch::addSeen);
            connected.forEach(each -> batch.addSeen(each.reader(), now));
        });
    }

    /** Reports of some readers, which are sent whenever they are enough for one call. */
    private final class Batch {

        private final List<Sighting> sightings = new ArrayList<>();
        private final Map<String, Long> seenAt = new HashMap<>();
        private final List<String> connections = new ArrayList<>();

        void addSeen(String reader, long at) {
            long ago = ago(at);
            seenAt.put(reader, at);
            add(new Sighting(reader, ago, Math.max(0, windowMillis - ago)));
        }

        /** Without a further report, a connected reader is offline after two intervals. */
        void addConnected(Connected reader) {
            connections.add(reader.reader());
            add(new Sighting(reader.reader(), ago(reader.since()), 2 * intervalMillis));
        }

        /** The engine's clock may have been set back. */
        private long ago(long at) {
            return Math.max(0, settings.now() - at);
        }

        private void add(Sighting sighting) {
            sightings.add(sighting);
            if (sightings.size() == AT_ONCE) {
                report();
            }
        }

        void report() {
            if (sightings.isEmpty()) {
                return;
            }
            store.report(
                    List.copyOf(sightings), settings.presence().lastSeenKept().toMillis());
            connections.forEach(connected::reported);
            seenAt.forEach(seen::reported);
            sightings.clear();
            seenAt.clear();
            connections.clear();
        }
    }
}

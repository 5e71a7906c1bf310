package io.feedkit.internal.live;

import io.feedkit.internal.check.FailureReasons;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.WarningLimiter;
import io.feedkit.internal.signal.Signal;
import io.feedkit.live.LiveBus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This engine's link to the bus. A thread sends the engine's signals in numbered messages, and an empty one each second
 * without signals. The link notices every loss: a missing number, a sender that falls silent without a farewell, and a
 * bus that no longer returns this engine's own messages. Then signals may be missing, and all connections read their
 * feeds. While the bus returns nothing, the link is not healthy, and the engine polls the store.
 *
 * <p>A message is a line {@code 1 identity sender number} and a line for each signal. A farewell has a
 * {@code -} before its number. Messages of other versions or of another source of truth are ignored. Thread-safe.
 */
final class BusLink {

    private static final Logger log = LoggerFactory.getLogger(BusLink.class);

    private static final String VERSION = "1";
    private static final String FAREWELL = "-";

    /** How many signals may wait to be sent. When there are more, a number is left out, so that receivers notice. */
    private static final int MOST_WAITING = 100_000;

    /** After how long a silent sender counts as dead. */
    private static final long FORGOTTEN_NANOS = TimeUnit.MINUTES.toNanos(5);

    private static final long CLOSE_MILLIS = 5000;

    /** Another engine on the bus. */
    private static final class Sender {
        private long next;
        private long heardAt;
        private boolean silent;
    }

    private final EngineSettings settings;

    /** After how long without signals a message is sent. */
    private final long beatNanos;

    /** After how long without a message a sender, or the bus, counts as silent. */
    private final long silentNanos;

    private final LiveBus bus;
    private final String identity;
    private final SignalRouter router;
    private final ConnectedReaders readers;
    private final WarningLimiter warnings;
    private final String self =
            HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
    private final long startedAt = System.nanoTime();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition news = lock.newCondition();

    // Guarded by the lock.
    private List<Signal> waiting = new ArrayList<>();
    private boolean overflow;
    private boolean closed;

    private final ReentrantLock receiving = new ReentrantLock();

    // Guarded by the lock of receiving.
    private final Map<String, Sender> senders = new HashMap<>();
    private volatile long echoedAt;

    private volatile boolean healthy;

    /** Whether an engine is silent that said no farewell. It may be dead, or only its messages do not arrive. */
    private volatile boolean missesSender;

    /** The number of the next message. */
    private volatile long next;

    private LiveBus.@Nullable Registration registration;
    private @Nullable Thread thread;

    BusLink(EngineSettings settings, LiveBus bus, String identity, SignalRouter router, ConnectedReaders readers) {
        this.settings = settings;
        this.beatNanos = settings.live().busBeat().toNanos();
        this.silentNanos = 3 * beatNanos + beatNanos / 2;
        this.bus = bus;
        this.identity = identity;
        this.router = router;
        this.readers = readers;
        this.warnings = new WarningLimiter(settings.clock());
    }

    void start() {
        registration = bus.listen(this::received);
        Thread sender = new Thread(this::run, settings.name() + "-live-bus");
        sender.setDaemon(true);
        thread = sender;
        sender.start();
        listen();
    }

    /** Whether the bus works: this engine's own messages come back, and no other engine is missed. */
    boolean isHealthy() {
        return healthy && !missesSender && System.nanoTime() - echoedAt <= silentNanos;
    }

    /** Listens for silence at each beat, on the router's thread: the thread that sends may hang. */
    private void listen() {
        router.later(TimeUnit.NANOSECONDS.toMillis(beatNanos), () -> {
            listenForSilence();
            listen();
        });
    }

    void send(List<? extends Signal> signals) {
        lock.lock();
        try {
            if (waiting.size() + signals.size() > MOST_WAITING) {
                waiting.clear();
                overflow = true;
            } else {
                waiting.addAll(signals);
            }
            news.signal();
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        long number = 0;
        long sentAt = System.nanoTime() - beatNanos;
        while (true) {
            List<Signal> signals;
            lock.lock();
            try {
                while (waiting.isEmpty() && !closed && System.nanoTime() - sentAt < beatNanos) {
                    long unused = news.awaitNanos(beatNanos - (System.nanoTime() - sentAt));
                }
                if (closed && waiting.isEmpty()) {
                    return;
                }
                signals = waiting;
                waiting = new ArrayList<>();
                number += overflow ? 1 : 0;
                overflow = false;
            } catch (InterruptedException e) {
                log.debug("{}: the thread of the live bus was interrupted, and continues", settings.name(), e);
                continue;
            } finally {
                lock.unlock();
            }
            for (String message : messages(signals, number)) {
                number++;
                send(message);
            }
            sentAt = System.nanoTime();
            next = number;
        }
    }

    /** The messages for some signals; one message without signals, if there are none. */
    private List<String> messages(List<Signal> signals, long first) {
        List<String> messages = new ArrayList<>();
        StringBuilder message = new StringBuilder(head(Long.toString(first)));
        boolean empty = true;
        for (Signal signal : signals) {
            String line = SignalCodec.text(signal);
            if (!empty && message.length() + 1 + line.length() > LiveBus.MAX_MESSAGE) {
                messages.add(message.toString());
                message = new StringBuilder(head(Long.toString(first + messages.size())));
            }
            message.append('\n').append(line);
            empty = false;
        }
        messages.add(message.toString());
        return messages;
    }

    private String head(String number) {
        return VERSION + " " + identity + " " + self + " " + number;
    }

    private void send(String message) {
        try {
            bus.send(message);
        } catch (Throwable e) {
            log.atLevel(warnings.level())
                    .setCause(FailureReasons.printable(e))
                    .log(
                            "{}: cannot send to the live bus; other engines read the store instead; failures of the "
                                    + "next minutes are logged at DEBUG",
                            settings.name());
        }
    }

    /** Notices senders, and a bus, that are silent. */
    private void listenForSilence() {
        boolean missing = false;
        receiving.lock();
        try {
            long now = System.nanoTime();
            for (Sender sender : senders.values()) {
                if (!sender.silent && now - sender.heardAt > silentNanos) {
                    sender.silent = true;
                    missing = true;
                }
            }
            senders.values().removeIf(sender -> sender.silent && now - sender.heardAt > FORGOTTEN_NANOS);
            missesSender = senders.values().stream().anyMatch(sender -> sender.silent);
            if (healthy && now - echoedAt > silentNanos) {
                healthy = false;
                missing = true;
                log.atLevel(warnings.level())
                        .log("{}: the live bus is silent; live feeds poll the store", settings.name());
            }
        } finally {
            receiving.unlock();
        }
        if (missing) {
            router.lost();
        }
    }

    private void received(String message) {
        String[] lines = message.split("\n", -1);
        String[] head = lines[0].split(" ", -1);
        if (head.length != 4 || !head[0].equals(VERSION) || !head[1].equals(identity)) {
            return;
        }
        if (head[2].equals(self)) {
            echoed();
            return;
        }
        try {
            boolean complete = head[3].startsWith(FAREWELL)
                    ? farewell(head[2], Long.parseLong(head[3].substring(FAREWELL.length())))
                    : count(head[2], Long.parseLong(head[3]));
            if (!complete) {
                router.lost();
            }
            if (lines.length > 1 && !readers.isEmpty()) {
                List<Signal> signals = new ArrayList<>(lines.length - 1);
                for (int i = 1; i < lines.length; i++) {
                    signals.add(SignalCodec.parse(lines[i]));
                }
                router.add(signals);
            }
        } catch (IllegalArgumentException e) {
            log.debug("{}: ignoring an unreadable message on the live bus", settings.name(), e);
            router.lost();
        }
    }

    /** This engine's message came back. If the bus was silent, messages of others may be missing. */
    private void echoed() {
        boolean back;
        receiving.lock();
        try {
            echoedAt = System.nanoTime();
            back = !healthy;
            healthy = true;
        } finally {
            receiving.unlock();
        }
        if (back) {
            router.lost();
        }
    }

    /** Counts a message of a sender. Returns false if messages before it may be missing. */
    private boolean count(String from, long number) {
        receiving.lock();
        try {
            long now = System.nanoTime();
            Sender known = senders.get(from);
            if (known == null) {
                known = new Sender();
                known.next = number;
                senders.put(from, known);
                known.heardAt = now;
                known.next = number + 1;
                return isComplete(number, now);
            }
            known.heardAt = now;
            known.silent = false;
            boolean expected = number <= known.next;
            known.next = Math.max(known.next, number + 1);
            return expected;
        } finally {
            receiving.unlock();
        }
    }

    /** Whether no message is missing before the first one that arrives from a sender. */
    private boolean isComplete(long number, long now) {
        // The sender's first message, or this engine has just begun to listen.
        return number == 0 || now - startedAt < silentNanos;
    }

    /** Forgets a sender. Returns false if its last messages may be missing. */
    private boolean farewell(String from, long number) {
        receiving.lock();
        try {
            Sender known = senders.remove(from);
            return known == null ? isComplete(number, System.nanoTime()) : number <= known.next;
        } finally {
            receiving.unlock();
        }
    }

    /** Sends what is waiting, and a farewell. */
    void close() {
        lock.lock();
        try {
            closed = true;
            news.signal();
        } finally {
            lock.unlock();
        }
        Thread sender = thread;
        if (sender != null) {
            try {
                sender.join(CLOSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            if (!sender.isAlive()) {
                send(head(FAREWELL + next));
            }
        }
        LiveBus.Registration registered = registration;
        if (registered != null) {
            registered.close();
        }
    }
}

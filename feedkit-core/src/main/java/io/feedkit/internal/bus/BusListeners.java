package io.feedkit.internal.bus;

import static io.feedkit.internal.check.Arguments.nonNull;

import io.feedkit.internal.check.FailureReasons;
import io.feedkit.live.LiveBus;
import io.feedkit.live.LiveBus.Listener;
import io.feedkit.live.LiveBus.Registration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The listeners of a bus in this process. A listener that throws is logged, and does not keep a message from the
 * others. Thread-safe.
 */
public final class BusListeners {

    private static final Logger LOG = LoggerFactory.getLogger(BusListeners.class);

    private static final char LOWEST = '\n';
    private static final char HIGHEST = 0x7F;

    private final List<Registered> registered = new CopyOnWriteArrayList<>();
    private final AtomicBoolean warned = new AtomicBoolean();

    /** One registration. It is compared by identity, since the same listener may be registered several times. */
    private static final class Registered {
        private final Listener listener;

        Registered(Listener listener) {
            this.listener = listener;
        }
    }

    /**
     * Checks a message that is to be sent.
     *
     * @throws IllegalArgumentException if it is null, empty or too long, or has a character that no bus need carry
     */
    public static String requireMessage(String message) {
        int length = nonNull("message", message).length();
        if (length < 1 || length > LiveBus.MAX_MESSAGE) {
            throw new IllegalArgumentException(
                    "message must have 1 to " + LiveBus.MAX_MESSAGE + " characters, but has " + length);
        }
        for (int i = 0; i < length; i++) {
            char c = message.charAt(i);
            if (c < LOWEST || c > HIGHEST) {
                throw new IllegalArgumentException(
                        String.format("message must have characters from U+000A to U+007F, but has U+%04X", (int) c));
            }
        }
        return message;
    }

    /** Adds a listener, until its registration is closed. */
    public Registration add(Listener listener) {
        Registered added = new Registered(nonNull("listener", listener));
        registered.add(added);
        return () -> registered.remove(added);
    }

    /** Passes a message to all listeners. */
    public void receive(String message) {
        for (Registered each : registered) {
            try {
                each.listener.received(message);
            } catch (RuntimeException | Error e) {
                LOG.atLevel(warned.compareAndSet(false, true) ? Level.WARN : Level.DEBUG)
                        .setCause(FailureReasons.printable(e))
                        .log("A listener of a live bus failed; further failures are logged at DEBUG");
            }
        }
    }

    /** How many registrations there are. */
    public int size() {
        return registered.size();
    }

    /** Removes all listeners. */
    public void clear() {
        registered.clear();
    }
}

package io.feedkit.testkit.internal.bus;

import io.feedkit.live.LiveBus;
import io.feedkit.live.LiveBus.Registration;
import java.util.ArrayList;
import java.util.List;

/**
 * A listener that keeps its messages. Messages that only prove that it is connected are kept apart. Thread-safe.
 */
final class Ear implements LiveBus.Listener, AutoCloseable {

    private static final String HELLO = "hello ";

    private final List<String> messages = new ArrayList<>();
    private final List<String> hellos = new ArrayList<>();
    private final Registration registration;

    Ear(LiveBus bus) {
        this.registration = bus.listen(this);
    }

    /** A message that only proves that a listener is connected. */
    static String hello(String text) {
        return HELLO + text;
    }

    @Override
    public synchronized void received(String message) {
        (message.startsWith(HELLO) ? hellos : messages).add(message);
    }

    /** All messages but those of {@link #hello}, in their order. */
    synchronized List<String> messages() {
        return List.copyOf(messages);
    }

    /** The messages that begin with some text, in their order. */
    synchronized List<String> messages(String beginning) {
        return messages.stream().filter(each -> each.startsWith(beginning)).toList();
    }

    synchronized boolean hasHello(String text) {
        return hellos.contains(hello(text));
    }

    synchronized boolean has(String message) {
        return messages.contains(message);
    }

    synchronized int count() {
        return messages.size();
    }

    @Override
    public void close() {
        registration.close();
    }
}

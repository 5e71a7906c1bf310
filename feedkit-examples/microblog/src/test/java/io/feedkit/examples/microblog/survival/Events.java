package io.feedkit.examples.microblog.survival;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.Optional;

/** Server-sent events of a stream. An event that a killed server has cut is none. */
final class Events {

    /** @param id the cursor of the event, empty if it has none */
    record Event(String name, String data, String id) {}

    private final BufferedReader in;

    Events(BufferedReader in) {
        this.in = in;
    }

    /** Waits for an event, and is empty at the end of the stream. */
    Optional<Event> next() throws IOException {
        Event event = new Event("", "", "");
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (!line.isEmpty()) {
                event = with(event, line);
            } else if (!event.name().isEmpty()) {
                return Optional.of(event);
            }
        }
        return Optional.empty();
    }

    private static Event with(Event event, String line) {
        int colon = line.indexOf(':');
        String value = line.substring(colon + 1).strip();
        return switch (line.substring(0, Math.max(0, colon))) {
            case "event" -> new Event(value, event.data(), event.id());
            case "data" -> new Event(event.name(), event.data() + value, event.id());
            case "id" -> new Event(event.name(), event.data(), value);
            default -> event; // a heartbeat
        };
    }
}

package io.feedkit.tools.replay;

import java.util.Set;
import java.util.function.Consumer;

/**
 * Facts about the events that are needed before the first event is played. Collecting them also finds every malformed
 * line before the first event.
 */
final class Survey implements Consumer<Event> {

    private final Set<Long> readers;
    private long events;
    private long firstMillis;

    private Survey(Set<Long> readers) {
        this.readers = readers;
    }

    /** Reads the events, and adds the readers of their follows to the set of readers. */
    static Survey of(EventFile file, Set<Long> readers) {
        Survey survey = new Survey(readers);
        file.forEach(survey);
        return survey;
    }

    @Override
    public void accept(Event event) {
        if (events == 0) {
            firstMillis = event.millis();
        }
        events++;
        if (event instanceof Event.Follow follow) {
            readers.add(follow.reader());
        }
    }

    long events() {
        return events;
    }

    long firstMillis() {
        return firstMillis;
    }
}

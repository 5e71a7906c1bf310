package io.feedkit.tools.replay;

import java.util.Set;
import java.util.function.Consumer;

/**
 * What must be known of the events before the first of them happens. Looking through them also finds every malformed
 * line before anything is done.
 */
final class Survey implements Consumer<Event> {

    private final Set<Long> readers;
    private long events;
    private long firstMillis;

    private Survey(Set<Long> readers) {
        this.readers = readers;
    }

    /** Looks through the events, and adds those who will follow somebody to the readers. */
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

package io.feedkit.tools.replay;

import java.util.function.Consumer;

/** A file of events. */
interface EventFile {

    /** Hands over every event, in the file's order. */
    void forEach(Consumer<Event> event);
}

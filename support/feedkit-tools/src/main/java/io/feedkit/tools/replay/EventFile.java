package io.feedkit.tools.replay;

import java.util.function.Consumer;

/** A file of events. */
interface EventFile {

    /** Passes every event to a consumer, in the file's order. */
    void forEach(Consumer<Event> event);
}

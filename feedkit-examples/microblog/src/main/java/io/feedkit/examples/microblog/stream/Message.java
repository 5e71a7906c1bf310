package io.feedkit.examples.microblog.stream;

import java.util.Optional;

/** An event as a client gets it. The payload is text: JSON, or the bare id of a deleted status. */
record Message(String event, String payload, Optional<String> cursor) {

    Message(String event, String payload) {
        this(event, payload, Optional.empty());
    }
}

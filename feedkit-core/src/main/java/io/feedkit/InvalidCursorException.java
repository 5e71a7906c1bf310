package io.feedkit;

import io.feedkit.spi.Ids;

/**
 * A text that was to be a cursor is none: garbage, cut short, altered, or of another version. A host answers it as it
 * answers any bad request.
 */
public final class InvalidCursorException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    InvalidCursorException(String problem, String text) {
        super("cursor " + problem + ": " + Ids.printable(text));
    }
}

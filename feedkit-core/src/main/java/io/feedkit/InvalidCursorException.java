package io.feedkit;

import io.feedkit.internal.check.Ids;

/**
 * The cursor cannot be parsed: its text is garbage, cut short, altered, or of another version. A host answers it like
 * any other bad request.
 *
 * @since 0.1.0
 */
public final class InvalidCursorException extends InvalidRequestException {

    private static final long serialVersionUID = 1L;

    InvalidCursorException(String problem, String text) {
        super("cursor " + problem + ": " + Ids.printable(text));
    }
}

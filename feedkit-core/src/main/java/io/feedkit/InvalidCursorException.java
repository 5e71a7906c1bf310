package io.feedkit;

import io.feedkit.internal.check.Arguments;
import io.feedkit.internal.check.Ids;

/**
 * The cursor cannot be parsed: its text is garbage, cut short, altered, or of another version. A host answers it like
 * any other bad request.
 *
 * @since 0.1.0
 */
public final class InvalidCursorException extends InvalidRequestException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception, for FeedKit's own kinds of cursors and for a host's tests.
     *
     * @param problem what is wrong with the cursor, such as {@code is not base64url}
     * @param text the text, of any length and with any characters
     */
    public InvalidCursorException(String problem, String text) {
        super("cursor " + Arguments.nonNull("problem", problem) + ": "
                + Ids.printable(Arguments.nonNull("text", text)));
    }
}

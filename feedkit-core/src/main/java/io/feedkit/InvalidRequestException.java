package io.feedkit;

/**
 * A page was asked for that there cannot be: the limit is out of range, or the cursor is none. Both usually come from a
 * client, so a host answers with "bad request". Other {@link IllegalArgumentException}s are mistakes in the host's
 * code.
 *
 * @since 0.1.0
 */
public class InvalidRequestException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    InvalidRequestException(String message) {
        super(message);
    }
}

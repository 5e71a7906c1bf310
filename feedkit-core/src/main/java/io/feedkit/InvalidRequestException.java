package io.feedkit;

/**
 * A page was asked for that there cannot be: the limit is out of range, there are too many authors, the cursor is none,
 * or a list of followers is to begin after what is no id. These usually come from a client, so a host answers with "bad
 * request". Other {@link IllegalArgumentException}s are mistakes in the host's code.
 *
 * @since 0.1.0
 */
public class InvalidRequestException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    /** Refuses a limit that is out of range. */
    static int requireLimit(int limit, int most) {
        if (limit < 1 || limit > most) {
            throw new InvalidRequestException("limit must be between 1 and " + most + ", but is " + limit);
        }
        return limit;
    }

    InvalidRequestException(String message) {
        super(message);
    }
}

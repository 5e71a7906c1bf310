package io.feedkit;

import io.feedkit.internal.check.Arguments;
import io.feedkit.internal.check.Ids;

/**
 * A request for a page is invalid: the limit is out of range, there are too many authors, the cursor cannot be parsed,
 * or {@code after} is not an id. Such values usually come from a client, so a host answers with "bad request". Other
 * {@link IllegalArgumentException}s are mistakes in the host's code.
 *
 * @since 0.1.0
 */
public class InvalidRequestException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    /**
     * Refuses a limit that is out of range.
     *
     * @param limit the limit
     * @param most the largest limit
     * @return the limit
     * @throws InvalidRequestException if it is not between 1 and {@code most}
     */
    public static int requireLimit(int limit, int most) {
        if (limit < 1 || limit > most) {
            throw new InvalidRequestException("limit must be between 1 and " + most + ", but is " + limit);
        }
        return limit;
    }

    /**
     * Refuses an {@code after} that is not an id.
     *
     * @param after the id of the last item of the page before
     * @return the id
     * @throws IllegalArgumentException if it is null
     * @throws InvalidRequestException if it is not an id
     */
    public static String requireAfter(String after) {
        Arguments.nonNull("after", after);
        try {
            return Ids.require("after", after);
        } catch (IllegalArgumentException e) {
            throw new InvalidRequestException(String.valueOf(e.getMessage()));
        }
    }

    /**
     * Creates an exception, for a host's tests or for a host's own pages.
     *
     * @param message what is invalid, and its value
     */
    public InvalidRequestException(String message) {
        super(Arguments.nonNull("message", message));
    }
}

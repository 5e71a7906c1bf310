package io.feedkit;

import io.feedkit.internal.check.Arguments;
import io.feedkit.internal.check.Ids;

/**
 * A page was asked for that there cannot be: the limit is out of range, there are too many authors, the cursor is none,
 * or a list is to begin after what is no id. These usually come from a client, so a host answers with "bad
 * request". Other {@link IllegalArgumentException}s are mistakes in the host's code.
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
     * Refuses what is no id, where a list is to begin after an id.
     *
     * @param after the id of the last item of the list before
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
     * Makes an exception, for a test of a host or for a host's own page.
     *
     * @param message what cannot be, and what was asked for
     */
    public InvalidRequestException(String message) {
        super(Arguments.nonNull("message", message));
    }
}

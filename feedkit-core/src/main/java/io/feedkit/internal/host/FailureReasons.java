package io.feedkit.internal.host;

import java.util.regex.Pattern;

/**
 * The reason of a failure, in one line. Messages of a host's exceptions go into logs, events and dead letters, where a
 * line break could look like a separate entry.
 */
public final class FailureReasons {

    private static final Pattern CONTROLS = Pattern.compile("[\\p{Cntrl}\\u0085\\u2028\\u2029]+");

    private FailureReasons() {}

    public static String of(Throwable cause) {
        return CONTROLS.matcher(text(cause)).replaceAll(" ");
    }

    /** The text of a throwable. The {@code toString} of a host's exception may itself throw. */
    private static String text(Throwable cause) {
        try {
            return String.valueOf(cause.toString());
        } catch (Throwable e) {
            return cause.getClass().getName();
        }
    }
}

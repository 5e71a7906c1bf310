package io.feedkit.internal.host;

import java.util.regex.Pattern;

/**
 * Why something failed, in one line: what a host's exception says goes into logs, events and dead letters, where a line
 * break could pass for an entry of its own.
 */
public final class FailureReasons {

    private static final Pattern CONTROLS = Pattern.compile("[\\p{Cntrl}\\u0085\\u2028\\u2029]+");

    private FailureReasons() {}

    public static String of(Throwable cause) {
        return CONTROLS.matcher(text(cause)).replaceAll(" ");
    }

    /** A host's exception may fail to say what it is. */
    private static String text(Throwable cause) {
        try {
            return String.valueOf(cause.toString());
        } catch (Throwable e) {
            return cause.getClass().getName();
        }
    }
}

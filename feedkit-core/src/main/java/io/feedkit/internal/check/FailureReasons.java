package io.feedkit.internal.check;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Reads the texts of failures of a host's code. Such an exception may itself throw from {@code toString} or
 * {@code getMessage}, so all other code reads the texts here.
 */
public final class FailureReasons {

    private static final Pattern CONTROLS = Pattern.compile("[\\p{Cntrl}\\u0085\\u2028\\u2029]+");

    private FailureReasons() {}

    /**
     * The text of a failure in one line. Texts of a host's exceptions go into logs, events and dead letters, where a
     * line break could look like a separate entry.
     */
    public static String of(Throwable cause) {
        return CONTROLS.matcher(text(cause)).replaceAll(" ");
    }

    /** Returns {@code toString} of a failure, or the name of its class if {@code toString} throws. */
    public static String text(Throwable cause) {
        try {
            return String.valueOf(cause.toString());
        } catch (Throwable e) {
            return cause.getClass().getName();
        }
    }

    /**
     * Returns the failure itself if a logger can print it with its causes. Otherwise returns an exception with the
     * failure's text and stack trace.
     */
    public static Throwable printable(Throwable failure) {
        try {
            requirePrintable(failure, Collections.newSetFromMap(new IdentityHashMap<>()));
            return failure;
        } catch (Throwable e) {
            Exception instead = new Exception(text(failure));
            instead.setStackTrace(failure.getStackTrace());
            return instead;
        }
    }

    /** Calls every method that a logger calls. Returns normally if none of them throws. */
    @SuppressWarnings({"ReturnValueIgnored", "CheckReturnValue"}) // Only whether it throws counts.
    private static void requirePrintable(Throwable failure, Set<Throwable> seen) {
        if (!seen.add(failure)) {
            return;
        }
        failure.toString();
        failure.getMessage();
        Throwable cause = failure.getCause();
        if (cause != null) {
            requirePrintable(cause, seen);
        }
        for (Throwable suppressed : failure.getSuppressed()) {
            requirePrintable(suppressed, seen);
        }
    }
}

package io.feedkit.internal.host;

/** Restores the interrupt flag if a host's code turned an interrupt into an exception that is not thrown on. */
public final class Interrupts {

    private Interrupts() {}

    public static void keep(Throwable failure) {
        if (failure instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
    }
}

package io.feedkit.internal.host;

/** Restores the interrupt flag after an {@link InterruptedException} of a host's code that is not rethrown. */
public final class Interrupts {

    private Interrupts() {}

    public static void keep(Throwable failure) {
        if (failure instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
    }
}

package io.feedkit.internal.host;

/** Keeps an interrupt that a host's code turned into an exception which goes no further. */
public final class Interrupts {

    private Interrupts() {}

    public static void keep(Throwable failure) {
        if (failure instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
    }
}

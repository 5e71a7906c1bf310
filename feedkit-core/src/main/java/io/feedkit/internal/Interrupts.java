package io.feedkit.internal;

/** Keeps an interrupt that a host's code turned into an exception which goes no further. */
final class Interrupts {

    private Interrupts() {}

    static void keep(Throwable failure) {
        if (failure instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
    }
}

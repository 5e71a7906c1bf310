package io.feedkit.internal;

/** Counts the calls one read makes to the outbox. Not thread-safe. */
final class CallCount {

    private int calls;

    void increment() {
        calls++;
    }

    int get() {
        return calls;
    }
}

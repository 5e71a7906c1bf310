package io.feedkit.internal.cache;

/** Counts the calls one read makes to the outbox. Not thread-safe. */
public final class CallCount {

    private int calls;

    public void increment() {
        calls++;
    }

    public int get() {
        return calls;
    }
}

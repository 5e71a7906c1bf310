package io.feedkit.internal.host;

/** The threads that work off what the store has recorded. They also look by themselves from time to time. */
public interface Wakeable {

    /** Lets them look at once. */
    void wake();

    /** Lets them look soon, and again a little later: a transaction that is still open commits by then. */
    void wakeSoon();
}

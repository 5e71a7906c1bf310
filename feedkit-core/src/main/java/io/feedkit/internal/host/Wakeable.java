package io.feedkit.internal.host;

/** Threads that process tasks and events of the store. They also poll it. */
public interface Wakeable {

    /** Makes them poll at once. */
    void wake();

    /** Makes them poll soon, and again later: the caller's transaction may still be open. */
    void wakeSoon();
}

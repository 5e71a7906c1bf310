package io.feedkit.examples.microblog.survival;

/** A client that goes on after each fault. */
interface Client {

    /** Whether something that the client began after a time has succeeded. */
    boolean wentOnSince(long time);
}

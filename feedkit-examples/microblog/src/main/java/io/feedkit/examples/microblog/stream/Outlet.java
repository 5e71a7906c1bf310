package io.feedkit.examples.microblog.stream;

/** A connection to a client. No call waits for the client. Thread-safe. */
interface Outlet {

    /**
     * Sends a message after those before it.
     *
     * @param sent is called when the client's connection has taken the message
     */
    void send(Message message, Runnable sent);

    /** Writes something that clients ignore, to notice that a client is gone. */
    void beat();

    /** Ends the connection. Idempotent. */
    void close();
}

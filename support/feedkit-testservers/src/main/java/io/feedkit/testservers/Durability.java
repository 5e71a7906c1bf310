package io.feedkit.testservers;

/** Whether what a server has committed is on the disk before it says so. */
public enum Durability {

    /** Each commit is flushed: it is there after {@link TestServer#kill()}. */
    DURABLE,

    /** Nothing is flushed, for speed: after {@link TestServer#kill()} commits may be missing. */
    FAST
}

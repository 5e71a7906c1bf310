package io.feedkit.testservers;

/** Whether a commit is on the disk before the server acknowledges it. */
public enum Durability {

    /** Each commit is flushed, so it survives {@link TestServer#kill()}. */
    DURABLE,

    /** Commits are not flushed, for speed. After {@link TestServer#kill()} they may be missing. */
    FAST
}

package io.feedkit.redis.internal.call;

/** Whether it matters that a call may have been executed although its answer is missing. */
public enum Effect {
    /** It does not: the call is for its answer. */
    READ,
    /** It does. */
    WRITE
}

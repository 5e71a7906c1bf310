package io.feedkit.redis.internal.call;

/** Whether it matters that a call may have been executed although its answer is missing. */
public enum Effect {
    /** It does not matter: only the answer of the call counts. */
    READ,
    /** It matters: the call changes data. */
    WRITE
}

package io.feedkit.redis.internal.call;

/** Whether a call changes data. If its answer is missing, it may have been executed. */
public enum Effect {
    /** Only the answer of the call matters to the caller, not whether it was executed. */
    READ,
    /** The call changes data. If its answer is missing, the outcome is unknown. */
    WRITE
}

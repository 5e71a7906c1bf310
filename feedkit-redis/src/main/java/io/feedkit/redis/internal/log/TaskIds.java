package io.feedkit.redis.internal.log;

import io.feedkit.spi.FanoutLog.Claim;

/**
 * The ids of tasks: 14 hexadecimal digits, the first of which is the partition; the others are the microsecond in which it was recorded, or one soon after that was
 * free.
 */
final class TaskIds {

    static final int LENGTH = 14;

    private TaskIds() {}

    /** The partition in which a task is, if there is one of this id. */
    static int partition(String id) {
        return id.isEmpty() ? 0 : Math.max(0, Character.digit(id.charAt(0), 16));
    }

    static int partition(Claim claim) {
        return partition(claim.task().id());
    }
}

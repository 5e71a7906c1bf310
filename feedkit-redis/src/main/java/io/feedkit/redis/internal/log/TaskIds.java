package io.feedkit.redis.internal.log;

import io.feedkit.spi.FanoutLog.Claim;

/**
 * The ids of tasks: 14 hexadecimal digits. The first is the partition. The others are the microsecond when the task was
 * recorded, or the next free one.
 */
final class TaskIds {

    static final int LENGTH = 14;

    private TaskIds() {}

    /** The partition of a task with this id, if there is one. */
    static int partition(String id) {
        return id.isEmpty() ? 0 : Math.max(0, Character.digit(id.charAt(0), 16));
    }

    static int partition(Claim claim) {
        return partition(claim.task().id());
    }
}

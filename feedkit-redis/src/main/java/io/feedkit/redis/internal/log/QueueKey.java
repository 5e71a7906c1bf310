package io.feedkit.redis.internal.log;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The place of a task in the queue: the time when it is due, its turn among the tasks of that time, and its id. Tasks
 * are claimed in the order of their queue keys.
 */
final class QueueKey implements Comparable<QueueKey> {

    private static final int BEFORE_TURN = 6;
    private static final int BEFORE_ID = 14;
    private static final int LENGTH = BEFORE_ID + TaskIds.LENGTH;

    private final byte[] bytes;
    private final boolean fresh;

    private QueueKey(byte[] bytes, boolean fresh) {
        this.bytes = bytes;
        this.fresh = fresh;
    }

    /** The queue key with which an element of the fresh tasks begins. */
    static QueueKey ofFresh(Object element) {
        return new QueueKey(Arrays.copyOf((byte[]) element, LENGTH), true);
    }

    /** The queue key that is a member of a queue. */
    static QueueKey ofQueued(Object member) {
        return new QueueKey((byte[]) member, false);
    }

    byte[] bytes() {
        return bytes;
    }

    boolean isFresh() {
        return fresh;
    }

    String id() {
        return new String(bytes, BEFORE_ID, bytes.length - BEFORE_ID, StandardCharsets.US_ASCII);
    }

    int partition() {
        return TaskIds.partition(id());
    }

    /** Whether this task is due earlier by at least a millisecond. */
    boolean isDueBefore(QueueKey other) {
        return Arrays.compareUnsigned(bytes, 0, BEFORE_TURN, other.bytes, 0, BEFORE_TURN) < 0;
    }

    @Override
    public int compareTo(QueueKey other) {
        return Arrays.compareUnsigned(bytes, other.bytes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof QueueKey place && Arrays.equals(bytes, place.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }
}

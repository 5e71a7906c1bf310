package io.feedkit.fanout;

/**
 * What an engine has done with its fan-out queue.
 *
 * @param lent tasks that the relay has lent and sent
 * @param lapsed those of the lent tasks whose earlier loan had run out: a message was lost or came too late
 * @param unconfirmed messages that the queue refused, or did not confirm in time; their tasks went back to the log
 * @param taken tasks that workers have taken for a message
 * @param refused messages whose loan had run out or was taken already: late or repeated messages
 * @param unreadable messages that were moved to the queue's dead letters
 * @param blocked whether the queue took no messages or could not be reached
 */
public record QueueTraffic(
        long lent, long lapsed, long unconfirmed, long taken, long refused, long unreadable, boolean blocked) {

    /** Nothing was done. */
    public static final QueueTraffic NONE = new QueueTraffic(0, 0, 0, 0, 0, 0, false);

    /**
     * Adds later traffic.
     *
     * @param later the later traffic
     * @return the sums, and whether the queue was blocked at last
     */
    public QueueTraffic plus(QueueTraffic later) {
        return new QueueTraffic(
                lent + later.lent,
                lapsed + later.lapsed,
                unconfirmed + later.unconfirmed,
                taken + later.taken,
                refused + later.refused,
                unreadable + later.unreadable,
                later.blocked);
    }
}

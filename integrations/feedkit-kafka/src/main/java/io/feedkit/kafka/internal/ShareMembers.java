package io.feedkit.kafka.internal;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The members of a share group that fill one subscription. A share consumer receives no new messages before its whole
 * batch is settled. So there are two members, which take turns. If callers hold messages of both for long, up to four
 * helpers join for one batch each. Together they never ask for more messages than the subscription has room for.
 * Thread-safe.
 */
final class ShareMembers {

    private static final int MOST_HELPERS = 4;
    private static final long NANOS_OF_MILLI = 1_000_000;
    private static final Duration END_LIMIT = Duration.ofSeconds(1);

    private final LaneSubscription subscription;
    private final LaneParts parts;
    private int room;
    private int asking;
    private int waiting;
    private int empty;
    private int helpers;

    ShareMembers(LaneParts parts) {
        subscription = parts.subscription();
        this.parts = parts;
        room = subscription.most();
    }

    /** How many messages each of the lasting members asks for. */
    static int[] sizes(int most) {
        return most == 1 ? new int[] {1} : new int[] {most - most / 2, most / 2};
    }

    /** Reserves room for messages, and waits a while for it. */
    synchronized boolean reserve(int messages, Duration longest) {
        long deadline = System.nanoTime() + longest.toNanos();
        waiting++;
        try {
            while (room < messages) {
                long left = (deadline - System.nanoTime()) / NANOS_OF_MILLI;
                if (left <= 0) {
                    return false;
                }
                wait(left);
            }
            room -= messages;
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            waiting--;
        }
    }

    synchronized void release(int messages) {
        room += messages;
        notifyAll();
    }

    /** Records that a member begins, or ends, to ask the brokers for messages. */
    synchronized void asking(boolean begins) {
        asking += begins ? 1 : -1;
    }

    /** Changes the number of members without messages. */
    synchronized void addEmpty(int more) {
        empty += more;
        notifyAll();
    }

    /**
     * Waits a while until there are no members without messages. They would receive the messages that another member
     * returns at its end, and the brokers drop messages that were received too often.
     */
    synchronized void awaitNoneEmpty() {
        long deadline = System.nanoTime() + END_LIMIT.toNanos();
        try {
            while (empty > 0) {
                long left = (deadline - System.nanoTime()) / NANOS_OF_MILLI;
                if (left <= 0) {
                    return;
                }
                wait(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether a lasting member waits for room. */
    synchronized boolean isRoomWanted() {
        return waiting > 0;
    }

    /** Reports that no message was settled for a while. If all members wait for settlements, starts a helper. */
    void stalled() {
        int size;
        synchronized (this) {
            if (asking > 0 || room == 0 || helpers == MOST_HELPERS || !subscription.isEmpty()) {
                return;
            }
            size = room;
            room = 0;
            helpers++;
        }
        AtomicInteger reserved = new AtomicInteger(size);
        subscription.start(new Receiver(
                parts.topic(),
                receiver -> ShareSession.helper(parts, receiver, this, size, reserved),
                receiver -> ended(receiver, reserved.get())));
    }

    /** Records the end of a helper, and releases the room that it has not used. */
    private void ended(Receiver receiver, int reserved) {
        subscription.ended(receiver);
        release(reserved);
        synchronized (this) {
            helpers--;
        }
    }
}

package io.feedkit.spi;

import io.feedkit.Post;
import java.util.Collection;
import java.util.List;
import java.util.OptionalInt;

/**
 * The durable queue of fan-out tasks. Workers of many processes compete for them through leases: a task is leased to
 * one worker at a time, and every later call about it names the lease and fails if it was lost.
 *
 * <p>A task is <i>waiting</i> (until some time), <i>leased</i> (until some time), <i>finished</i> (kept for a while, so
 * that it can be done again) or <i>dead</i>. All times are the store's. Claiming is fair: the task that has been due
 * longest comes first, counted from when it was last given back or, if it was held back, from when that ended, so that
 * a task given back after each batch takes turns with all others. A lease is lost when it has run out, whether or not
 * another claim took the task.
 */
public interface FanoutLog {

    /**
     * Up to how many tasks of a sort every log counts: enough to see that there are very many, and few enough to be
     * counted in about a tenth of a second.
     */
    int COUNTED_AT_MOST = 100_000;

    /** What a task does with its posts. */
    enum Kind {
        /** Deliver the post to all followers. */
        PUSH,
        /** Enter the post in the pulled register. */
        PULL,
        /** Enter the post in the pulled register, and deliver it to followers seen lately. */
        PUSH_ACTIVE,
        /** Remove the deleted post from all followers' inboxes. */
        RETRACT,
        /**
         * Do so once more, when no insertion begun before the delete can arrive any more; then the post is retracted
         * for good.
         */
        RETRACT_AGAIN,
        /**
         * Deliver all of the author's posts between two positions to all followers, then take the author off the pulled
         * register.
         */
        CATCH_UP
    }

    /**
     * A task, as it stands in the log.
     *
     * @param id the log's own name for it, at most 64 visible ASCII characters
     * @param kind what to do
     * @param oldest the lowest position of the author's posts it is about
     * @param newest the highest; the same as {@code oldest}, and the place of one post, for all kinds but CATCH_UP
     * @param version for CATCH_UP the version of the pulled register's entry, else {@code 0}
     * @param range the followers it is about
     * @param after the cursor: followers up to and including this id are done; {@code ""} for none
     * @param attempts how often it failed, or was abandoned by a worker whose lease ran out, since it last made
     *     progress or was released
     * @param created when it was recorded
     */
    record Task(
            String id,
            Kind kind,
            Position oldest,
            Position newest,
            long version,
            KeyRange range,
            String after,
            int attempts,
            long created) {

        /**
         * The author whose posts it is about.
         *
         * @return the author's user id
         */
        public String author() {
            return newest.author();
        }

        /**
         * The post it is about, unless it is a CATCH_UP.
         *
         * @return the post
         */
        public Post post() {
            return newest.post();
        }
    }

    /**
     * A task on lease to a worker.
     *
     * @param task the task as it was when claimed
     * @param lease the lease's token, never used again
     */
    record Claim(Task task, long lease) {}

    /**
     * How far a claimed task has come.
     *
     * @param claim the claim
     * @param after the cursor to record; {@code ""} starts over
     */
    record Progress(Claim claim, String after) {}

    /**
     * A claim to be given up before the task is done.
     *
     * @param claim the claim
     * @param after the cursor to record
     * @param delayMillis how long nobody may claim it; {@code 0} for not at all
     */
    record Release(Claim claim, String after, long delayMillis) {}

    /**
     * A claim that failed.
     *
     * @param claim the claim
     * @param reason what happened, for whoever looks at dead letters; cut to 500 characters by the log
     * @param delayMillis how long nobody may claim it
     */
    record Failure(Claim claim, String reason, long delayMillis) {}

    /**
     * A task nobody works on any more, until it is replayed.
     *
     * @param task the task
     * @param reason why
     * @param died when
     */
    record Dead(Task task, String reason, long died) {}

    /**
     * How much is in the queue. A log may stop counting at {@value #COUNTED_AT_MOST} of each.
     *
     * @param due tasks that wait and may be claimed now, and those that are leased
     * @param deferred tasks that wait and may not be claimed yet
     * @param dead tasks that are dead
     */
    record QueueStatus(long due, long deferred, long dead) {

        /**
         * All tasks that are waiting or leased.
         *
         * @return due and deferred ones
         */
        public long unfinished() {
            return due + deferred;
        }
    }

    /** A wish to be woken, until it is closed. */
    @FunctionalInterface
    interface Watch extends AutoCloseable {

        /** Ends the watch. A wake-up that has begun may still arrive. Idempotent; neither blocks nor throws. */
        @Override
        void close();
    }

    /**
     * Asks to be woken when tasks may have become due, whoever made them so, for workers that would else find out at
     * their next poll. A wake-up says no more than that a look may be worth it: it comes after the tasks can be
     * claimed, but may also come for nothing, several times, or never. Workers go on looking from time to time, and
     * nothing but speed depends on being woken. A log that has no way to tell does nothing here, as this one. Any
     * number may watch at a time.
     *
     * <p>The call does not wait for the backend, and does not fail if that cannot be reached: the log goes on trying.
     * When it reaches it again, it wakes everybody once, for whatever was missed.
     *
     * @param wakeUp called on any thread, also on several at once; it neither blocks nor throws
     * @return what ends the watch
     */
    default Watch watch(Runnable wakeUp) {
        return () -> {};
    }

    /**
     * Leases waiting tasks, and tasks whose lease has run out (which counts as an attempt). No task is leased to two
     * claims at the same time.
     *
     * @param max the most tasks to lease, at least 1
     * @param leaseMillis for how long
     * @return up to {@code max} claims, fewer if no more tasks are due
     */
    List<Claim> claim(int max, long leaseMillis);

    /**
     * Records cursors, resets the attempts and extends the leases. For each atomically.
     *
     * @param progress claims and cursors
     * @param leaseMillis for how long, from now
     * @return for each, false, and nothing was changed, if the lease was lost
     */
    List<Boolean> checkpoint(List<Progress> progress, long leaseMillis);

    /**
     * Gives claims back after a batch that went well, or that a store which could not be reached kept from saying
     * anything about the task; records their cursors and resets the attempts. For each atomically.
     *
     * @param releases claims, cursors and delays
     * @return for each, false, and nothing was changed, if the lease was lost
     */
    List<Boolean> release(List<Release> releases);

    /**
     * Finishes tasks. For each atomically. A finished task can be restarted until its time is up; then the log
     * forgets it.
     *
     * @param claims the claims
     * @param retainMillis how long to keep the tasks
     * @return for each, false, and nothing was changed, if the lease was lost
     */
    List<Boolean> finish(List<Claim> claims, long retainMillis);

    /**
     * Gives failed claims back, counting an attempt and keeping the recorded cursors. For each atomically.
     *
     * @param failures claims, reasons and delays
     * @return for each, false, and nothing was changed, if the lease was lost
     */
    List<Boolean> fail(List<Failure> failures);

    /**
     * Makes tasks due at once that were given back with a delay, since what they wait for is there again; those that
     * would be due first. Left alone is what waits on purpose, {@link Kind#PUSH_ACTIVE} and {@link Kind#RETRACT_AGAIN},
     * and what is claimed, finished or dead. For each atomically.
     *
     * @param most how many at most, at least 1
     * @return how many became due; fewer than {@code most}, possibly none, does not say that there are no more
     */
    int hasten(int most);

    /**
     * Makes a claimed task dead, keeping its cursor. Atomic.
     *
     * @param claim the claim
     * @param attempts how often it failed, which is what the dead task says, 1 to {@value Short#MAX_VALUE}
     * @param reason why
     * @return false, and nothing was changed, if the lease was lost
     */
    boolean moveToDeadLetters(Claim claim, int attempts, String reason);

    /**
     * Replaces a claimed task by one task for each range, waiting, with the same posts and creation time, the cursor
     * {@code ""} and no attempts. Atomic.
     *
     * @param claim the claim
     * @param ranges at least one range; together they cover the task's range
     * @return false, and nothing was changed, if the lease was lost
     */
    boolean split(Claim claim, List<KeyRange> ranges);

    /**
     * Replaces a claimed RETRACT task by a RETRACT_AGAIN task for the same post, from the beginning and without
     * attempts, that waits for a while. Atomic.
     *
     * @param claim the claim
     * @param delayMillis how long nobody may claim it
     * @return false, and nothing was changed, if the lease was lost
     */
    boolean retractAgain(Claim claim, long delayMillis);

    /**
     * Records a CATCH_UP task for the author's present register entry, unless one for the same author and version is
     * recorded and unfinished. Atomic.
     *
     * @param author the author
     * @param entry what is to be pushed
     * @return false if there was one already
     */
    boolean catchUp(String author, PulledRegister.Entry entry);

    /**
     * Counts the tasks. For operators; policies ask for {@link #invisibleSince}.
     *
     * @return the counts
     */
    QueueStatus queueStatus();

    /**
     * Tells which post has been waiting longest to show to its readers. That is asked often: it takes the same time
     * however many tasks there are.
     *
     * <p>What counts are PUSH and PULL tasks that are waiting or leased and were neither finished nor dead before, and
     * the parts of such tasks. A finished task that is {@linkplain #restart restarted} does not count, nor does a dead
     * one that is {@linkplain #replay replayed}, nor do their parts: its post has been delivered once, or its author is
     * in the pulled register. For the same reason no CATCH_UP counts. Retractions make nothing visible, and active
     * pushes are slow on purpose.
     *
     * @return when the oldest of the tasks that count was recorded; {@code 0} if there is none
     */
    long invisibleSince();

    /**
     * Lists dead tasks in the order of their ids.
     *
     * @param after list those with higher ids; {@code ""} for the beginning
     * @param limit the most to return, at least 1
     * @return the tasks; fewer than {@code limit} only at the end
     */
    List<Dead> dead(String after, int limit);

    /**
     * Makes dead tasks wait again, with their cursors and without attempts. For each atomically; those that are not
     * dead are left alone.
     *
     * @param ids ids of dead tasks
     * @return how many were dead
     */
    int replay(Collection<String> ids);

    /**
     * Lets tasks begin again, because what they delivered may have been lost: those that were finished at or after a
     * time, and all that are waiting or leased. Their cursors become {@code ""}. A finished task waits again, without
     * attempts. A leased task loses its lease, which counts no attempt, and waits. A task that waits goes on waiting
     * for as long as before. Dead tasks are left alone. For each atomically.
     *
     * <p>Every engine that notices a loss calls this, and the log does it once: it keeps the latest loss for which it
     * was done, and does nothing for that or an earlier one. So nobody loses a lease that was taken after a restart to
     * another call for the same loss. Simultaneous calls for one loss share the work, and each returns when all of it
     * is done. If a call is cut short, the next call for the same loss does what is left.
     *
     * @param loss the loss, as {@link Inbox#deliveriesSafeSince} names it; {@code 0} for one that nobody else notices,
     *     for which it is always done, and which is not kept
     * @param finishedSince restart those finished at or after this time
     * @return how many finished tasks this call restarted; nothing if it had been done
     */
    OptionalInt restart(long loss, long finishedSince);
}

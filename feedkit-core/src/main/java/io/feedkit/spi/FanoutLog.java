package io.feedkit.spi;

import io.feedkit.Beta;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.internal.check.Arguments;
import io.feedkit.queue.QueuedFanout;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;

/**
 * The durable queue of fan-out tasks. Workers of many processes compete for tasks through leases. A task is leased to
 * one worker at a time. Every later call about the task names the lease, and fails if the lease was lost.
 *
 * <p>A task is <i>waiting</i> (until some time), <i>leased</i> (until some time), <i>lent</i> (until some time),
 * <i>finished</i> (kept for a while, so that it can be done again) or <i>dead</i>. All times are the store's. Claiming
 * is fair: the task that has been due longest comes first. A task is due from the time when it was last given back, or,
 * if it was held back, from the end of that delay. So a task that is given back after each batch takes turns with all
 * others. A lease is lost when it has run out, whether or not another claim took the task.
 *
 * <p>A task is lent so that a {@link io.feedkit.queue.FanoutQueue} can carry it to a worker. A loan is not a lease: no
 * worker works on a lent task. A worker {@linkplain #take takes} the task, and gets a lease for the loan. A loan that
 * runs out does not mean that the task failed, so it does not count as an attempt. Wherever unfinished tasks are
 * counted or listed, lent tasks are unfinished, like waiting and leased ones.
 *
 * @since 0.1.0
 */
public interface FanoutLog {

    /**
     * Up to how many tasks of each kind every log counts. This number shows that there are very many tasks, and can be
     * counted in about a tenth of a second.
     */
    int COUNTED_AT_MOST = 100_000;

    /** Up to how many tasks every log counts by kind, if it supports that. */
    int KINDS_AMONG = 10_000;

    /** The largest window of {@link #lend}, so that lent tasks can always be counted exactly. */
    int LENT_AT_MOST = QueuedFanout.LARGEST_LENDING_WINDOW;

    /** The longest cursor, which is two ids and a space. */
    int LONGEST_CURSOR = 129;

    /** What a task does with its posts. */
    enum Kind {
        /** Deliver the post to all followers. */
        PUSH,
        /** Enter the post, or imported posts, in the pulled register, unless no inbox can miss them. */
        PULL,
        /** Enter the post in the pulled register, and deliver it to followers who have read recently. */
        PUSH_ACTIVE,
        /**
         * Wait until insertions that began before the delete cannot arrive any more, then continue as RETRACT_LATER.
         */
        RETRACT,
        /**
         * Remove the deleted post from all followers' inboxes; if its time is not known, whatever the time of the entry
         * is. Then the retraction is finished.
         */
        RETRACT_LATER,
        /**
         * Deliver all of the author's posts between two positions to all followers, then take the author off the pulled
         * register.
         */
        CATCH_UP,
        /** Deliver all of the author's posts between two positions to all followers. */
        IMPORT
    }

    /**
     * The failures of a task to reach a store. The log counts these failures, so that all engines together wait and
     * give up as one engine would.
     *
     * @param failures how many failures in a row
     * @param since when the first of these failures was recorded; {@code 0} if there was none
     */
    record Outage(int failures, long since) {
        /** The task has reached the store. */
        public static final Outage NONE = new Outage(0, 0);

        /**
         * The outage after one more failure.
         *
         * @param now the present time
         * @return the outage
         */
        public Outage longerAt(long now) {
            return new Outage(failures + 1, failures == 0 ? now : since);
        }
    }

    /**
     * A task in the log.
     *
     * @param id the task's id in this log, at most 64 visible ASCII characters
     * @param kind what to do
     * @param oldest the lowest position of the task's posts
     * @param newest the highest position of the task's posts; equal to {@code oldest}, the place of one post, for all
     *     kinds but CATCH_UP and IMPORT, and for PULL unless it is about imported posts. For a retraction of a post
     *     whose time is not known it has {@link Position#UNKNOWN_TIME}
     * @param version for CATCH_UP the version of the pulled register's entry, else {@code 0}
     * @param range the followers of the task
     * @param after the cursor that workers recorded, which only workers interpret: at most {@value #LONGEST_CURSOR}
     *     visible ASCII characters and spaces; {@code ""} at the beginning
     * @param attempts how often the task failed, or was abandoned by a worker whose lease ran out, since its last
     *     progress, release or postponement
     * @param outage how often the task was {@linkplain #postpone postponed} since its last progress; progress to a
     *     cursor with a space in it does not count, because such a task has skipped readers that it did not reach
     * @param created when the task was recorded
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
            Outage outage,
            long created) {
        /** Refuses null. */
        public Task {
            Arguments.nonNull("id", id);
            Arguments.nonNull("kind", kind);
            Arguments.nonNull("oldest", oldest);
            Arguments.nonNull("newest", newest);
            Arguments.nonNull("range", range);
            Arguments.nonNull("after", after);
            Arguments.nonNull("outage", outage);
        }

        /**
         * The task with other progress.
         *
         * @param cursor the cursor
         * @param failed the attempts
         * @param met the outage
         * @return the task
         */
        public Task with(String cursor, int failed, Outage met) {
            return new Task(id, kind, oldest, newest, version, range, cursor, failed, met, created);
        }

        /**
         * The task after progress: with another cursor, without attempts and without an outage.
         *
         * @param cursor the cursor
         * @return the task
         */
        public Task at(String cursor) {
            return with(cursor, 0, Outage.NONE);
        }

        /**
         * The author of the task's posts.
         *
         * @return the author's user id
         */
        public String author() {
            return newest.author();
        }

        /**
         * The identity of the task's post, or of its newest; only for kinds other than CATCH_UP and IMPORT.
         *
         * @return author and id
         */
        public PostKey key() {
            return new PostKey(newest.author(), newest.id());
        }

        /**
         * The task's post, or its newest; only for kinds other than CATCH_UP and IMPORT, and if its time is known.
         *
         * @return the post
         */
        public Post post() {
            return newest.post();
        }
    }

    /**
     * A task that is leased to a worker.
     *
     * @param task the task as it was when claimed
     * @param lease the lease's token, never used again
     */
    record Claim(Task task, long lease) {
        /** Refuses null. */
        public Claim {
            Arguments.nonNull("task", task);
        }
    }

    /**
     * A loan of a task, as a message names it.
     *
     * @param taskId the task's id
     * @param token the loan's token, never used again
     */
    record Loan(String taskId, long token) {
        /** Refuses null. */
        public Loan {
            Arguments.nonNull("taskId", taskId);
        }
    }

    /**
     * A task that is lent.
     *
     * @param task the task as it was when lent
     * @param loan the loan
     * @param lapsed whether the task is lent because an earlier loan has run out
     */
    record LentTask(Task task, Loan loan, boolean lapsed) {
        /** Refuses null. */
        public LentTask {
            Arguments.nonNull("task", task);
            Arguments.nonNull("loan", loan);
        }
    }

    /**
     * The progress of a claimed task.
     *
     * @param claim the claim
     * @param after the cursor to record; {@code ""} starts over
     */
    record Progress(Claim claim, String after) {
        /** Refuses null. */
        public Progress {
            Arguments.nonNull("claim", claim);
            Arguments.nonNull("after", after);
        }
    }

    /**
     * A claim to give back before the task is done.
     *
     * @param claim the claim
     * @param after the cursor to record
     * @param delayMillis how long the task cannot be claimed; {@code 0} for no delay
     */
    record Release(Claim claim, String after, long delayMillis) {
        /** Refuses null. */
        public Release {
            Arguments.nonNull("claim", claim);
            Arguments.nonNull("after", after);
        }
    }

    /**
     * A claim that failed.
     *
     * @param claim the claim
     * @param reason the failure, for operators who read dead letters; the log cuts it to 500 characters
     * @param delayMillis how long the task cannot be claimed
     */
    record Failure(Claim claim, String reason, long delayMillis) {
        /** Refuses null. */
        public Failure {
            Arguments.nonNull("claim", claim);
            Arguments.nonNull("reason", reason);
        }
    }

    /**
     * A claim of a task that could not reach a store.
     *
     * @param claim the claim
     * @param delayMillis how long the task cannot be claimed
     */
    record Postponement(Claim claim, long delayMillis) {
        /** Refuses null. */
        public Postponement {
            Arguments.nonNull("claim", claim);
        }
    }

    /**
     * A dead task. No worker works on it until it is replayed. A discarded task is deleted.
     *
     * @param task the task
     * @param reason why the task became dead
     * @param died when the task became dead
     */
    record Dead(Task task, String reason, long died) {
        /** Refuses null. */
        public Dead {
            Arguments.nonNull("task", task);
            Arguments.nonNull("reason", reason);
        }
    }

    /** The state of a task that is not finished. */
    @Beta
    enum TaskState {
        /** The task can be claimed now, or later. */
        WAITING,
        /** A worker has leased the task. */
        LEASED,
        /** The task is lent, and a message about it is in the fan-out queue. */
        LENT,
        /** The task is dead. */
        DEAD
    }

    /**
     * A task as {@link #find} found it.
     *
     * @param task the task
     * @param state the state
     * @param until for WAITING the time from which the task can be claimed, for LEASED and LENT the end of the lease or
     *     loan, for DEAD the time when the task became dead
     * @param reason for DEAD why the task became dead; otherwise {@code ""}
     */
    @Beta
    record FoundTask(Task task, TaskState state, long until, String reason) {
        /** Refuses null. */
        public FoundTask {
            Arguments.nonNull("task", task);
            Arguments.nonNull("state", state);
            Arguments.nonNull("reason", reason);
        }
    }

    /**
     * The answer to {@link #find}.
     *
     * @param tasks the tasks that were found, in any order
     * @param whole whether all unfinished and dead tasks were examined
     */
    @Beta
    record Found(List<FoundTask> tasks, boolean whole) {
        /** Copies the tasks. */
        public Found {
            tasks = List.copyOf(Arguments.nonNull("tasks", tasks));
        }
    }

    /**
     * The numbers of tasks. A log may stop counting at {@value #COUNTED_AT_MOST} tasks of each kind.
     *
     * @param due tasks that wait and may be claimed now, and those that are leased or lent
     * @param deferred tasks that wait and may not be claimed yet
     * @param dead tasks that are dead
     * @param lent the due tasks that are lent, up to {@value #LENT_AT_MOST}
     */
    record QueueStatus(long due, long deferred, long dead, long lent) {

        /**
         * All tasks that are waiting, leased or lent.
         *
         * @return due and deferred tasks
         */
        public long unfinished() {
            return due + deferred;
        }
    }

    /** A registration for wake-ups, until it is closed. */
    @FunctionalInterface
    interface Watch extends AutoCloseable {

        /** Ends the watch. A wake-up that has begun may still arrive. Idempotent; neither blocks nor throws. */
        @Override
        void close();
    }

    /**
     * Registers for wake-ups when tasks may have become due, whichever process caused it. Without a wake-up, workers
     * find such tasks at their next poll. A wake-up comes after the tasks can be claimed. It may also come without a
     * task, several times, or never. Workers still poll, so only speed depends on wake-ups. A log that cannot notice
     * such tasks does nothing here, like this default. There may be any number of watches.
     *
     * <p>The call does not wait for the backend, and does not fail if the backend cannot be reached: the log keeps
     * trying. When it reaches the backend again, it wakes all watches once, because wake-ups may have been missed.
     *
     * @param wakeUp is called on any thread, also on several at once; it neither blocks nor throws
     * @return the watch, which ends when it is closed
     */
    default Watch watch(Runnable wakeUp) {
        return () -> {};
    }

    /**
     * Leases waiting tasks, tasks whose loan has run out, and tasks whose lease has run out (which counts as an
     * attempt). No task is leased to two claims at the same time.
     *
     * @param max the most tasks to lease, at least 1
     * @param leaseMillis the length of the leases
     * @return up to {@code max} claims, fewer if no more tasks are due
     */
    List<Claim> claim(int max, long leaseMillis);

    /**
     * Whether tasks can be lent, for a {@link io.feedkit.queue.FanoutQueue}. If not, {@link #lend}, {@link #take} and
     * {@link #returnLoans} are never called, and an engine with a queue does not start.
     *
     * @return true if tasks can be lent; false by default
     */
    default boolean canLend() {
        return false;
    }

    /**
     * Lends the tasks that {@link #claim} would lease, in the same order. A task whose lease has run out counts an
     * attempt, as in {@link #claim}. No task is both lent and leased at the same time.
     *
     * @param max the most tasks to lend, at least 1
     * @param loanMillis the length of the loans
     * @param window how many tasks may be lent at a time, by all callers together, 1 to {@value #LENT_AT_MOST}.
     *     Simultaneous calls may each see the same room, and so lend up to {@code max} tasks too many
     * @return up to {@code max} tasks, fewer if no more tasks are due, or if the window is full
     */
    default List<LentTask> lend(int max, long loanMillis, int window) {
        throw new UnsupportedOperationException("this log cannot lend tasks");
    }

    /**
     * Takes lent tasks, each atomically: the loan ends, and the caller has a lease under a new token. So of several
     * calls with one loan, only one gets the task. The cursor and the attempts stay as they are.
     *
     * @param loans the loans, in any number; a loan may occur more than once
     * @param leaseMillis the length of the leases
     * @return for each loan the claim, with the task as it is now; empty, and nothing was changed, if the loan has run
     *     out, was taken or was returned
     */
    default List<Optional<Claim>> take(List<Loan> loans, long leaseMillis) {
        throw new UnsupportedOperationException("this log cannot lend tasks");
    }

    /**
     * Returns loans, because the tasks did not get into the queue. Each task waits again, from now on, with its cursor
     * and attempts as they are. Each atomically.
     *
     * @param loans the loans
     * @return for each loan false, and nothing was changed, if the loan has run out, was taken or was returned
     */
    default List<Boolean> returnLoans(List<Loan> loans) {
        throw new UnsupportedOperationException("this log cannot lend tasks");
    }

    /**
     * Records cursors, resets the attempts and extends the leases, for each task atomically. A cursor that moves also
     * ends the task's outage.
     *
     * @param progress claims and cursors
     * @param leaseMillis the length of the leases from now on
     * @return for each claim false, and nothing was changed, if the lease was lost
     */
    List<Boolean> checkpoint(List<Progress> progress, long leaseMillis);

    /**
     * Gives claims back after a successful batch, or without an attempt. Records the cursors and resets the attempts,
     * for each task atomically. A cursor that moves also ends the task's outage.
     *
     * @param releases claims, cursors and delays
     * @return for each claim false, and nothing was changed, if the lease was lost
     */
    List<Boolean> release(List<Release> releases);

    /**
     * Finishes tasks, each atomically. A finished task can be restarted until that time has passed; then the log
     * deletes it.
     *
     * @param claims the claims
     * @param retainMillis how long to keep the tasks
     * @return for each claim false, and nothing was changed, if the lease was lost
     */
    List<Boolean> finish(List<Claim> claims, long retainMillis);

    /**
     * Gives failed claims back, each atomically. Counts an attempt, and keeps the recorded cursor and the outage.
     *
     * @param failures claims, reasons and delays
     * @return for each claim false, and nothing was changed, if the lease was lost
     */
    List<Boolean> fail(List<Failure> failures);

    /**
     * Gives claims back whose tasks could not reach a store, which is not the tasks' fault. Counts one more failure of
     * the outage, resets the attempts, and keeps the recorded cursor, for each task atomically.
     *
     * @param postponements claims and delays
     * @return for each claim false, and nothing was changed, if the lease was lost
     */
    List<Boolean> postpone(List<Postponement> postponements);

    /**
     * Ends the delays of tasks that were given back, so that they are due at once, because a store can be reached
     * again. The log takes the tasks that would be due first, each atomically. Only speed depends on it, so the default
     * does nothing. It leaves out tasks that wait on purpose ({@link Kind#PUSH_ACTIVE} and {@link Kind#RETRACT_LATER}),
     * and claimed, finished and dead tasks.
     *
     * @param most the most tasks to make due, at least 1
     * @return how many tasks became due; fewer than {@code most}, possibly none, does not mean that there are no more
     */
    default int hasten(int most) {
        return 0;
    }

    /**
     * Makes a claimed task dead, and keeps its cursor. Atomic.
     *
     * @param claim the claim
     * @param attempts how often the task failed, 1 to {@value Short#MAX_VALUE}; recorded in the dead task
     * @param reason why the task becomes dead
     * @return false, and nothing was changed, if the lease was lost
     */
    boolean moveToDeadLetters(Claim claim, int attempts, String reason);

    /**
     * Replaces a claimed task by one waiting task for each range. The new tasks have the same posts and creation time,
     * the cursor {@code ""}, no attempts and no outage. Atomic.
     *
     * @param claim the claim
     * @param ranges at least one range; together they cover the task's range
     * @return false, and nothing was changed, if the lease was lost
     */
    boolean split(Claim claim, List<KeyRange> ranges);

    /**
     * Replaces a claimed RETRACT task by a RETRACT_LATER task for the same post, which is held back for a while. It has
     * the cursor {@code ""} and no attempts. Atomic.
     *
     * @param claim the claim
     * @param delayMillis how long the new task cannot be claimed
     * @return false, and nothing was changed, if the lease was lost
     */
    boolean retractLater(Claim claim, long delayMillis);

    /**
     * Records a CATCH_UP task for the author's present register entry, unless there is an unfinished task for the same
     * author and version. Atomic.
     *
     * @param author the author
     * @param entry the entry whose posts are to be pushed
     * @return false if there was such a task already
     */
    boolean catchUp(String author, PulledRegister.Entry entry);

    /**
     * Counts the tasks. For operators; policies ask for {@link #invisibleSince}.
     *
     * @return the counts
     */
    QueueStatus queueStatus();

    /**
     * Counts unfinished tasks by kind. For operators.
     *
     * @return the counts. Kinds without tasks may be left out. If there are more than {@value #KINDS_AMONG} tasks, a
     *     log may count only about {@value #KINDS_AMONG}, those that are due first. The default counts none; it is for
     *     a log that cannot count by kind
     */
    default Map<Kind, Long> unfinishedByKind() {
        return Map.of();
    }

    /**
     * Returns since when the oldest post has been waiting to show to its readers. Engines call this often, and it must
     * take the same time for any number of tasks.
     *
     * <p>Only PUSH and PULL tasks count, and their parts. Such a task counts while it is waiting, leased or lent, if it
     * was never finished or dead before. A finished task that is {@linkplain #restart restarted} does not count, and
     * neither does a dead task that is {@linkplain #replay replayed}, nor their parts: the post has been delivered
     * once, or its author is in the pulled register. For the same reason, no CATCH_UP counts. Tasks of imported posts
     * do not count, so that an import changes no decision about new posts. Retractions make nothing visible, and active
     * pushes are slow on purpose.
     *
     * @return when the oldest task that counts was recorded; {@code 0} if there is none
     */
    long invisibleSince();

    /**
     * Lists dead tasks in the order of their ids.
     *
     * @param after list tasks with higher ids; {@code ""} for the beginning
     * @param limit the most to return, at least 1
     * @return the tasks; fewer than {@code limit} only at the end
     */
    List<Dead> dead(String after, int limit);

    /**
     * Finds an author's tasks that are not finished, for operators. Changes nothing. A task that is recorded before the
     * call, and neither finished nor discarded during it, is in the answer if the answer is whole. A task that changes
     * its state during the call may be in the answer twice. If a lease or loan has run out, its task is WAITING.
     *
     * <p>A log examines at most about {@code among} unfinished tasks and as many dead ones, if it has no index by
     * author. It then begins with the tasks that are due first. This default is for a log that cannot list unfinished
     * tasks: it finds dead tasks only, and its answer is whole only if no task is unfinished.
     *
     * @param author the author
     * @param among the most tasks to examine in each place where the log keeps tasks, at least 1
     * @return the tasks
     * @throws io.feedkit.StoreUnavailableException if the store cannot be reached; asking again is harmless
     */
    @Beta
    default Found find(String author, int among) {
        boolean whole = queueStatus().unfinished() == 0;
        List<FoundTask> found = new ArrayList<>();
        List<Dead> dead = dead("", among);
        dead.stream()
                .filter(each -> each.task().author().equals(author))
                .forEach(each -> found.add(new FoundTask(each.task(), TaskState.DEAD, each.died(), each.reason())));
        return new Found(found, whole && dead.size() < among);
    }

    /**
     * Lists the unfinished tasks (waiting, leased and lent ones), some at a time and in any order. A task that is
     * unfinished during the whole walk is listed at least once, possibly several times, as it is at some moment of the
     * walk. The visitor is called under the conditions of {@link FollowGraph#forEachUser}. Changes nothing.
     *
     * @param visitor receives up to 1,000 tasks, not empty; returns false to end the walk. If it throws, the walk ends
     * @throws io.feedkit.StoreUnavailableException if the store cannot be reached; the walk ends
     * @throws UnsupportedOperationException if the log cannot list its tasks, like this default
     */
    @Beta
    default void forEachUnfinished(Predicate<List<Task>> visitor) {
        throw new UnsupportedOperationException("this log cannot list its tasks");
    }

    /**
     * Makes dead tasks waiting tasks again, each atomically, with their cursors, without attempts and without an
     * outage. Tasks that are not dead do not change.
     *
     * @param ids ids of dead tasks
     * @return how many tasks were dead
     */
    int replay(Collection<String> ids);

    /**
     * Deletes dead tasks, each atomically. Tasks that are not dead do not change. So of simultaneous calls that discard
     * and {@linkplain #replay} a task, one finds the task.
     *
     * @param ids ids of dead tasks
     * @return how many tasks were dead
     * @throws UnsupportedOperationException if the log cannot discard tasks, like this default
     */
    default int discard(Collection<String> ids) {
        throw new UnsupportedOperationException("this store cannot discard dead tasks: replay them");
    }

    /**
     * Restarts tasks, because their deliveries may have been lost: tasks that finished at or after a time, and all
     * waiting, leased and lent tasks. Their cursors become {@code ""}. A finished task waits again, without attempts or
     * an outage. A leased task loses its lease, without a counted attempt, and waits. A waiting task keeps its delay,
     * and a lent task stays lent. Dead tasks do not change. Each task changes atomically.
     *
     * <p>Every engine that notices a loss calls this, and the log restarts the tasks once. It keeps the latest loss for
     * which it restarted tasks, and does nothing for the same or an earlier loss. So another call for the same loss
     * does not end leases that were taken after the restart. Simultaneous calls for one loss share the work, and each
     * returns when all of it is done. If a call is interrupted, the next call for the same loss does the rest. A call
     * for a loss ends when another call begins for a later loss.
     *
     * @param loss the loss, as {@link Inbox#deliveriesSafeSince} names it; {@code 0} for a loss that no other caller
     *     notices: then the log always restarts tasks, and does not keep the loss
     * @param finishedSince restart tasks that finished at or after this time
     * @return how many finished tasks this call restarted; empty if the tasks had been restarted before
     */
    OptionalInt restart(long loss, long finishedSince);

    /**
     * Returns the name of the policy that all engines use, as {@link #usePolicy} set it. The call must be cheap:
     * engines that know named policies make it about once a second.
     *
     * @return the name; {@code ""} if each engine uses its own policy, as by default
     */
    default String policyInUse() {
        return "";
    }

    /**
     * Sets the name of the policy that all engines use, for all processes. Atomic, idempotent.
     *
     * @param name the name, 1 to 64 visible ASCII characters; {@code ""} if each engine uses its own policy
     * @throws UnsupportedOperationException if the log keeps no name, like this default
     */
    default void usePolicy(String name) {
        throw new UnsupportedOperationException("this store cannot keep a policy for all engines");
    }

    /**
     * Returns the latest loss that {@link #restart} has kept, so that all engines notice a loss that one of them
     * declares. The call must be cheap: engines make it about once a second.
     *
     * @return the loss; {@code 0} if there was none
     */
    long latestLoss();
}

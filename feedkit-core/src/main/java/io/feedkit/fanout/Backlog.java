package io.feedkit.fanout;

import io.feedkit.spi.FanoutLog;
import java.time.Duration;

/**
 * How far the fan-out is behind. An alarm watches the age. The age is zero while the queue holds only work that waits
 * on purpose and work that is done again.
 *
 * <p>A store may stop counting at {@value FanoutLog#COUNTED_AT_MOST} tasks of each kind.
 *
 * @param due tasks that a worker has claimed or could claim now
 * @param deferred tasks that nobody may claim yet: second passes of retractions, active pushes that are slowed down,
 *     and tasks that wait for a retry after a failure
 * @param age how long the oldest post has been waiting to show to its readers, since its time of publication; zero if
 *     no post is waiting. A push counts until all followers have the post. A pulled post counts until its task has
 *     ensured its entry in the register. A post that has once shown to all its readers does not count again. So a task
 *     does not count that is done again after a suspected loss, or as a replayed dead letter. Nor does a catch-up of a
 *     pulled author count. Retractions and active pushes do not count. A push that waits for a store which is out of
 *     reach counts until it is done. Its author is pulled meanwhile, so that the post shows to all readers whose
 *     inboxes can be read
 * @param deadLetters tasks that failed too often
 * @param lent those of the due tasks that are lent to a fan-out queue and not taken yet, by all engines
 * @param queue what this engine has done with its fan-out queue since it was built
 */
public record Backlog(long due, long deferred, Duration age, long deadLetters, long lent, QueueTraffic queue) {

    /**
     * The number of all unfinished tasks.
     *
     * @return due and deferred tasks
     */
    public long tasks() {
        return due + deferred;
    }
}

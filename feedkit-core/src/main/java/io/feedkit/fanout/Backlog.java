package io.feedkit.fanout;

import io.feedkit.spi.FanoutLog;
import java.time.Duration;

/**
 * How far the fan-out is behind. An alarm looks at the age: it stays zero while nothing but work that waits on purpose,
 * or that is done again, is in the queue.
 *
 * <p>A store may stop counting at {@value FanoutLog#COUNTED_AT_MOST} of each.
 *
 * @param due tasks that a worker has claimed or could claim now
 * @param deferred tasks that nobody may claim yet: the second pass of a retraction, an active push that is slowed down,
 *     and what is tried again later after a failure
 * @param age how long the oldest post has been waiting to show to its readers, by when it was published; zero if none
 *     is. A push counts until all followers have it, a pulled post until its task has made sure of its entry in the
 *     register. A post does not count again that has been there once: when its task is done again (after a suspected
 *     loss, or as a replayed dead letter), or while its author catches up from being pulled. Retractions and active
 *     pushes do not count. A push that waits for a store which is out of reach counts until it is done, although its
 *     author is pulled meanwhile, so that the post shows to all whose inboxes can be read
 * @param deadLetters tasks that failed too often
 */
public record Backlog(long due, long deferred, Duration age, long deadLetters) {

    /**
     * All tasks that are not finished.
     *
     * @return due and deferred ones
     */
    public long tasks() {
        return due + deferred;
    }
}

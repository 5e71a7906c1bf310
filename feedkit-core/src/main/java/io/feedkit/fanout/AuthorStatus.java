package io.feedkit.fanout;

import java.time.Duration;

/**
 * The facts about an author that a policy may use when the author publishes. Each value is fetched at its first use, so
 * a policy pays only for the values that it uses. Use this object on the publishing thread only, and not after the
 * decision.
 *
 * @since 0.1.0
 */
public interface AuthorStatus {

    /**
     * Who publishes.
     *
     * @return the author's user id
     */
    String author();

    /**
     * How many followers the author has, by the follow graph's count.
     *
     * @return the count, possibly an estimate
     */
    long followers();

    /**
     * How the author's latest posts reached their readers: {@link FanoutMode#PULL} while the author is in the pulled
     * register, else {@link FanoutMode#PUSH}.
     *
     * @return the current mode
     */
    FanoutMode currentMode();

    /**
     * How long the oldest post has been waiting to show to its readers, as {@link Backlog#age} defines it; known to
     * within a second.
     *
     * @return the age, zero if no post is waiting
     */
    Duration backlogAge();
}

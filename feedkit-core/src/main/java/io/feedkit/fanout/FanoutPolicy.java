package io.feedkit.fanout;

import io.feedkit.Beta;
import java.time.Duration;

/**
 * Decides, post by post, between fan-out on write and fan-out on read. Feeds are the same under every policy and every
 * change of policy; only the costs of a publish and of a read differ.
 *
 * <p>A policy is called on the publishing thread, before anything is written. If it throws, the publish throws a
 * {@link io.feedkit.CallbackException}. A policy must be safe for use by many threads.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface FanoutPolicy {

    /**
     * The fraction of the upper threshold below which a pulled author is pushed again: four fifths, so that an author
     * whose count fluctuates does not change modes all the time.
     */
    double HYSTERESIS = 0.8;

    /**
     * Decides about one post.
     *
     * @param author who publishes
     * @return how the post reaches its readers
     */
    FanoutMode decide(AuthorStatus author);

    /**
     * Fan-out on write for everybody.
     *
     * @return the policy
     */
    static FanoutPolicy push() {
        return new SamePolicy(FanoutMode.PUSH);
    }

    /**
     * Fan-out on read for everybody.
     *
     * @return the policy
     */
    static FanoutPolicy pull() {
        return new SamePolicy(FanoutMode.PULL);
    }

    /**
     * Push for small authors, pull for large ones: an author with {@code threshold} followers or more is pulled, until
     * the number of followers falls below {@value #HYSTERESIS} times the threshold.
     *
     * @param threshold the upper threshold, at least 1
     * @return the policy
     * @throws IllegalArgumentException if the threshold is not positive
     */
    static FanoutPolicy hybrid(long threshold) {
        return hybrid(threshold, lower(threshold));
    }

    /**
     * Push for small authors, pull for large ones, with both thresholds.
     *
     * @param threshold an author with this many followers or more is pulled
     * @param lower a pulled author with fewer followers than this is pushed again
     * @return the policy
     * @throws IllegalArgumentException if not {@code 0 <= lower <= threshold} and {@code 1 <= threshold}
     */
    static FanoutPolicy hybrid(long threshold, long lower) {
        return new ThresholdPolicy(threshold, lower, FanoutMode.PULL);
    }

    /**
     * As {@link #hybrid(long)}, but posts of large authors are also pushed, at a limited rate, to followers who have
     * read recently.
     *
     * @param threshold the upper threshold, at least 1
     * @return the policy
     * @throws IllegalArgumentException if the threshold is not positive
     */
    static FanoutPolicy active(long threshold) {
        return new ThresholdPolicy(threshold, lower(threshold), FanoutMode.PUSH_ACTIVE);
    }

    /**
     * Fan-out on write for followers who are online, and on read for all others. Follows another policy, but posts that
     * the other policy would push are {@linkplain FanoutMode#PUSH_ACTIVE pushed to active followers}.
     *
     * <p>Here a follower is online if the follower's inbox was renewed within
     * {@link io.feedkit.FeedEngineBuilder.FanoutSettings#activeWindow}. Reads renew it, and so do engines to which the
     * follower is {@linkplain io.feedkit.presence.Presence#connect connected}. The store of presence is not asked. So
     * online and offline mean the same for the push and for the inbox, in the one atomic step that inserts the post.
     * Followers may come and go at any time: the post is also in its author's outbox, where every page finds it.
     *
     * <p>Pages merge the outboxes of all authors whose posts were not pushed to everybody. If that is nearly every
     * author, {@link #push()} with a {@linkplain io.feedkit.FeedEngineBuilder#liveWindow short live window} is cheaper:
     * then readers who come back get a new inbox.
     *
     * @param policy decides which posts are pushed at all, such as {@code hybrid(100_000)}
     * @return the policy
     * @throws IllegalArgumentException if the policy is null
     */
    @Beta
    static FanoutPolicy online(FanoutPolicy policy) {
        return new OnlinePolicy(policy);
    }

    /**
     * Relief for a fan-out that has fallen behind. Follows another policy, but while the backlog is too old it pulls
     * the posts that the other policy would push.
     *
     * @param policy decides in normal times
     * @param maxBacklogAge the age of the backlog above which no post is pushed
     * @return the policy
     * @throws IllegalArgumentException if an argument is null or the age is not positive
     */
    static FanoutPolicy shedding(FanoutPolicy policy, Duration maxBacklogAge) {
        return new SheddingPolicy(policy, maxBacklogAge);
    }

    private static long lower(long threshold) {
        return (long) (threshold * HYSTERESIS);
    }
}

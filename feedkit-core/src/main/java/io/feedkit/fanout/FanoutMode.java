package io.feedkit.fanout;

/**
 * How one post reaches its readers.
 *
 * @since 0.1.0
 */
public enum FanoutMode {
    /** Fan-out on write: the post is delivered to the live inbox of every follower. */
    PUSH,
    /** Fan-out on read: readers find the post in the author's outbox. */
    PULL,
    /** As PULL. The post is also delivered, at a limited rate, to followers who have read recently. */
    PUSH_ACTIVE
}

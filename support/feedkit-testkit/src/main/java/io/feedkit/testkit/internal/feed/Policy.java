package io.feedkit.testkit.internal.feed;

import io.feedkit.fanout.FanoutPolicy;

/** The policies under which a feed must be the same. */
public enum Policy {
    /** Everything is pushed. */
    PUSH,
    /** Everything is pulled. */
    PULL,
    /** Authors with three followers are pulled, until they have only one; others are pushed. */
    HYBRID,
    /** Like HYBRID, and readers who have read recently also get a push. */
    ACTIVE;

    public FanoutPolicy fanout() {
        return switch (this) {
            case PUSH -> FanoutPolicy.push();
            case PULL -> FanoutPolicy.pull();
            case HYBRID -> FanoutPolicy.hybrid(3);
            case ACTIVE -> FanoutPolicy.active(3);
        };
    }
}

package io.feedkit.testkit.internal.feed;

import io.feedkit.fanout.FanoutPolicy;

/** The policies between which a feed must not differ. */
public enum Policy {
    /** Everything is pushed. */
    PUSH,
    /** Everything is pulled. */
    PULL,
    /** Authors with three followers are pulled, until they have one again; others are pushed. */
    HYBRID,
    /** As HYBRID, and readers seen lately get a push besides. */
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

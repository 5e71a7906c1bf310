package io.feedkit.testkit;

import io.feedkit.fanout.FanoutPolicy;

/** The policies between which a feed must not differ. */
enum Policy {
    /** Everything is pushed. */
    PUSH(FanoutPolicy.push()),
    /** Everything is pulled. */
    PULL(FanoutPolicy.pull()),
    /** Authors with three followers are pulled, until they have one again; others are pushed. */
    HYBRID(FanoutPolicy.hybrid(3)),
    /** As HYBRID, and readers seen lately get a push besides. */
    ACTIVE(FanoutPolicy.active(3));

    private final FanoutPolicy fanout;

    Policy(FanoutPolicy fanout) {
        this.fanout = fanout;
    }

    FanoutPolicy fanout() {
        return fanout;
    }
}

package io.feedkit.testkit;

import io.feedkit.fanout.FanoutPolicy;

/** The policies between which a feed must not differ. */
enum Policy {
    /** Everything is pushed. */
    PUSH(FanoutPolicy.push()),
    /** Everything is pulled. */
    PULL(FanoutPolicy.pull()),
    /** Authors with two followers are pulled, others pushed. */
    HYBRID(FanoutPolicy.hybrid(2)),
    /** As HYBRID, and readers seen lately get a push besides. */
    ACTIVE(FanoutPolicy.active(2));

    private final FanoutPolicy fanout;

    Policy(FanoutPolicy fanout) {
        this.fanout = fanout;
    }

    FanoutPolicy fanout() {
        return fanout;
    }
}

package io.feedkit.fanout;

import io.feedkit.internal.check.Arguments;

/** Push below a number of followers, another mode at or above it, with hysteresis. */
record ThresholdPolicy(long threshold, long lower, FanoutMode above) implements FanoutPolicy {

    ThresholdPolicy {
        Arguments.atLeast("threshold", threshold, 1);
        if (lower < 0 || lower > threshold) {
            throw new IllegalArgumentException(
                    "lower must be between 0 and the threshold " + threshold + ", but is " + lower);
        }
    }

    @Override
    public FanoutMode decide(AuthorStatus author) {
        long followers = author.followers();
        if (followers >= threshold) {
            return above;
        }
        return followers >= lower && author.currentMode() != FanoutMode.PUSH ? above : FanoutMode.PUSH;
    }
}

package io.feedkit.fanout;

import io.feedkit.internal.check.Arguments;
import java.time.Duration;

/** While the backlog is too old, pulls the posts that another policy would push. */
record SheddingPolicy(FanoutPolicy policy, Duration maxBacklogAge) implements FanoutPolicy {

    SheddingPolicy {
        Arguments.nonNull("policy", policy);
        if (Arguments.nonNull("maxBacklogAge", maxBacklogAge).isNegative() || maxBacklogAge.isZero()) {
            throw new IllegalArgumentException("maxBacklogAge must be positive, but is " + maxBacklogAge);
        }
    }

    @Override
    public FanoutMode decide(AuthorStatus author) {
        FanoutMode mode = policy.decide(author);
        return mode != FanoutMode.PULL && author.backlogAge().compareTo(maxBacklogAge) > 0 ? FanoutMode.PULL : mode;
    }
}

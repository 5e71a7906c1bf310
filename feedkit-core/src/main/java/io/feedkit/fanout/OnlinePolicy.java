package io.feedkit.fanout;

import io.feedkit.internal.check.Arguments;
import java.time.Duration;

/** Pushes to active followers what another policy would push to all. */
record OnlinePolicy(FanoutPolicy policy) implements FanoutPolicy {

    OnlinePolicy {
        Arguments.nonNull("policy", policy);
    }

    @Override
    public FanoutMode decide(AuthorStatus author) {
        FanoutMode mode = policy.decide(new Pushed(author));
        return mode == FanoutMode.PUSH ? FanoutMode.PUSH_ACTIVE : mode;
    }

    /**
     * An author whose posts were pushed before. Every author of this policy is in the pulled register, so that says
     * nothing of what the other policy decided. Without it, that policy has no hysteresis. It needs none: an author who
     * changes between both modes stays in the register.
     */
    private record Pushed(AuthorStatus status) implements AuthorStatus {

        @Override
        public String author() {
            return status.author();
        }

        @Override
        public long followers() {
            return status.followers();
        }

        @Override
        public FanoutMode currentMode() {
            return FanoutMode.PUSH;
        }

        @Override
        public Duration backlogAge() {
            return status.backlogAge();
        }
    }
}

package io.feedkit.testkit;

import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.Outbox;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

/**
 * The contract of {@link FanoutLog} as tests. It needs the log's outbox, whose appends and deletions record tasks. A backend binds it as
 * shown for {@link InboxCompatibilityKit}.
 */
public abstract class FanoutLogCompatibilityKit extends CompatibilityKit {

    /** For leaf tests. */
    protected FanoutLogCompatibilityKit() {}

    /**
     * Gives the outbox whose {@link Outbox#fanout()} is under test.
     *
     * @return the outbox, the same within a test
     */
    protected abstract Outbox outbox();

    @Nested
    @DisplayName("Claiming")
    class Claiming extends LogClaimRules {
        Claiming() {
            super(FanoutLogCompatibilityKit.this);
        }
    }

    @Nested
    @DisplayName("Checkpoints, releases and failures")
    class Progress extends LogProgressRules {
        Progress() {
            super(FanoutLogCompatibilityKit.this);
        }
    }

    @Nested
    @DisplayName("Lost leases")
    class LostLeases extends LogLostLeaseRules {
        LostLeases() {
            super(FanoutLogCompatibilityKit.this);
        }
    }

    @Nested
    @DisplayName("Finished tasks")
    class Finished extends LogFinishRules {
        Finished() {
            super(FanoutLogCompatibilityKit.this);
        }
    }

    @Nested
    @DisplayName("Dead tasks")
    class DeadTasks extends LogDeadRules {
        DeadTasks() {
            super(FanoutLogCompatibilityKit.this);
        }
    }

    @Nested
    @DisplayName("Splitting")
    class Splitting extends LogSplitRules {
        Splitting() {
            super(FanoutLogCompatibilityKit.this);
        }
    }

    @Nested
    @DisplayName("Retracting again")
    class RetractingAgain extends LogRetractRules {
        RetractingAgain() {
            super(FanoutLogCompatibilityKit.this);
        }
    }

    @Nested
    @DisplayName("Catching up")
    class CatchingUp extends LogCatchUpRules {
        CatchingUp() {
            super(FanoutLogCompatibilityKit.this);
        }
    }

    @Nested
    @DisplayName("Concurrency")
    class Concurrency extends LogConcurrencyRules {
        Concurrency() {
            super(FanoutLogCompatibilityKit.this);
        }
    }
}

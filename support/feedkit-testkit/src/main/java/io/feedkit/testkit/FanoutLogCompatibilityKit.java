package io.feedkit.testkit;

import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.Outbox;
import io.feedkit.testkit.internal.log.LogCatchUpRules;
import io.feedkit.testkit.internal.log.LogClaimRules;
import io.feedkit.testkit.internal.log.LogConcurrencyRules;
import io.feedkit.testkit.internal.log.LogDeadRules;
import io.feedkit.testkit.internal.log.LogFindRules;
import io.feedkit.testkit.internal.log.LogFinishRules;
import io.feedkit.testkit.internal.log.LogLendingInterleavings;
import io.feedkit.testkit.internal.log.LogLendingRules;
import io.feedkit.testkit.internal.log.LogLostLeaseRules;
import io.feedkit.testkit.internal.log.LogPolicyRules;
import io.feedkit.testkit.internal.log.LogProgressRules;
import io.feedkit.testkit.internal.log.LogQueueStatusRules;
import io.feedkit.testkit.internal.log.LogRestartRules;
import io.feedkit.testkit.internal.log.LogRetractRules;
import io.feedkit.testkit.internal.log.LogSplitRules;
import io.feedkit.testkit.internal.outbox.OutboxKit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

/**
 * The contract of {@link FanoutLog} as tests. It needs the log's outbox, whose appends and deletions record tasks. A
 * backend binds it as shown for {@link InboxCompatibilityKit}.
 *
 * @since 0.1.0
 */
public abstract class FanoutLogCompatibilityKit extends CompatibilityKit {

    /** For leaf tests. */
    protected FanoutLogCompatibilityKit() {}

    /**
     * Returns the outbox whose {@link Outbox#fanout()} is under test.
     *
     * @return the outbox, the same within a test
     */
    protected abstract Outbox outbox();

    /**
     * Returns the log as a worker in another process sees it: another view of the same tasks that shares no state in
     * this process with the first view. A backend overrides this, unless it keeps its tasks in this process.
     *
     * @return the log under test, unless overridden
     */
    protected FanoutLog anotherLog() {
        return outbox().fanout();
    }

    /** This kit as its rules see it. */
    private final class View extends KitView implements OutboxKit {
        View() {
            super(FanoutLogCompatibilityKit.this);
        }

        @Override
        public Outbox outbox() {
            return FanoutLogCompatibilityKit.this.outbox();
        }

        @Override
        public FanoutLog anotherLog() {
            return FanoutLogCompatibilityKit.this.anotherLog();
        }
    }

    @Nested
    @DisplayName("Claiming")
    class Claiming extends LogClaimRules {
        Claiming() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Checkpoints, releases and failures")
    class Progress extends LogProgressRules {
        Progress() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Lost leases")
    class LostLeases extends LogLostLeaseRules {
        LostLeases() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Lending, in any order")
    class LendingInAnyOrder extends LogLendingInterleavings {
        LendingInAnyOrder() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Lending")
    class Lending extends LogLendingRules {
        Lending() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Finished tasks")
    class Finished extends LogFinishRules {
        Finished() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("A restart after a loss")
    class Restart extends LogRestartRules {
        Restart() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("The policy of all engines")
    class AllEngines extends LogPolicyRules {
        AllEngines() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("The backlog")
    class Backlog extends LogQueueStatusRules {
        Backlog() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Dead tasks")
    class DeadTasks extends LogDeadRules {
        DeadTasks() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Finding tasks")
    class FindingTasks extends LogFindRules {
        FindingTasks() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Splitting")
    class Splitting extends LogSplitRules {
        Splitting() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Retracting later")
    class RetractingLater extends LogRetractRules {
        RetractingLater() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Catching up")
    class CatchingUp extends LogCatchUpRules {
        CatchingUp() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Concurrency")
    class Concurrency extends LogConcurrencyRules {
        Concurrency() {
            super(new View());
        }
    }
}

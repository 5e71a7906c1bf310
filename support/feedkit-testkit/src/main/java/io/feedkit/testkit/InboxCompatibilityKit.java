package io.feedkit.testkit;

import io.feedkit.spi.Inbox;
import io.feedkit.spi.InboxLimits;
import io.feedkit.testkit.internal.inbox.InboxBoundsRules;
import io.feedkit.testkit.internal.inbox.InboxConcurrencyRules;
import io.feedkit.testkit.internal.inbox.InboxCountRules;
import io.feedkit.testkit.internal.inbox.InboxDeliveryRules;
import io.feedkit.testkit.internal.inbox.InboxFollowRules;
import io.feedkit.testkit.internal.inbox.InboxKit;
import io.feedkit.testkit.internal.inbox.InboxLiveWindowRules;
import io.feedkit.testkit.internal.inbox.InboxMergeRules;
import io.feedkit.testkit.internal.inbox.InboxOwnerRules;
import io.feedkit.testkit.internal.inbox.InboxRandomRules;
import io.feedkit.testkit.internal.inbox.InboxRemovalRules;
import io.feedkit.testkit.internal.inbox.InboxSliceRules;
import io.feedkit.testkit.internal.inbox.InboxStateRules;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

/**
 * The contract of {@link Inbox} as tests. A backend binds it to its store in a few lines, overriding:
 *
 * <pre>{@code
 * class AcmeInboxCompatibilityTest extends InboxCompatibilityKit {
 *     private final SettableClock clock = SettableClock.startingAt(Instant.parse("2026-01-01T00:00:00Z"));
 *     private final AcmeStore store = AcmeStore.empty(clock);
 *
 *     protected Inbox inbox(InboxLimits limits) {
 *         return store.inbox(limits);
 *     }
 *
 *     protected void pass(Duration duration) {
 *         clock.advance(duration);
 *     }
 *
 *     protected long now() {
 *         return clock.millis();
 *     }
 * }
 * }</pre>
 *
 * @since 0.1.0
 */
public abstract class InboxCompatibilityKit extends CompatibilityKit {

    /** For leaf tests. */
    protected InboxCompatibilityKit() {}

    /**
     * Returns a view of the inboxes under test. Within a test all views are of the same inboxes.
     *
     * @param limits the view's limits
     * @return the view
     */
    protected abstract Inbox inbox(InboxLimits limits);

    /**
     * How many random sequences of operations are run side by side with a model.
     *
     * @return 40, unless overridden
     */
    protected int randomSequences() {
        return 40;
    }

    /**
     * How many further random sequences the {@link Exhaustive} test runs.
     *
     * @return 120, unless overridden
     */
    protected int moreRandomSequences() {
        return 120;
    }

    /**
     * The seed of the first random sequence; each further sequence has the next seed.
     *
     * @return 1, unless overridden
     */
    protected long randomSeed() {
        return 1;
    }

    /** This kit as its rules see it. */
    private final class View extends KitView implements InboxKit {
        View() {
            super(InboxCompatibilityKit.this);
        }

        @Override
        public Inbox inbox(InboxLimits limits) {
            return InboxCompatibilityKit.this.inbox(limits);
        }

        @Override
        public int randomSequences() {
            return InboxCompatibilityKit.this.randomSequences();
        }

        @Override
        public int moreRandomSequences() {
            return InboxCompatibilityKit.this.moreRandomSequences();
        }

        @Override
        public long randomSeed() {
            return InboxCompatibilityKit.this.randomSeed();
        }
    }

    @Nested
    @DisplayName("States")
    class States extends InboxStateRules {
        States() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Live window")
    class LiveWindow extends InboxLiveWindowRules {
        LiveWindow() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Delivery")
    class Deliveries extends InboxDeliveryRules {
        Deliveries() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Slices")
    class Slices extends InboxSliceRules {
        Slices() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Counting")
    class Counting extends InboxCountRules {
        Counting() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Cap and floor")
    class Bounds extends InboxBoundsRules {
        Bounds() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Merging")
    class Merging extends InboxMergeRules {
        Merging() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Retracting and purging")
    class Removal extends InboxRemovalRules {
        Removal() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Follow epoch and pending follows")
    class Follows extends InboxFollowRules {
        Follows() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Source of truth")
    class Owner extends InboxOwnerRules {
        Owner() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Concurrency")
    class Concurrency extends InboxConcurrencyRules {
        Concurrency() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Random operations")
    class RandomOperations extends InboxRandomRules {
        RandomOperations() {
            super(new View());
        }
    }
}

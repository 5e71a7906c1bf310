package io.feedkit.testkit;

import io.feedkit.spi.Inbox;
import io.feedkit.spi.InboxLimits;
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
 */
public abstract class InboxCompatibilityKit extends CompatibilityKit {

    /** For leaf tests. */
    protected InboxCompatibilityKit() {}

    /**
     * Gives a view of the inboxes under test. Within a test all views are of the same inboxes.
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
     * The seed of the first random sequence; each further one has the next.
     *
     * @return 1, unless overridden
     */
    protected long randomSeed() {
        return 1;
    }

    @Nested
    @DisplayName("States")
    class States extends InboxStateRules {
        States() {
            super(InboxCompatibilityKit.this);
        }
    }

    @Nested
    @DisplayName("Live window")
    class LiveWindow extends InboxLiveWindowRules {
        LiveWindow() {
            super(InboxCompatibilityKit.this);
        }
    }

    @Nested
    @DisplayName("Delivery")
    class Deliveries extends InboxDeliveryRules {
        Deliveries() {
            super(InboxCompatibilityKit.this);
        }
    }

    @Nested
    @DisplayName("Slices")
    class Slices extends InboxSliceRules {
        Slices() {
            super(InboxCompatibilityKit.this);
        }
    }

    @Nested
    @DisplayName("Cap and floor")
    class Bounds extends InboxBoundsRules {
        Bounds() {
            super(InboxCompatibilityKit.this);
        }
    }

    @Nested
    @DisplayName("Merging")
    class Merging extends InboxMergeRules {
        Merging() {
            super(InboxCompatibilityKit.this);
        }
    }

    @Nested
    @DisplayName("Retracting and purging")
    class Removal extends InboxRemovalRules {
        Removal() {
            super(InboxCompatibilityKit.this);
        }
    }

    @Nested
    @DisplayName("Follow epoch and notes")
    class Follows extends InboxFollowRules {
        Follows() {
            super(InboxCompatibilityKit.this);
        }
    }

    @Nested
    @DisplayName("Concurrency")
    class Concurrency extends InboxConcurrencyRules {
        Concurrency() {
            super(InboxCompatibilityKit.this);
        }
    }

    @Nested
    @DisplayName("Random operations")
    class RandomOperations extends InboxRandomRules {
        RandomOperations() {
            super(InboxCompatibilityKit.this);
        }
    }
}

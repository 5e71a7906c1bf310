package io.feedkit.testkit;

import io.feedkit.spi.FeedStore;
import io.feedkit.testkit.internal.callback.CallbackRules;
import io.feedkit.testkit.internal.callback.UndeclaredRules;
import io.feedkit.testkit.internal.feed.BoundsBehaviours;
import io.feedkit.testkit.internal.feed.ClockBehaviours;
import io.feedkit.testkit.internal.feed.DeleteBehaviours;
import io.feedkit.testkit.internal.feed.ExplainBehaviours;
import io.feedkit.testkit.internal.feed.ExplainHistories;
import io.feedkit.testkit.internal.feed.FanoutBehaviours;
import io.feedkit.testkit.internal.feed.FeedStoreKit;
import io.feedkit.testkit.internal.feed.FollowBehaviours;
import io.feedkit.testkit.internal.feed.HealingBehaviours;
import io.feedkit.testkit.internal.feed.HealthBehaviours;
import io.feedkit.testkit.internal.feed.NewerBehaviours;
import io.feedkit.testkit.internal.feed.OrderBehaviours;
import io.feedkit.testkit.internal.feed.PagingBehaviours;
import io.feedkit.testkit.internal.feed.RankBehaviours;
import io.feedkit.testkit.internal.feed.RebuildBehaviours;
import io.feedkit.testkit.internal.feed.RequestBehaviours;
import io.feedkit.testkit.internal.feed.StabilityBehaviours;
import io.feedkit.testkit.internal.feed.SwitchBehaviours;
import io.feedkit.testkit.internal.feed.UnreadBehaviours;
import io.feedkit.testkit.internal.feed.VerifyBehaviours;
import io.feedkit.testkit.internal.feed.VisibilityBehaviours;
import io.feedkit.testkit.internal.interleaving.DeleteInterleavings;
import io.feedkit.testkit.internal.interleaving.FollowInterleavings;
import io.feedkit.testkit.internal.interleaving.PairInterleavings;
import io.feedkit.testkit.internal.interleaving.RebuildInterleavings;
import io.feedkit.testkit.internal.interleaving.RegisterInterleavings;
import io.feedkit.testkit.internal.interleaving.WalkInterleavings;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

/**
 * The promises to hosts, as tests: a feed engine runs on the store under test, under every policy. The numbers in the
 * tests' names refer to the table of behaviours in the documentation. A backend binds the kit to its store in a few
 * lines:
 *
 * <pre>
 * class AcmeFeedStoreCompatibilityTest extends FeedStoreCompatibilityKit {
 *     private final SettableClock clock = SettableClock.startingAt(Instant.parse("2026-01-01T00:00:00Z"));
 *     private final AcmeStore store = AcmeStore.empty(clock);
 *
 *     protected FeedStore store() {
 *         return store;
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
 * </pre>
 *
 * @since 0.1.0
 */
public abstract class FeedStoreCompatibilityKit extends CompatibilityKit {

    /** For leaf tests. */
    protected FeedStoreCompatibilityKit() {}

    /**
     * Returns the store under test, with a writable follow graph. Within a test it is always the same store, and it is
     * empty at first.
     *
     * @return the store
     */
    protected abstract FeedStore store();

    /** This kit as its rules see it. */
    private final class View extends KitView implements FeedStoreKit {
        View() {
            super(FeedStoreCompatibilityKit.this);
        }

        @Override
        public FeedStore store() {
            return FeedStoreCompatibilityKit.this.store();
        }
    }

    @Nested
    @DisplayName("Publishing and fan-out")
    class Fanout extends FanoutBehaviours {
        Fanout() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Order, time and ties")
    class Order extends OrderBehaviours {
        Order() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Paging")
    class Paging extends PagingBehaviours {
        Paging() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Places, lists and marks")
    class Requests extends RequestBehaviours {
        Requests() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Explanations")
    class Explanations extends ExplainBehaviours {
        Explanations() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Explanations of random histories")
    class Histories extends ExplainHistories {
        Histories() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("One policy for all engines")
    class Switches extends SwitchBehaviours {
        Switches() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Health")
    class Health extends HealthBehaviours {
        Health() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Polling for news")
    class Newer extends NewerBehaviours {
        Newer() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Clocks")
    class Clocks extends ClockBehaviours {
        Clocks() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Cap, trim and expiry")
    class Bounds extends BoundsBehaviours {
        Bounds() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Deleting and editing")
    class Deletes extends DeleteBehaviours {
        Deletes() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Following and unfollowing")
    class Follows extends FollowBehaviours {
        Follows() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("What the host hides")
    class Visibility extends VisibilityBehaviours {
        Visibility() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Ranked pages")
    class Ranks extends RankBehaviours {
        Ranks() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Unread counts")
    class Unread extends UnreadBehaviours {
        Unread() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Stability, and unreported changes of the graph")
    class Stability extends StabilityBehaviours {
        Stability() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Rebuilding, isolation and limits")
    class Limits extends RebuildBehaviours {
        Limits() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Inboxes that differ from the outboxes")
    class Healing extends HealingBehaviours {
        Healing() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Damage that verify finds and repairs")
    class Verifies extends VerifyBehaviours {
        Verifies() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Two at a time")
    class Pairs extends PairInterleavings {
        Pairs() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("A walk, and what happens meanwhile")
    class Walks extends WalkInterleavings {
        Walks() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Rebuilding, and what happens meanwhile")
    class Rebuilds extends RebuildInterleavings {
        Rebuilds() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Following, and what happens meanwhile")
    class FollowsMeanwhile extends FollowInterleavings {
        FollowsMeanwhile() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Deleting, and what happens meanwhile")
    class DeletesMeanwhile extends DeleteInterleavings {
        DeletesMeanwhile() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Pulled authors, and what happens meanwhile")
    class Register extends RegisterInterleavings {
        Register() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("A host's callbacks that throw, block or call the engine")
    class Callbacks extends CallbackRules {
        Callbacks() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Calls to the store that throw undeclared things")
    class Undeclared extends UndeclaredRules {
        Undeclared() {
            super(new View());
        }
    }
}

package io.feedkit.testkit;

import io.feedkit.spi.FeedStore;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

/**
 * What hosts can rely on, as tests: a feed engine on the store under test, under every policy. The numbers in the tests' names are those of the
 * table of behaviours in the documentation. A backend binds the kit to its store in a few lines:
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
 */
public abstract class FeedStoreCompatibilityKit extends CompatibilityKit {

    /** For leaf tests. */
    protected FeedStoreCompatibilityKit() {}

    /**
     * Gives the store under test, with a writable follow graph. Within a test it is always the same one, and empty at first.
     *
     * @return the store
     */
    protected abstract FeedStore store();

    @Nested
    @DisplayName("Publishing and fan-out")
    class Fanout extends FanoutBehaviours {
        Fanout() {
            super(FeedStoreCompatibilityKit.this);
        }
    }

    @Nested
    @DisplayName("Order, time and ties")
    class Order extends OrderBehaviours {
        Order() {
            super(FeedStoreCompatibilityKit.this);
        }
    }

    @Nested
    @DisplayName("Paging")
    class Paging extends PagingBehaviours {
        Paging() {
            super(FeedStoreCompatibilityKit.this);
        }
    }

    @Nested
    @DisplayName("Cap, trim and expiry")
    class Bounds extends BoundsBehaviours {
        Bounds() {
            super(FeedStoreCompatibilityKit.this);
        }
    }

    @Nested
    @DisplayName("Deleting and editing")
    class Deletes extends DeleteBehaviours {
        Deletes() {
            super(FeedStoreCompatibilityKit.this);
        }
    }

    @Nested
    @DisplayName("Following and unfollowing")
    class Follows extends FollowBehaviours {
        Follows() {
            super(FeedStoreCompatibilityKit.this);
        }
    }

    @Nested
    @DisplayName("What the host hides")
    class Visibility extends VisibilityBehaviours {
        Visibility() {
            super(FeedStoreCompatibilityKit.this);
        }
    }

    @Nested
    @DisplayName("Unread counts")
    class Unread extends UnreadBehaviours {
        Unread() {
            super(FeedStoreCompatibilityKit.this);
        }
    }

    @Nested
    @DisplayName("Rebuilding, isolation and limits")
    class Limits extends RebuildBehaviours {
        Limits() {
            super(FeedStoreCompatibilityKit.this);
        }
    }

    @Nested
    @DisplayName("Two at a time")
    class Pairs extends PairInterleavings {
        Pairs() {
            super(FeedStoreCompatibilityKit.this);
        }
    }

    @Nested
    @DisplayName("A walk, and what happens meanwhile")
    class Walks extends WalkInterleavings {
        Walks() {
            super(FeedStoreCompatibilityKit.this);
        }
    }

    @Nested
    @DisplayName("Rebuilding, and what happens meanwhile")
    class Rebuilds extends RebuildInterleavings {
        Rebuilds() {
            super(FeedStoreCompatibilityKit.this);
        }
    }

    @Nested
    @DisplayName("Following, and what happens meanwhile")
    class FollowsMeanwhile extends FollowInterleavings {
        FollowsMeanwhile() {
            super(FeedStoreCompatibilityKit.this);
        }
    }

    @Nested
    @DisplayName("Deleting, and what happens meanwhile")
    class DeletesMeanwhile extends DeleteInterleavings {
        DeletesMeanwhile() {
            super(FeedStoreCompatibilityKit.this);
        }
    }

    @Nested
    @DisplayName("Pulled authors, and what happens meanwhile")
    class Register extends RegisterInterleavings {
        Register() {
            super(FeedStoreCompatibilityKit.this);
        }
    }
}

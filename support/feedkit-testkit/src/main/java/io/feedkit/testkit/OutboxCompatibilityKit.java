package io.feedkit.testkit;

import io.feedkit.spi.Outbox;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

/**
 * The contract of {@link Outbox} as tests. A backend binds it as shown for {@link InboxCompatibilityKit}. The outbox's fan-out log and pulled
 * register have kits of their own.
 *
 * @see FanoutLogCompatibilityKit
 * @see PulledRegisterCompatibilityKit
 * @see TransactionalOutboxCompatibilityKit
 */
public abstract class OutboxCompatibilityKit extends CompatibilityKit {

    /** For leaf tests. */
    protected OutboxCompatibilityKit() {}

    /**
     * Gives the outbox under test.
     *
     * @return the outbox, the same within a test
     */
    protected abstract Outbox outbox();

    @Nested
    @DisplayName("Appending")
    class Appending extends OutboxAppendRules {
        Appending() {
            super(OutboxCompatibilityKit.this);
        }
    }

    @Nested
    @DisplayName("Deleting")
    class Deleting extends OutboxDeleteRules {
        Deleting() {
            super(OutboxCompatibilityKit.this);
        }
    }

    @Nested
    @DisplayName("Newest posts of each author")
    class Newest extends OutboxNewestRules {
        Newest() {
            super(OutboxCompatibilityKit.this);
        }
    }

    @Nested
    @DisplayName("Pages of many authors")
    class Pages extends OutboxPageRules {
        Pages() {
            super(OutboxCompatibilityKit.this);
        }
    }

    @Nested
    @DisplayName("Existence and heads")
    class Heads extends OutboxHeadRules {
        Heads() {
            super(OutboxCompatibilityKit.this);
        }
    }

    @Nested
    @DisplayName("Settled mark")
    class SettledMark extends OutboxMarkRules {
        SettledMark() {
            super(OutboxCompatibilityKit.this);
        }
    }

    @Nested
    @DisplayName("Concurrency")
    class Concurrency extends OutboxConcurrencyRules {
        Concurrency() {
            super(OutboxCompatibilityKit.this);
        }
    }
}

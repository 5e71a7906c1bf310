package io.feedkit.testkit;

import io.feedkit.spi.Outbox;
import io.feedkit.testkit.internal.outbox.OutboxAppendRules;
import io.feedkit.testkit.internal.outbox.OutboxConcurrencyRules;
import io.feedkit.testkit.internal.outbox.OutboxCountRules;
import io.feedkit.testkit.internal.outbox.OutboxDeleteRules;
import io.feedkit.testkit.internal.outbox.OutboxHeadRules;
import io.feedkit.testkit.internal.outbox.OutboxIdentityRules;
import io.feedkit.testkit.internal.outbox.OutboxImportRules;
import io.feedkit.testkit.internal.outbox.OutboxKit;
import io.feedkit.testkit.internal.outbox.OutboxMarkRules;
import io.feedkit.testkit.internal.outbox.OutboxNewestRules;
import io.feedkit.testkit.internal.outbox.OutboxPageRules;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

/**
 * The contract of {@link Outbox} as tests. A backend binds it as shown for {@link InboxCompatibilityKit}. The outbox's
 * fan-out log and pulled register have kits of their own.
 *
 * @see FanoutLogCompatibilityKit
 * @see PulledRegisterCompatibilityKit
 * @see TransactionalOutboxCompatibilityKit
 * @since 0.1.0
 */
public abstract class OutboxCompatibilityKit extends CompatibilityKit {

    /** For leaf tests. */
    protected OutboxCompatibilityKit() {}

    /**
     * Returns the outbox under test.
     *
     * @return the outbox, the same within a test
     */
    protected abstract Outbox outbox();

    /** This kit as its rules see it. */
    private final class View extends KitView implements OutboxKit {
        View() {
            super(OutboxCompatibilityKit.this);
        }

        @Override
        public Outbox outbox() {
            return OutboxCompatibilityKit.this.outbox();
        }
    }

    @Nested
    @DisplayName("Appending")
    class Appending extends OutboxAppendRules {
        Appending() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Importing")
    class Importing extends OutboxImportRules {
        Importing() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Deleting")
    class Deleting extends OutboxDeleteRules {
        Deleting() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Newest posts of each author")
    class Newest extends OutboxNewestRules {
        Newest() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Pages of many authors")
    class Pages extends OutboxPageRules {
        Pages() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Counting")
    class Counting extends OutboxCountRules {
        Counting() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Existence and heads")
    class Heads extends OutboxHeadRules {
        Heads() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Settled mark")
    class SettledMark extends OutboxMarkRules {
        SettledMark() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Identity")
    class Identity extends OutboxIdentityRules {
        Identity() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Concurrency")
    class Concurrency extends OutboxConcurrencyRules {
        Concurrency() {
            super(new View());
        }
    }
}

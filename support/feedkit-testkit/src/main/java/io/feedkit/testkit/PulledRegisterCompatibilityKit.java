package io.feedkit.testkit;

import io.feedkit.spi.Outbox;
import io.feedkit.spi.PulledRegister;
import io.feedkit.testkit.internal.outbox.OutboxKit;
import io.feedkit.testkit.internal.register.RegisterConcurrencyRules;
import io.feedkit.testkit.internal.register.RegisterEntryRules;
import io.feedkit.testkit.internal.register.RegisterRetractingRules;
import io.feedkit.testkit.internal.register.RegisterUpdateRules;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

/**
 * The contract of {@link PulledRegister} as tests. It needs the register's outbox, whose deletions write to it. A
 * backend binds it as shown for {@link InboxCompatibilityKit}.
 *
 * @since 0.1.0
 */
public abstract class PulledRegisterCompatibilityKit extends CompatibilityKit {

    /** For leaf tests. */
    protected PulledRegisterCompatibilityKit() {}

    /**
     * Returns the outbox whose {@link Outbox#pulled()} is under test.
     *
     * @return the outbox, the same within a test
     */
    protected abstract Outbox outbox();

    /** This kit as its rules see it. */
    private final class View extends KitView implements OutboxKit {
        View() {
            super(PulledRegisterCompatibilityKit.this);
        }

        @Override
        public Outbox outbox() {
            return PulledRegisterCompatibilityKit.this.outbox();
        }
    }

    @Nested
    @DisplayName("Pulled authors")
    class Entries extends RegisterEntryRules {
        Entries() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Posts being retracted")
    class Retracting extends RegisterRetractingRules {
        Retracting() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Updates")
    class Updates extends RegisterUpdateRules {
        Updates() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Concurrency")
    class Concurrency extends RegisterConcurrencyRules {
        Concurrency() {
            super(new View());
        }
    }
}

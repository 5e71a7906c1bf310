package io.feedkit.testkit;

import io.feedkit.spi.TransactionalOutbox;
import io.feedkit.testkit.internal.outbox.EventLogRules;
import io.feedkit.testkit.internal.outbox.EventRecordingRules;
import io.feedkit.testkit.internal.outbox.TransactionalKit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

/**
 * The contract of {@link io.feedkit.spi.EventRecording} as tests, in addition to the tests of
 * {@link TransactionalOutboxCompatibilityKit}: for outboxes that have {@link TransactionalOutbox#recordingEvents()}.
 *
 * @since 0.1.0
 */
public abstract class EventRecordingOutboxCompatibilityKit extends TransactionalOutboxCompatibilityKit {

    /** For leaf tests. */
    protected EventRecordingOutboxCompatibilityKit() {}

    /** This kit as its rules see it. */
    private final class View extends KitView implements TransactionalKit {
        View() {
            super(EventRecordingOutboxCompatibilityKit.this);
        }

        @Override
        public TransactionalOutbox outbox() {
            return EventRecordingOutboxCompatibilityKit.this.outbox();
        }

        @Override
        public OpenTransaction begin() {
            HostTransaction begun = EventRecordingOutboxCompatibilityKit.this.begin();
            return new OpenTransaction(begun.handle(), begun.commit(), begun.rollback());
        }
    }

    @Nested
    @DisplayName("Recording of post events")
    class Recording extends EventRecordingRules {
        Recording() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Log of post events")
    class EventLog extends EventLogRules {
        EventLog() {
            super(new View());
        }
    }
}

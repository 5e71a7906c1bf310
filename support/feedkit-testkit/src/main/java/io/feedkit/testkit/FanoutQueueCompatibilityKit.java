package io.feedkit.testkit;

import io.feedkit.queue.FanoutQueue;
import io.feedkit.testkit.internal.queue.QueueAcknowledgementRules;
import io.feedkit.testkit.internal.queue.QueueBoundRules;
import io.feedkit.testkit.internal.queue.QueueClosingRules;
import io.feedkit.testkit.internal.queue.QueueConcurrencyRules;
import io.feedkit.testkit.internal.queue.QueueKit;
import io.feedkit.testkit.internal.queue.QueueOutageRules;
import io.feedkit.testkit.internal.queue.QueueReceivingRules;
import io.feedkit.testkit.internal.queue.QueueSendingRules;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

/**
 * The contract of {@link FanoutQueue} as tests. A queue may deliver messages twice and in any order.
 *
 * <p>Queues on servers are asynchronous, and have no clock that can be set. Tests wait at most {@link #longestWait()}
 * since the last message for an expected event. They wait {@link #quietTime()} to show that nothing happens.
 *
 * <p>JUnit creates an instance of the leaf test for each test. Every test expects a queue without messages, and leaves
 * messages behind.
 *
 * @since 0.1.0
 */
public abstract class FanoutQueueCompatibilityKit {

    /** For leaf tests. */
    protected FanoutQueueCompatibilityKit() {}

    /**
     * Returns the queue under test. The leaf test closes it after the test; tests may close it before.
     *
     * @return the queue, the same within a test
     */
    protected abstract FanoutQueue queue();

    /**
     * Returns the queue as another process sees it: an object of its own, with connections of its own, for the same
     * messages. A backend overrides this, unless it keeps its messages in this process. The leaf test closes it.
     *
     * @return the queue under test, unless overridden
     */
    protected FanoutQueue anotherQueue() {
        return queue();
    }

    /**
     * Reads the queue's dead letters.
     *
     * @return the texts of the messages that were refused, in any order
     */
    protected abstract List<String> deadLetters();

    /**
     * Cuts the connections of {@link #queue()}, and refuses new ones until {@link #endOutage}. Messages that the queue
     * has confirmed survive. Unless overridden, the tests of outages are reported as skipped.
     */
    protected void beginOutage() {
        Assumptions.abort("the queue cannot be made unreachable");
    }

    /** Lets the queue connect again. Does nothing if there is no outage. */
    protected void endOutage() {}

    /**
     * How many messages of a lane the queue under test holds before it refuses more: at least 1,000. Much larger values
     * make the tests slow.
     *
     * @return empty if the queue has no such bound, unless overridden
     */
    protected OptionalInt capacity() {
        return OptionalInt.empty();
    }

    /**
     * Returns whether subscriptions receive parts of a lane, rather than single messages. Such a queue remembers how
     * far a part was acknowledged: it may deliver an acknowledged message again, if an earlier one was not
     * acknowledged. A subscription that takes no messages delays the messages of its parts.
     *
     * @return false, unless overridden
     */
    protected boolean partitioned() {
        return false;
    }

    /**
     * How long to wait for the next message, or for another change, before a test fails.
     *
     * @return 15 seconds, unless overridden
     */
    protected Duration longestWait() {
        return Duration.ofSeconds(15);
    }

    /**
     * How long a test waits before it concludes that nothing will happen.
     *
     * @return 300 ms, unless overridden
     */
    protected Duration quietTime() {
        return Duration.ofMillis(300);
    }

    /**
     * The longest time that a call may take while the queue cannot be reached.
     *
     * @return 5 seconds, unless overridden; the queue under test should have short time-outs
     */
    protected Duration longestCall() {
        return Duration.ofSeconds(5);
    }

    /**
     * How many threads race in tests of concurrency, at least 4.
     *
     * @return 6, unless overridden
     */
    protected int threads() {
        return 6;
    }

    /**
     * How often tests of concurrency repeat a race whose outcome is not certain.
     *
     * @return 10, unless overridden
     */
    protected int rounds() {
        return 10;
    }

    /** This kit as its rules see it. */
    private final class View implements QueueKit {

        @Override
        public FanoutQueue queue() {
            return FanoutQueueCompatibilityKit.this.queue();
        }

        @Override
        public FanoutQueue anotherQueue() {
            return FanoutQueueCompatibilityKit.this.anotherQueue();
        }

        @Override
        public List<String> deadLetters() {
            return FanoutQueueCompatibilityKit.this.deadLetters();
        }

        @Override
        public void beginOutage() {
            FanoutQueueCompatibilityKit.this.beginOutage();
        }

        @Override
        public void endOutage() {
            FanoutQueueCompatibilityKit.this.endOutage();
        }

        @Override
        public OptionalInt capacity() {
            return FanoutQueueCompatibilityKit.this.capacity();
        }

        @Override
        public boolean partitioned() {
            return FanoutQueueCompatibilityKit.this.partitioned();
        }

        @Override
        public Duration longestWait() {
            return FanoutQueueCompatibilityKit.this.longestWait();
        }

        @Override
        public Duration quietTime() {
            return FanoutQueueCompatibilityKit.this.quietTime();
        }

        @Override
        public Duration longestCall() {
            return FanoutQueueCompatibilityKit.this.longestCall();
        }

        @Override
        public int threads() {
            return FanoutQueueCompatibilityKit.this.threads();
        }

        @Override
        public int rounds() {
            return FanoutQueueCompatibilityKit.this.rounds();
        }
    }

    @Nested
    @DisplayName("Sending")
    class Sending extends QueueSendingRules {
        Sending() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Receiving")
    class Receiving extends QueueReceivingRules {
        Receiving() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("The bound of a subscription")
    class Bound extends QueueBoundRules {
        Bound() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Acknowledging and refusing")
    class Acknowledging extends QueueAcknowledgementRules {
        Acknowledging() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Closing")
    class Closing extends QueueClosingRules {
        Closing() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Outages")
    class Outages extends QueueOutageRules {
        Outages() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Concurrency")
    class Concurrency extends QueueConcurrencyRules {
        Concurrency() {
            super(new View());
        }
    }
}

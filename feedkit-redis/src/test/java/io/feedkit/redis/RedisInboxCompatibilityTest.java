package io.feedkit.redis;

import io.feedkit.spi.Inbox;
import io.feedkit.spi.InboxLimits;
import io.feedkit.testkit.InboxCompatibilityKit;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass(allowZeroInvocations = true)
@OnTopologies
class RedisInboxCompatibilityTest extends InboxCompatibilityKit {

    private final TestInboxes inboxes;

    RedisInboxCompatibilityTest(Topology topology) {
        inboxes = new TestInboxes(topology.uri().get());
    }

    @Override
    protected Inbox inbox(InboxLimits limits) {
        return inboxes.inbox(limits);
    }

    @Override
    protected void pass(Duration duration) {
        inboxes.clock().advance(duration);
    }

    @Override
    protected long now() {
        return inboxes.clock().millis();
    }

    @AfterEach
    void close() {
        inboxes.close();
    }

    /** Each run takes an eighth of a second. */
    @Override
    protected int randomSequences() {
        return 10;
    }

    @Override
    protected int moreRandomSequences() {
        return 35;
    }
}

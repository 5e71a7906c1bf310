package io.feedkit.testkit.internal.outbox;

import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.Outbox;
import io.feedkit.testkit.internal.Kit;

/** The kits of an outbox, of its log and of its register as their rules see them. */
public interface OutboxKit extends Kit {

    Outbox outbox();

    /** The outbox's log as a worker in another process sees it. */
    default FanoutLog anotherLog() {
        return outbox().fanout();
    }
}

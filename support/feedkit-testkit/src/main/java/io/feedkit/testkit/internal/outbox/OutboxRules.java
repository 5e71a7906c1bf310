package io.feedkit.testkit.internal.outbox;

import org.junit.jupiter.api.BeforeEach;

/** The base of the chapters of the outbox kit. */
abstract class OutboxRules {

    final OutboxKit kit;

    OutboxDriver outbox;

    OutboxRules(OutboxKit kit) {
        this.kit = kit;
    }

    @BeforeEach
    void openOutbox() {
        outbox = new OutboxDriver(kit.outbox());
    }
}

package io.feedkit.testkit;

import org.junit.jupiter.api.BeforeEach;

/** What the concepts of the outbox kit share. */
abstract class OutboxRules {

    final OutboxCompatibilityKit kit;

    OutboxDriver outbox;

    OutboxRules(OutboxCompatibilityKit kit) {
        this.kit = kit;
    }

    @BeforeEach
    void openOutbox() {
        outbox = new OutboxDriver(kit.outbox());
    }
}

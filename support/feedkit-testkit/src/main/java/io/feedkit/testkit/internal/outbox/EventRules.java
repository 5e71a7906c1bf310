package io.feedkit.testkit.internal.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.queue.PostEvent;
import io.feedkit.spi.EventRecording;
import io.feedkit.spi.PostEventLog;
import io.feedkit.spi.PostEventLog.Claim;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;

/** The base of the chapters about post events. */
abstract class EventRules {

    /** A lease that no test outlasts. */
    static final long LEASE = OutboxDriver.LEASE;

    static final int MANY = 10_000;

    final TransactionalKit kit;

    OutboxDriver outbox;
    PostEventLog log;

    EventRules(TransactionalKit kit) {
        this.kit = kit;
    }

    @BeforeEach
    void openRecording() {
        EventRecording recording = kit.outbox().recordingEvents().orElseThrow();
        outbox = new OutboxDriver(recording.outbox());
        log = recording.log();
    }

    /** Leases all events that wait. */
    List<PostEvent> claimEvents() {
        return log.claim(MANY, LEASE).stream().map(Claim::event).toList();
    }

    boolean nothingWaits() {
        return log.claim(1, LEASE).isEmpty();
    }

    Claim claim(long leaseMillis) {
        List<Claim> claims = log.claim(1, leaseMillis);
        assertThat(claims).as("events that wait").hasSize(1);
        return claims.get(0);
    }

    /** Finishes all events that wait. */
    void settleEvents() {
        assertThat(log.finish(log.claim(MANY, LEASE))).doesNotContain(false);
    }
}

package io.feedkit.testkit.internal.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.Failure;
import io.feedkit.spi.FanoutLog.Postponement;
import io.feedkit.spi.FanoutLog.Progress;
import io.feedkit.spi.FanoutLog.Release;
import io.feedkit.testkit.internal.Samples;
import io.feedkit.testkit.internal.outbox.OutboxDriver;
import io.feedkit.testkit.internal.outbox.OutboxKit;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;

/** The base of the chapters of the log kit. */
abstract class LogRules {

    static final long LEASE = OutboxDriver.LEASE;
    static final long RETAIN = OutboxDriver.RETAIN;

    final OutboxKit kit;

    OutboxDriver outbox;
    FanoutLog log;

    LogRules(OutboxKit kit) {
        this.kit = kit;
    }

    @BeforeEach
    void openLog() {
        outbox = new OutboxDriver(kit.outbox());
        log = outbox.log();
    }

    /** Records a task. */
    final void publish(int n) {
        outbox.publish(Samples.post("bob", n));
    }

    /** A lease that tests let run out. */
    final long shortLease() {
        return kit.shortTime().toMillis();
    }

    final void checkpoint(Claim claim, String after, long leaseMillis) {
        assertThat(log.checkpoint(List.of(new Progress(claim, after)), leaseMillis))
                .as("answer to checkpoint")
                .containsExactly(true);
    }

    final void release(Claim claim, String after, long delayMillis) {
        assertThat(log.release(List.of(new Release(claim, after, delayMillis))))
                .as("answer to release")
                .containsExactly(true);
    }

    final void fail(Claim claim, long delayMillis) {
        assertThat(log.fail(List.of(new Failure(claim, "failed", delayMillis))))
                .as("answer to fail")
                .containsExactly(true);
    }

    final void postpone(Claim claim, long delayMillis) {
        assertThat(log.postpone(List.of(new Postponement(claim, delayMillis))))
                .as("answer to postpone")
                .containsExactly(true);
    }

    final void moveToDeadLetters(Claim claim) {
        assertThat(log.moveToDeadLetters(claim, 1, "poison"))
                .as("answer to moveToDeadLetters")
                .isTrue();
    }
}

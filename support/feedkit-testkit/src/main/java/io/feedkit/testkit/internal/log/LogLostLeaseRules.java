package io.feedkit.testkit.internal.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.Failure;
import io.feedkit.spi.FanoutLog.Postponement;
import io.feedkit.spi.FanoutLog.Progress;
import io.feedkit.spi.FanoutLog.QueueStatus;
import io.feedkit.spi.FanoutLog.Release;
import io.feedkit.spi.FanoutLog.Task;
import io.feedkit.spi.KeyRange;
import io.feedkit.testkit.internal.outbox.OutboxKit;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A worker that lost a lease cannot change the task any more. */
public abstract class LogLostLeaseRules extends LogRules {

    private static final List<KeyRange> HALVES = List.of(new KeyRange("", "m"), new KeyRange("m", KeyRange.END));

    protected LogLostLeaseRules(OutboxKit kit) {
        super(kit);
    }

    /** The calls that a worker may make with a claim. */
    enum Call {
        CHECKPOINT {
            @Override
            boolean accepted(FanoutLog log, Claim claim) {
                return log.checkpoint(List.of(new Progress(claim, "intruder")), LEASE)
                        .get(0);
            }
        },
        RELEASE {
            @Override
            boolean accepted(FanoutLog log, Claim claim) {
                return log.release(List.of(new Release(claim, "intruder", 0))).get(0);
            }
        },
        FINISH {
            @Override
            boolean accepted(FanoutLog log, Claim claim) {
                return log.finish(List.of(claim), RETAIN).get(0);
            }
        },
        FAIL {
            @Override
            boolean accepted(FanoutLog log, Claim claim) {
                return log.fail(List.of(new Failure(claim, "intruder", 0))).get(0);
            }
        },
        POSTPONE {
            @Override
            boolean accepted(FanoutLog log, Claim claim) {
                return log.postpone(List.of(new Postponement(claim, 0))).get(0);
            }
        },
        MOVE_TO_DEAD_LETTERS {
            @Override
            boolean accepted(FanoutLog log, Claim claim) {
                return log.moveToDeadLetters(claim, 1, "intruder");
            }
        },
        SPLIT {
            @Override
            boolean accepted(FanoutLog log, Claim claim) {
                return log.split(claim, HALVES);
            }
        },
        RETRACT_LATER {
            @Override
            boolean accepted(FanoutLog log, Claim claim) {
                return log.retractLater(claim, 0);
            }
        };

        abstract boolean accepted(FanoutLog log, Claim claim);
    }

    private void assertRefused(Call call, Claim lost) {
        QueueStatus before = log.queueStatus();
        assertThat(call.accepted(log, lost)).as("answer to %s", call).isFalse();
        assertThat(log.queueStatus()).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource(Call.class)
    @DisplayName("calls are refused after another worker has claimed the task, and do not disturb that worker")
    void takenOver(Call call) {
        publish(1);
        Claim lost = outbox.claim(shortLease());
        kit.outlast();
        Claim holder = outbox.claim();
        assertRefused(call, lost);
        assertThat(outbox.nothingDue()).isTrue();
        checkpoint(holder, "holder", LEASE);
        assertRefused(call, lost);
        fail(holder, 0);
        Task task = outbox.claim().task();
        assertThat(task.after()).isEqualTo("holder");
        assertThat(task.attempts()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(Call.class)
    @DisplayName("calls are refused after a release")
    void released(Call call) {
        publish(1);
        Claim lost = outbox.claim();
        release(lost, "released", 0);
        assertRefused(call, lost);
        Claim holder = outbox.claim();
        assertThat(holder.task().after()).isEqualTo("released");
        assertThat(holder.task().attempts()).isZero();
        assertRefused(call, lost);
        outbox.finish(holder);
    }

    @ParameterizedTest
    @EnumSource(Call.class)
    @DisplayName("calls are refused after a failure")
    void failed(Call call) {
        publish(1);
        Claim lost = outbox.claim();
        fail(lost, 0);
        assertRefused(call, lost);
        Claim holder = outbox.claim();
        assertThat(holder.task().after()).isEmpty();
        assertThat(holder.task().attempts()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(Call.class)
    @DisplayName("calls are refused after the task is finished")
    void finished(Call call) {
        publish(1);
        Claim lost = outbox.claim();
        outbox.finish(lost);
        assertRefused(call, lost);
        assertThat(outbox.nothingDue()).isTrue();
        assertThat(log.restart(0, 0)).hasValue(1);
        assertRefused(call, lost);
        assertThat(outbox.claim().task().after()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Call.class)
    @DisplayName("calls are refused after the task has become a dead letter")
    void moved(Call call) {
        publish(1);
        Claim lost = outbox.claim();
        moveToDeadLetters(lost);
        assertRefused(call, lost);
        assertThat(outbox.nothingDue()).isTrue();
        assertThat(log.dead("", 5)).hasSize(1);
        assertThat(log.dead("", 5).get(0).reason()).isEqualTo("poison");
        assertThat(log.replay(List.of(lost.task().id()))).isEqualTo(1);
        assertRefused(call, lost);
    }

    @ParameterizedTest
    @EnumSource(Call.class)
    @DisplayName("calls are refused after the task was split")
    void split(Call call) {
        publish(1);
        Claim lost = outbox.claim();
        assertThat(log.split(lost, HALVES)).isTrue();
        assertRefused(call, lost);
        assertThat(outbox.claimTasks()).extracting(Task::range).containsExactlyInAnyOrderElementsOf(HALVES);
    }
}

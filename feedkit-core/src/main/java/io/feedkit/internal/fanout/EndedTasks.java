package io.feedkit.internal.fanout;

import static io.feedkit.internal.check.Arguments.nonNull;

import io.feedkit.InvalidRequestException;
import io.feedkit.fanout.DeadLetter;
import io.feedkit.internal.check.Ids;
import io.feedkit.internal.fanout.batch.TaskSteps;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FanoutLog.Dead;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Lists, replays and discards dead letters, and restarts tasks after a loss of inboxes. Thread-safe. */
public final class EndedTasks {

    private static final int MAX_LISTED = 1000;

    private final EngineSettings settings;
    private final FanoutLog fanoutLog;
    private final Runnable wake;

    /**
     * The ended tasks of a fanoutLog.
     *
     * @param wake wakes the workers
     */
    public EndedTasks(EngineSettings settings, FanoutLog fanoutLog, Runnable wake) {
        this.settings = settings;
        this.fanoutLog = fanoutLog;
        this.wake = wake;
    }

    List<DeadLetter> deadLetters(String after, int limit) {
        InvalidRequestException.requireLimit(limit, MAX_LISTED);
        return fanoutLog.dead(after, limit).stream().map(EndedTasks::letter).toList();
    }

    private static DeadLetter letter(Dead dead) {
        FanoutLog.Task task = dead.task();
        DeadLetter.Builder letter = DeadLetter.builder(
                        task.id(), TaskSteps.of(task.kind()).publicKind(), task.author())
                .attempts(task.attempts())
                .reason(dead.reason())
                .died(Instant.ofEpochMilli(dead.died()));
        TaskSteps.postOf(task).ifPresent(letter::post);
        return letter.build();
    }

    int replay(Collection<String> ids) {
        int replayed = fanoutLog.replay(checked(ids));
        wake.run();
        return replayed;
    }

    int discard(Collection<String> ids) {
        return fanoutLog.discard(checked(ids));
    }

    private static List<String> checked(Collection<String> ids) {
        List<String> checked = new ArrayList<>(nonNull("ids", ids));
        for (int i = 0; i < checked.size(); i++) {
            Ids.require("ids[" + i + "]", checked.get(i));
        }
        return checked;
    }

    int replayFinished(Duration finishedWithin) {
        if (finishedWithin == null) {
            throw new IllegalArgumentException("finishedWithin must not be null");
        }
        if (finishedWithin.isNegative()) {
            throw new IllegalArgumentException("finishedWithin must not be negative, but is " + finishedWithin);
        }
        Duration sinceEver = Duration.ofMillis(Math.max(0, settings.now()));
        Duration back = finishedWithin.compareTo(sinceEver) < 0 ? finishedWithin : sinceEver;
        int restarted = fanoutLog.restart(0, settings.now() - back.toMillis()).orElseThrow();
        wake.run();
        return restarted;
    }

    void distrustInboxes() {
        long now = settings.now();
        fanoutLog.restart(
                Math.max(now, fanoutLog.latestLoss() + 1),
                now - settings.fanout().tasks().replayHorizon().toMillis());
        wake.run();
    }
}

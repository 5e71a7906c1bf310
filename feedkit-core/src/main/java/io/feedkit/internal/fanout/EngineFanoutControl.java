package io.feedkit.internal.fanout;

import static io.feedkit.internal.check.Arguments.nonNull;

import io.feedkit.InvalidRequestException;
import io.feedkit.fanout.Backlog;
import io.feedkit.fanout.DeadLetter;
import io.feedkit.fanout.FanoutControl;
import io.feedkit.fanout.QueueTraffic;
import io.feedkit.internal.cache.BacklogCache;
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
import java.util.function.Supplier;

/** Controls the fan-out of one engine, for its host. Thread-safe. */
public final class EngineFanoutControl implements FanoutControl {

    private static final int MAX_LISTED = 1000;

    private final FanoutLog log;
    private final FanoutWorkerPool workers;
    private final BacklogCache backlogs;
    private final Supplier<QueueTraffic> queueTraffic;
    private final Runnable wake;
    private final Runnable startSenders;
    private final EngineSettings settings;
    private final Runnable requireOpen;

    public EngineFanoutControl(
            EngineSettings settings,
            FanoutLog log,
            FanoutWorkerPool workers,
            BacklogCache backlogs,
            Supplier<QueueTraffic> queueTraffic,
            Runnable wake,
            Runnable startSenders,
            Runnable requireOpen) {
        this.settings = settings;
        this.log = log;
        this.workers = workers;
        this.backlogs = backlogs;
        this.queueTraffic = queueTraffic;
        this.wake = wake;
        this.startSenders = startSenders;
        this.requireOpen = requireOpen;
    }

    @Override
    public int drain() {
        requireOpen.run();
        return workers.drain();
    }

    @Override
    public Backlog backlog() {
        requireOpen.run();
        return backlogs.read(queueTraffic.get());
    }

    @Override
    public void pause() {
        workers.pause(true);
    }

    @Override
    public void resume() {
        startSenders.run();
        workers.pause(false);
    }

    @Override
    public List<DeadLetter> deadLetters(int limit) {
        return lettersAbove("", limit);
    }

    @Override
    public List<DeadLetter> deadLetters(String after, int limit) {
        requireOpen.run();
        return lettersAbove(InvalidRequestException.requireAfter(after), limit);
    }

    private List<DeadLetter> lettersAbove(String after, int limit) {
        requireOpen.run();
        InvalidRequestException.requireLimit(limit, MAX_LISTED);
        return log.dead(after, limit).stream().map(EngineFanoutControl::letter).toList();
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

    @Override
    public int replay(Collection<String> ids) {
        requireOpen.run();
        int replayed = log.replay(checked(ids));
        wake.run();
        return replayed;
    }

    @Override
    public int discard(Collection<String> ids) {
        requireOpen.run();
        return log.discard(checked(ids));
    }

    private static List<String> checked(Collection<String> ids) {
        List<String> checked = new ArrayList<>(nonNull("ids", ids));
        for (int i = 0; i < checked.size(); i++) {
            Ids.require("ids[" + i + "]", checked.get(i));
        }
        return checked;
    }

    @Override
    public int replayFinished(Duration finishedWithin) {
        requireOpen.run();
        if (finishedWithin == null) {
            throw new IllegalArgumentException("finishedWithin must not be null");
        }
        if (finishedWithin.isNegative()) {
            throw new IllegalArgumentException("finishedWithin must not be negative, but is " + finishedWithin);
        }
        Duration sinceEver = Duration.ofMillis(Math.max(0, settings.now()));
        Duration back = finishedWithin.compareTo(sinceEver) < 0 ? finishedWithin : sinceEver;
        int restarted = log.restart(0, settings.now() - back.toMillis()).orElseThrow();
        wake.run();
        return restarted;
    }

    @Override
    public void distrustInboxes() {
        requireOpen.run();
        long now = settings.now();
        log.restart(
                Math.max(now, log.latestLoss() + 1),
                now - settings.fanout().replayHorizon().toMillis());
        wake.run();
    }
}

package io.feedkit.internal.fanout;

import io.feedkit.InvalidRequestException;
import io.feedkit.fanout.Backlog;
import io.feedkit.fanout.DeadLetter;
import io.feedkit.fanout.FanoutControl;
import io.feedkit.fanout.QueueTraffic;
import io.feedkit.internal.cache.BacklogCache;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;

/** Controls the fan-out of one engine, for its host. Thread-safe. */
public final class EngineFanoutControl implements FanoutControl {

    private final FanoutWorkerPool workers;
    private final EndedTasks ended;
    private final BacklogCache backlogs;
    private final Supplier<QueueTraffic> queueTraffic;
    private final Runnable startSenders;
    private final Runnable requireOpen;

    public EngineFanoutControl(
            FanoutWorkerPool workers,
            EndedTasks ended,
            BacklogCache backlogs,
            Supplier<QueueTraffic> queueTraffic,
            Runnable startSenders,
            Runnable requireOpen) {
        this.workers = workers;
        this.ended = ended;
        this.backlogs = backlogs;
        this.queueTraffic = queueTraffic;
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
        return ended.deadLetters(after, limit);
    }

    @Override
    public int replay(Collection<String> ids) {
        requireOpen.run();
        return ended.replay(ids);
    }

    @Override
    public int discard(Collection<String> ids) {
        requireOpen.run();
        return ended.discard(ids);
    }

    @Override
    public int replayFinished(Duration finishedWithin) {
        requireOpen.run();
        return ended.replayFinished(finishedWithin);
    }

    @Override
    public void distrustInboxes() {
        requireOpen.run();
        ended.distrustInboxes();
    }
}

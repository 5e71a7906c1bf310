package io.feedkit.internal.fanout.batch;

import io.feedkit.Post;
import io.feedkit.internal.inbox.loss.DeliveryLossRecovery;
import io.feedkit.internal.signal.FeedSignals;
import io.feedkit.internal.signal.Signal;
import io.feedkit.spi.KeyRange;
import java.util.List;
import java.util.Optional;

/** Tells live feeds what a batch has changed. Thread-safe. */
public final class BatchSignals {

    private final FeedSignals signals;
    private final DeliveryLossRecovery losses;

    public BatchSignals(FeedSignals signals, DeliveryLossRecovery losses) {
        this.signals = signals;
        this.losses = losses;
    }

    void send(FanoutBatch batch) {
        if (signals.areWanted()) {
            signals.send(batch.done().stream()
                    .flatMap(task -> signal(batch, task).stream())
                    .toList());
        }
    }

    /** What changed by this batch of a task, for the followers of the batch. */
    private Optional<Signal> signal(FanoutBatch batch, ClaimedTask task) {
        TaskSteps steps = task.steps();
        if (steps.retractsLater() || steps.removesPost()) {
            return task.isAtStart() ? Optional.of(new Signal.Deleted(task.task().key())) : Optional.empty();
        }
        String author = task.task().author();
        if (steps.registersPost() && TaskSteps.postOf(task.task()).isEmpty()) {
            return Optional.of(new Signal.Changed(author, KeyRange.ALL, false));
        }
        // Posts of other kinds of tasks were visible before, by the register.
        if (!steps.showsInInboxesOnly() || !batch.tasksWithFollowers().contains(task)) {
            return Optional.empty();
        }
        List<Post> delivered = batch.posts(task);
        boolean repeated = task.task().created() < losses.before();
        return Optional.of(
                delivered.size() == 1 && !repeated
                        ? new Signal.Visible(
                                delivered.get(0),
                                range(batch, task),
                                batch.isRenewing(task) ? Signal.By.INSERTION : Signal.By.REPETITION)
                        : new Signal.Changed(author, range(batch, task), repeated));
    }

    /** The range of the followers of this batch. The author's own inbox is handled before all followers. */
    private static KeyRange range(FanoutBatch batch, ClaimedTask task) {
        KeyRange all = task.task().range();
        List<String> ids = batch.page(task).ids();
        String from = task.after().isEmpty() ? all.from() : Signal.after(task.after());
        return batch.page(task).more() && !ids.isEmpty()
                ? new KeyRange(from, Signal.after(ids.get(ids.size() - 1)))
                : new KeyRange(from, all.below());
    }
}

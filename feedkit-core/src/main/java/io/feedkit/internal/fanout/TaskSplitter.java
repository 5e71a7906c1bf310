package io.feedkit.internal.fanout;

import io.feedkit.FollowCounts;
import io.feedkit.internal.check.FailureReasons;
import io.feedkit.internal.fanout.batch.ClaimedTask;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FanoutLog.Task;
import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.KeyRange;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Splits a huge push into ranges that several workers can process at once. Thread-safe. */
final class TaskSplitter {

    private static final Logger log = LoggerFactory.getLogger(FanoutRound.class);

    private static final int MAX_RANGES = 64;

    private final EngineSettings settings;
    private final FollowGraph graph;
    private final FanoutLog fanoutLog;

    TaskSplitter(EngineSettings settings, FollowGraph graph, FanoutLog fanoutLog) {
        this.settings = settings;
        this.graph = graph;
        this.fanoutLog = fanoutLog;
    }

    /** Replaces a huge task by its parts, and returns whether it did. The parts repeat the task's first batch. */
    boolean split(ClaimedTask task) {
        Task whole = task.task();
        if (!task.steps().mayBeSplit()
                || !whole.after().isEmpty()
                || !whole.range().equals(KeyRange.ALL)
                || !task.considerSplit()) {
            return false;
        }
        try {
            List<KeyRange> ranges = ranges(whole.author());
            return ranges.size() > 1 && fanoutLog.split(task.claim(), ranges);
        } catch (Exception e) {
            log.debug(
                    "{}: cannot split {} of {}; it continues as one task",
                    settings.name(),
                    task.kind(),
                    whole.author(),
                    FailureReasons.printable(e));
            return false;
        }
    }

    private List<KeyRange> ranges(String author) {
        long threshold = settings.fanout().tasks().splitThreshold();
        FollowCounts counts = graph.counts(List.of(author)).get(author);
        if (counts == null || counts.followers() <= threshold) {
            return List.of(KeyRange.ALL);
        }
        return graph.split(author, (int) Math.min(MAX_RANGES, 1 + counts.followers() / threshold));
    }
}

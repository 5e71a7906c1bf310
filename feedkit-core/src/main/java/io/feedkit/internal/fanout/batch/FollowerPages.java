package io.feedkit.internal.fanout.batch;

import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.FollowGraph.FollowerQuery;
import io.feedkit.spi.FollowGraph.IdPage;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Fetches the next followers of the authors of several tasks. Thread-safe. */
public final class FollowerPages {

    private final FollowGraph graph;

    public FollowerPages(FollowGraph graph) {
        this.graph = graph;
    }

    /**
     * Gives each task an equal share of the call, and the rest to tasks with more followers. So few posts need several
     * calls, and few posts arrive after newer ones.
     */
    void fetch(FanoutBatch batch) {
        Map<ClaimedTask, Integer> shares = new LinkedHashMap<>();
        for (ClaimedTask task : batch.done()) {
            int due = batch.due(task);
            if (due > 0) {
                shares.put(task, task.isProbing() ? 1 : batch.followers(due));
            }
        }
        fetch(batch, shares);
        fetch(batch, leftOver(batch));
    }

    /** How many more followers each unfinished task gets, if the call still has room for a batch. */
    private static Map<ClaimedTask, Integer> leftOver(FanoutBatch batch) {
        List<ClaimedTask> unfinished = new ArrayList<>();
        int free = batch.callSize();
        for (ClaimedTask task : batch.tasksWithFollowers()) {
            free -= batch.page(task).ids().size() * batch.due(task);
            if (batch.page(task).more() && !task.isProbing()) {
                unfinished.add(task);
            }
        }
        if (unfinished.isEmpty() || free < batch.size()) {
            return Map.of();
        }
        Map<ClaimedTask, Integer> shares = new LinkedHashMap<>();
        int most = free / unfinished.size();
        for (ClaimedTask task : unfinished) {
            int due = batch.due(task);
            int room = batch.size() - batch.page(task).ids().size() * due;
            int more = Math.min(most, room) / due;
            if (more > 0) {
                shares.put(task, more);
            }
        }
        return shares;
    }

    /** Fetches more followers for each task, as many as its share. */
    private void fetch(FanoutBatch batch, Map<ClaimedTask, Integer> shares) {
        if (shares.isEmpty()) {
            return;
        }
        List<FollowerQuery> queries = new ArrayList<>();
        shares.forEach((task, followers) -> queries.add(
                new FollowerQuery(task.task().author(), task.task().range(), batch.after(task), followers)));
        Iterator<IdPage> answers = graph.followers(queries).iterator();
        shares.keySet().forEach(task -> batch.addFollowers(task, answers.next()));
    }
}

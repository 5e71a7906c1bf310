package io.feedkit.internal.fanout.batch;

import io.feedkit.Post;
import io.feedkit.internal.cache.RegisterCache;
import io.feedkit.internal.cache.Registered;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Enters posts in the pulled register that some inboxes will not have, or not yet. Thread-safe. */
public final class UnpushedPosts {

    private final RegisterCache registerCache;
    private final FollowersInboxes followersInboxes;

    public UnpushedPosts(RegisterCache registerCache, FollowersInboxes followersInboxes) {
        this.registerCache = registerCache;
        this.followersInboxes = followersInboxes;
    }

    /** Enters the posts of tasks that begin. */
    void register(List<ClaimedTask> tasks) {
        List<Post> unpushed = new ArrayList<>();
        List<ClaimedTask> asked = new ArrayList<>();
        for (ClaimedTask task : tasks) {
            if (task.steps().registersPost() && task.isAtStart()) {
                if (task.steps().insertsPost() || isUnpushed(task)) {
                    unpushed.addAll(TaskSteps.ends(task.task()));
                } else {
                    asked.add(task);
                }
            }
        }
        if (!asked.isEmpty()) {
            Set<String> authors = followersInboxes.authorsWithAny(
                    asked.stream().map(task -> task.task().author()).toList());
            asked.stream()
                    .filter(task -> authors.contains(task.task().author()))
                    .forEach(task -> unpushed.addAll(TaskSteps.ends(task.task())));
        }
        if (!unpushed.isEmpty()) {
            registerCache.put(unpushed);
        }
    }

    private boolean isUnpushed(ClaimedTask task) {
        Registered known = registerCache.lastKnown(task.task().author());
        return TaskSteps.ends(task.task()).stream().allMatch(known::isUnpushed);
    }
}

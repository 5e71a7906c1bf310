package io.feedkit.internal.fanout.batch;

import io.feedkit.Post;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.spi.FollowGraph.IdPage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One batch of several tasks: the posts of each task, the followers who are due, and the readers who were not reached.
 * Used by one thread.
 */
public final class FanoutBatch {

    /** How many batches of deliveries one call may make for many small tasks together. */
    private static final int BATCHES_PER_CALL = 4;

    /** The fewest followers in a batch of a catch-up, for any number of posts. */
    private static final int FEWEST_FOLLOWERS = 20;

    private static final IdPage NOBODY = new IdPage(List.of(), false);

    private final List<ClaimedTask> tasks = new ArrayList<>();
    private final List<ClaimedTask> candidates;
    private final boolean ownPosts;
    private final int size;
    private final int share;
    private final Map<ClaimedTask, List<Post>> posts = new HashMap<>();
    private final Map<ClaimedTask, IdPage> pages = new LinkedHashMap<>();
    private final Map<ClaimedTask, Set<String>> unreached = new HashMap<>();
    /** The tasks that inserted posts which were not in the inboxes before. */
    private final Set<ClaimedTask> renewing = new HashSet<>();

    private boolean calledInbox;

    FanoutBatch(EngineSettings settings, List<ClaimedTask> candidates) {
        this.candidates = candidates;
        this.ownPosts = settings.followees().ownPosts();
        this.size = settings.fanout().tasks().batchSize();
        this.share = Math.max(1, Math.min(size, callSize() / candidates.size()));
    }

    /** The tasks of which a batch was done: at least the first. */
    public List<ClaimedTask> done() {
        return tasks;
    }

    /** The tasks for which the call had no room; they are unchanged. */
    public List<ClaimedTask> putOff() {
        return candidates.subList(tasks.size(), candidates.size());
    }

    /** Whether the inboxes were called. A post that is only pulled does not need them. */
    public boolean calledInbox() {
        return calledInbox;
    }

    List<ClaimedTask> candidates() {
        return candidates;
    }

    /** How many deliveries a batch of one task makes; more if the task has very many posts. */
    int size() {
        return size;
    }

    /** How many deliveries one call makes; more if a task has very many posts. */
    int callSize() {
        return BATCHES_PER_CALL * size;
    }

    /** Adds the next candidate, with the posts that it inserts. */
    void add(ClaimedTask task, List<Post> inserted) {
        tasks.add(task);
        posts.put(task, inserted);
    }

    /** The posts that a task inserts, the newest first. */
    List<Post> posts(ClaimedTask task) {
        return posts.getOrDefault(task, List.of());
    }

    /** How many posts of a task are due for each follower. */
    int due(ClaimedTask task) {
        return task.steps().removesPost() ? 1 : posts(task).size();
    }

    /** To how many followers {@code due} posts are delivered in one batch. */
    int followers(int due) {
        return Math.max(Math.min(share, FEWEST_FOLLOWERS), share / due);
    }

    /** Adds the next followers of a task. */
    void addFollowers(ClaimedTask task, IdPage page) {
        pages.merge(task, page, FanoutBatch::joined);
    }

    private static IdPage joined(IdPage first, IdPage second) {
        List<String> ids = new ArrayList<>(first.ids());
        ids.addAll(second.ids());
        return new IdPage(ids, second.more());
    }

    /** The tasks of which followers were fetched. */
    Set<ClaimedTask> tasksWithFollowers() {
        return pages.keySet();
    }

    IdPage page(ClaimedTask task) {
        return pages.getOrDefault(task, NOBODY);
    }

    /** The last follower of a task so far. */
    String after(ClaimedTask task) {
        List<String> ids = page(task).ids();
        return ids.isEmpty() ? task.after() : ids.get(ids.size() - 1);
    }

    List<String> readers(ClaimedTask task) {
        return pages.containsKey(task) ? task.readers(page(task), ownPosts) : List.of();
    }

    /** Records that the inboxes were called. */
    void markCalledInbox() {
        calledInbox = true;
    }

    void addUnreached(ClaimedTask task, String reader) {
        unreached.computeIfAbsent(task, any -> new HashSet<>()).add(reader);
    }

    void markRenewing(ClaimedTask task) {
        renewing.add(task);
    }

    boolean isRenewing(ClaimedTask task) {
        return renewing.contains(task);
    }

    /** Leaves out all further followers of a task whose post was deleted. */
    void removeFollowers(ClaimedTask task) {
        pages.remove(task);
        unreached.remove(task);
    }

    /** Moves the cursors of the tasks. */
    void advance() {
        for (ClaimedTask task : tasks) {
            task.advance(page(task), unreached.getOrDefault(task, Set.of()));
        }
    }
}

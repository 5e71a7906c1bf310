package io.feedkit.internal.fanout.batch;

import io.feedkit.Post;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.inbox.CheckedInserts;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Reads the posts that tasks insert, and leaves out posts that were deleted. Thread-safe. */
public final class TaskPosts {

    /** How many posts of each author are looked at together. */
    private static final int FEW_POSTS = 32;

    private final EngineSettings settings;
    private final Outbox outbox;
    private final CheckedInserts inserts;

    public TaskPosts(EngineSettings settings, Outbox outbox, CheckedInserts inserts) {
        this.settings = settings;
        this.outbox = outbox;
        this.inserts = inserts;
    }

    /** Chooses the posts of each task until they are enough for one call: a catch-up may have very many posts. */
    void choose(FanoutBatch batch) {
        List<ClaimedTask> candidates = batch.candidates();
        Map<String, List<Post>> newest = newestOfRanges(candidates);
        Set<Post> gone = deletedBefore(candidates);
        int enough = Math.max(candidates.size(), batch.callSize());
        int planned = 0;
        for (ClaimedTask task : candidates) {
            if (planned >= enough) {
                break;
            }
            batch.add(task, posts(task, newest, gone));
            int due = batch.due(task);
            planned += due == 0 ? 0 : due * batch.followers(due);
        }
    }

    private List<Post> posts(ClaimedTask task, Map<String, List<Post>> newest, Set<Post> gone) {
        if (task.steps().isAboutRange()) {
            return ofRange(task, newest.getOrDefault(task.task().author(), List.of()));
        }
        return task.steps().insertsPost() && !gone.contains(task.post()) ? List.of(task.post()) : List.of();
    }

    /** The newest posts of the authors of all tasks about ranges, in one call: most such tasks have few posts. */
    private Map<String, List<Post>> newestOfRanges(List<ClaimedTask> candidates) {
        List<ClaimedTask> ranges =
                candidates.stream().filter(task -> task.steps().isAboutRange()).toList();
        if (ranges.isEmpty()) {
            return Map.of();
        }
        List<String> authors =
                ranges.stream().map(task -> task.task().author()).distinct().toList();
        Position oldest = Collections.min(
                ranges.stream().map(task -> task.task().oldest()).toList());
        Position newest = Collections.max(
                ranges.stream().map(task -> task.task().newest()).toList());
        List<List<Post>> found = outbox.newest(authors, new PositionRange(oldest, newest.next()), FEW_POSTS);
        return IntStream.range(0, authors.size()).boxed().collect(Collectors.toMap(authors::get, found::get));
    }

    /** The posts of a task about a range, newest first, at most those that an inbox can hold, and one more. */
    private List<Post> ofRange(ClaimedTask task, List<Post> newestOfAuthor) {
        PositionRange range =
                new PositionRange(task.task().oldest(), task.task().newest().next());
        boolean complete = newestOfAuthor.size() < FEW_POSTS
                || range.from().compareOf(newestOfAuthor.get(newestOfAuthor.size() - 1)) <= 0;
        return complete
                ? newestOfAuthor.stream().filter(range::contains).toList()
                : outbox.newest(
                                List.of(task.task().author()),
                                range,
                                settings.inboxes().limits().stored() + 1)
                        .get(0);
    }

    /**
     * Posts that were deleted before this worker claimed their tasks. If a post was deleted long ago, its retraction
     * may have ended, and nothing hides the post any more. If this worker inserted it and died before the check of the
     * tombstones, the post would stay in the inboxes. Recent tasks need no check: a retraction lasts longer.
     */
    private Set<Post> deletedBefore(List<ClaimedTask> candidates) {
        Set<Post> old = new HashSet<>();
        for (ClaimedTask task : candidates) {
            long age = settings.now() - task.task().created();
            boolean lately = 0 <= age && age < settings.fanout().tasks().lease().toMillis() / 2;
            if (task.isFresh() && !lately && task.steps().insertsPost()) {
                old.add(task.post());
            }
        }
        return new HashSet<>(inserts.deleted(old));
    }
}

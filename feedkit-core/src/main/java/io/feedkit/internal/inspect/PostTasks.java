package io.feedkit.internal.inspect;

import io.feedkit.PostKey;
import io.feedkit.spi.FanoutLog.FoundTask;
import io.feedkit.spi.FanoutLog.Kind;
import io.feedkit.spi.FanoutLog.Task;
import io.feedkit.spi.FanoutLog.TaskState;
import io.feedkit.spi.Position;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Which tasks concern a post, and which of them have not reached a reader. */
final class PostTasks {

    private static final Set<Kind> PUSHING = EnumSet.of(Kind.PUSH, Kind.IMPORT, Kind.CATCH_UP);

    private static final Set<Kind> REGISTERING = EnumSet.of(Kind.PULL, Kind.PUSH_ACTIVE);

    private static final Comparator<FoundTask> OLDEST_FIRST = Comparator.comparingLong(
                    (FoundTask found) -> found.task().created())
            .thenComparing(found -> found.task().id());

    private PostTasks() {}

    /**
     * The tasks of an author that concern a post, the oldest first.
     *
     * @param place the place of the post, if it is known
     */
    static List<FoundTask> about(PostKey key, Optional<Position> place, Collection<FoundTask> ofAuthor) {
        Map<String, FoundTask> distinct = new LinkedHashMap<>();
        ofAuthor.stream()
                .filter(found -> concerns(found.task(), key, place))
                .forEach(found -> distinct.put(found.task().id(), found));
        return distinct.values().stream().sorted(OLDEST_FIRST).toList();
    }

    /** The host may have changed the time of the post of a task, so a post is recognised by its id. */
    private static boolean concerns(Task task, PostKey key, Optional<Position> place) {
        return task.newest().id().equals(key.id())
                || (place.isPresent()
                        && task.oldest().compareTo(place.get()) <= 0
                        && task.newest().compareTo(place.get()) >= 0);
    }

    /** The task that the reader waits for. A task that is not dead comes first. */
    static Optional<FoundTask> awaited(List<FoundTask> about, String reader) {
        return about.stream()
                .filter(found -> isAwaited(found.task(), reader))
                .min(Comparator.comparing(found -> found.state() == TaskState.DEAD));
    }

    private static boolean isAwaited(Task task, String reader) {
        return REGISTERING.contains(task.kind()) || (isPush(task) && !hasReached(task, reader));
    }

    static boolean isPush(Task task) {
        return PUSHING.contains(task.kind());
    }

    /** Whether a push has handled a reader, or handles other readers. An author is handled before all followers. */
    private static boolean hasReached(Task task, String reader) {
        String handled = handled(task);
        if (reader.equals(task.author())) {
            return !handled.isEmpty() || !task.range().from().isEmpty();
        }
        return !task.range().contains(reader) || reader.compareTo(handled) <= 0;
    }

    /** The last follower before whom all followers were handled; {@code ""} for none. */
    static String handled(Task task) {
        int space = task.after().indexOf(' ');
        return space < 0 ? task.after() : task.after().substring(0, space);
    }
}

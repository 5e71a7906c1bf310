package io.feedkit.internal.fanout.batch;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.fanout.TaskKind;
import io.feedkit.spi.FanoutLog.Kind;
import io.feedkit.spi.FanoutLog.Task;
import java.util.List;
import java.util.Optional;

/**
 * The steps of each kind of task. No other class of the fan-out looks at a task's kind. Each log decides for itself
 * whether a kind counts for the age of the backlog.
 *
 * <table>
 * <caption>The kinds</caption>
 * <tr><th>kind</th><th>enters in the register</th><th>does in inboxes</th><th>at the end</th></tr>
 * <tr><td>PUSH</td><td></td><td>inserts the post</td><td>begins a catch-up if the author is registered</td></tr>
 * <tr><td>PULL</td><td>the post, or imported posts, unless no inbox can miss them</td><td></td><td></td></tr>
 * <tr><td>PUSH_ACTIVE</td><td>the post</td><td>inserts the post, for recent readers, at a limited
 * rate</td><td></td></tr>
 * <tr><td>RETRACT</td><td></td><td></td><td>continues as RETRACT_LATER, a lease later</td></tr>
 * <tr><td>RETRACT_LATER</td><td></td><td>removes the post</td><td>takes the post out of the register</td></tr>
 * <tr><td>CATCH_UP</td><td></td><td>inserts all posts between oldest and newest</td><td>takes the author out of the
 * register</td></tr>
 * <tr><td>IMPORT</td><td></td><td>inserts all posts between oldest and newest</td><td>begins a catch-up if the author
 * is registered</td></tr>
 * </table>
 */
public enum TaskSteps {
    PUSH,
    PULL,
    PUSH_ACTIVE,
    RETRACT,
    RETRACT_LATER,
    CATCH_UP,
    IMPORT;

    public static TaskSteps of(Kind kind) {
        return valueOf(kind.name());
    }

    /** The post of a task, unless the task covers a range. */
    public static Optional<PostKey> postOf(Task task) {
        boolean isOne = !of(task.kind()).isAboutRange() && task.oldest().equals(task.newest());
        return isOne ? Optional.of(task.key()) : Optional.empty();
    }

    /** Posts whose positions in the register cover all posts of a task. */
    public static List<Post> ends(Task task) {
        Post newest = task.newest().post();
        return task.oldest().equals(task.newest())
                ? List.of(newest)
                : List.of(task.oldest().post(), newest);
    }

    /** The kind, as hosts see it. */
    public TaskKind publicKind() {
        return TaskKind.valueOf(name());
    }

    /** Whether the post has to be in the register before it comes into inboxes. */
    boolean registersPost() {
        return this == PULL || this == PUSH_ACTIVE;
    }

    /** Whether the posts show only after they are in the inboxes. If that takes long, their author is pulled. */
    public boolean showsInInboxesOnly() {
        return this == PUSH || this == IMPORT;
    }

    /**
     * Whether the posts become visible only by the task. If such a task becomes a dead letter, their author is pulled.
     */
    public boolean showsPost() {
        return registersPost() || showsInInboxesOnly();
    }

    /** Whether the task covers all posts between its oldest and its newest, and not one post. */
    boolean isAboutRange() {
        return this == CATCH_UP || this == IMPORT;
    }

    /** Whether the task inserts its one post, unless that was deleted. */
    boolean insertsPost() {
        return this == PUSH || this == PUSH_ACTIVE;
    }

    boolean removesPost() {
        return this == RETRACT_LATER;
    }

    /**
     * Whether the task is released after each batch to limit its rate, and skips readers who have not read recently.
     */
    public boolean isPaced() {
        return this == PUSH_ACTIVE;
    }

    /** Whether several workers may each process a range of the followers. */
    public boolean mayBeSplit() {
        return this == PUSH || this == IMPORT;
    }

    public boolean beginsCatchUp() {
        return this == PUSH || this == IMPORT;
    }

    public boolean retractsLater() {
        return this == RETRACT;
    }

    public boolean unregistersPost() {
        return this == RETRACT_LATER;
    }

    public boolean unregistersAuthor() {
        return this == CATCH_UP;
    }
}

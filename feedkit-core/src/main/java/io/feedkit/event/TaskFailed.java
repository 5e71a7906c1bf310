package io.feedkit.event;

import static io.feedkit.internal.check.Arguments.nonNull;

import io.feedkit.PostKey;
import io.feedkit.fanout.TaskKind;
import java.util.Optional;

/**
 * A fan-out task failed, because of an error of its own or because a store could not be reached. A task becomes a dead
 * letter because of an unreachable store only after a day.
 *
 * @since 0.1.0
 */
public final class TaskFailed {

    private record Values(
            TaskKind kind, String author, Optional<PostKey> post, int attempts, boolean dead, String reason) {}

    private final Values values;

    private TaskFailed(Values values) {
        this.values = values;
    }

    /**
     * Returns a builder of an event. Values that are not set are zero, empty or false.
     *
     * @param kind the kind of the task
     * @param author the author of the task's posts
     * @return a builder
     */
    public static Builder builder(TaskKind kind, String author) {
        return new Builder(nonNull("kind", kind), nonNull("author", author));
    }

    /**
     * The kind of the task.
     *
     * @return the kind
     */
    public TaskKind kind() {
        return values.kind;
    }

    /**
     * The author of the task's posts.
     *
     * @return the author's user id
     */
    public String author() {
        return values.author;
    }

    /**
     * The post of the task; empty if the task is about a range of the author's posts, as a {@link TaskKind#CATCH_UP
     * catch-up} and an {@link TaskKind#IMPORT import} are.
     *
     * @return author and id, or empty
     */
    public Optional<PostKey> post() {
        return values.post;
    }

    /**
     * How often in a row the task has failed since its last progress, this failure included. Failures because a store
     * could not be reached are counted separately.
     *
     * @return the number
     */
    public int attempts() {
        return values.attempts;
    }

    /**
     * Whether the task is a dead letter now; otherwise it will be tried again.
     *
     * @return true if the task is a dead letter
     */
    public boolean dead() {
        return values.dead;
    }

    /**
     * The failure.
     *
     * @return a text in one line
     */
    public String reason() {
        return values.reason;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TaskFailed that && values.equals(that.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return values.toString().replaceFirst("Values", "TaskFailed");
    }

    /** Makes an event. For use by one thread. */
    public static final class Builder {

        private final TaskKind kind;
        private final String author;
        private Optional<PostKey> post = Optional.empty();
        private int attempts;
        private boolean dead;
        private String reason = "";

        private Builder(TaskKind kind, String author) {
            this.kind = kind;
            this.author = author;
        }

        /**
         * Sets {@link TaskFailed#post}.
         *
         * @param post the post
         * @return this builder
         */
        public Builder post(PostKey post) {
            this.post = Optional.of(nonNull("post", post));
            return this;
        }

        /**
         * Sets {@link TaskFailed#attempts}.
         *
         * @param attempts how often in a row the task has failed since its last progress, this failure included
         * @return this builder
         */
        public Builder attempts(int attempts) {
            this.attempts = attempts;
            return this;
        }

        /**
         * Sets {@link TaskFailed#dead}.
         *
         * @param dead whether the task is a dead letter now; otherwise it will be tried again
         * @return this builder
         */
        public Builder dead(boolean dead) {
            this.dead = dead;
            return this;
        }

        /**
         * Sets {@link TaskFailed#reason}.
         *
         * @param reason the failure
         * @return this builder
         */
        public Builder reason(String reason) {
            this.reason = nonNull("reason", reason);
            return this;
        }

        /**
         * Makes an event.
         *
         * @return the event
         */
        public TaskFailed build() {
            return new TaskFailed(new Values(kind, author, post, attempts, dead, reason));
        }
    }
}

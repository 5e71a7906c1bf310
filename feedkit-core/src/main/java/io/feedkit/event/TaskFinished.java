package io.feedkit.event;

import static io.feedkit.internal.check.Arguments.nonNull;

import io.feedkit.PostKey;
import io.feedkit.fanout.TaskKind;
import java.time.Duration;
import java.util.Optional;

/**
 * A fan-out task is done.
 *
 * @since 0.1.0
 */
public final class TaskFinished {

    private record Values(TaskKind kind, String author, Optional<PostKey> post, Duration age) {}

    private final Values values;

    private TaskFinished(Values values) {
        this.values = values;
    }

    /**
     * Returns a builder of an event. Values that are not set are zero or empty.
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
     * How long ago the task was recorded.
     *
     * @return the time
     */
    public Duration age() {
        return values.age;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TaskFinished that && values.equals(that.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return values.toString().replaceFirst("Values", "TaskFinished");
    }

    /** Makes an event. For use by one thread. */
    public static final class Builder {

        private final TaskKind kind;
        private final String author;
        private Optional<PostKey> post = Optional.empty();
        private Duration age = Duration.ZERO;

        private Builder(TaskKind kind, String author) {
            this.kind = kind;
            this.author = author;
        }

        /**
         * Sets {@link TaskFinished#post}.
         *
         * @param post the post
         * @return this builder
         */
        public Builder post(PostKey post) {
            this.post = Optional.of(nonNull("post", post));
            return this;
        }

        /**
         * Sets {@link TaskFinished#age}.
         *
         * @param age how long ago the task was recorded
         * @return this builder
         */
        public Builder age(Duration age) {
            this.age = nonNull("age", age);
            return this;
        }

        /**
         * Makes an event.
         *
         * @return the event
         */
        public TaskFinished build() {
            return new TaskFinished(new Values(kind, author, post, age));
        }
    }
}

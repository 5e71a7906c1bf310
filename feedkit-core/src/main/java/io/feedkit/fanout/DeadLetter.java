package io.feedkit.fanout;

import static io.feedkit.internal.check.Arguments.nonNull;

import io.feedkit.PostKey;
import java.time.Instant;
import java.util.Optional;

/**
 * A fan-out task that failed too often. It waits until an operator replays or discards it.
 *
 * @since 0.1.0
 */
public final class DeadLetter {

    private record Values(
            String id,
            TaskKind kind,
            String author,
            Optional<PostKey> post,
            int attempts,
            String reason,
            Instant died) {}

    private final Values values;

    private DeadLetter(Values values) {
        this.values = values;
    }

    /**
     * Returns a builder of a dead letter. Values that are not set are zero or empty, and the time is
     * {@link Instant#EPOCH}.
     *
     * @param id the id, for {@link FanoutControl#replay} and {@link FanoutControl#discard}
     * @param kind the kind of the task
     * @param author the author of the task's posts
     * @return a builder
     */
    public static Builder builder(String id, TaskKind kind, String author) {
        return new Builder(nonNull("id", id), nonNull("kind", kind), nonNull("author", author));
    }

    /**
     * The id, for {@link FanoutControl#replay} and {@link FanoutControl#discard}.
     *
     * @return the id
     */
    public String id() {
        return values.id;
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
     * How often the task had failed in a row since its last progress.
     *
     * @return the number
     */
    public int attempts() {
        return values.attempts;
    }

    /**
     * The last failure.
     *
     * @return a text in one line
     */
    public String reason() {
        return values.reason;
    }

    /**
     * When the task became a dead letter.
     *
     * @return the time
     */
    public Instant died() {
        return values.died;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DeadLetter that && values.equals(that.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return values.toString().replaceFirst("Values", "DeadLetter");
    }

    /** Makes a dead letter. For use by one thread. */
    public static final class Builder {

        private final String id;
        private final TaskKind kind;
        private final String author;
        private Optional<PostKey> post = Optional.empty();
        private int attempts;
        private String reason = "";
        private Instant died = Instant.EPOCH;

        private Builder(String id, TaskKind kind, String author) {
            this.id = id;
            this.kind = kind;
            this.author = author;
        }

        /**
         * Sets {@link DeadLetter#post}.
         *
         * @param post the post
         * @return this builder
         */
        public Builder post(PostKey post) {
            this.post = Optional.of(nonNull("post", post));
            return this;
        }

        /**
         * Sets {@link DeadLetter#attempts}.
         *
         * @param attempts how often the task had failed in a row since its last progress
         * @return this builder
         */
        public Builder attempts(int attempts) {
            this.attempts = attempts;
            return this;
        }

        /**
         * Sets {@link DeadLetter#reason}.
         *
         * @param reason the last failure
         * @return this builder
         */
        public Builder reason(String reason) {
            this.reason = nonNull("reason", reason);
            return this;
        }

        /**
         * Sets {@link DeadLetter#died}.
         *
         * @param died when the task became a dead letter
         * @return this builder
         */
        public Builder died(Instant died) {
            this.died = nonNull("died", died);
            return this;
        }

        /**
         * Makes a dead letter.
         *
         * @return the object
         */
        public DeadLetter build() {
            return new DeadLetter(new Values(id, kind, author, post, attempts, reason, died));
        }
    }
}

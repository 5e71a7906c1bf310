package io.feedkit.verify;

import static io.feedkit.internal.check.Arguments.nonNull;

import io.feedkit.Beta;
import java.util.Optional;

/**
 * One difference between stored data and the source of truth. Immutable.
 *
 * @since 0.1.0
 */
@Beta
public final class Finding {

    /** What was done about a finding. */
    public enum Repair {
        /** Nothing: no repair was requested. */
        NONE,
        /** The difference was repaired, and is gone. */
        DONE,
        /** A worker must finish a task first; the task is due now. */
        LEFT_TO_WORKERS,
        /** The difference is still there after the repair. */
        FAILED
    }

    private record Values(
            FindingKind kind,
            Optional<String> reader,
            Optional<String> author,
            Optional<String> post,
            Optional<String> task,
            String sentence,
            Repair repair) {}

    private final Values values;

    private Finding(Values values) {
        this.values = values;
    }

    /**
     * Returns a builder of a finding. Fields that are not set are empty.
     *
     * @param kind the kind
     * @return a builder
     */
    public static Builder builder(FindingKind kind) {
        return new Builder(nonNull("kind", kind));
    }

    /**
     * The kind of the difference.
     *
     * @return the kind
     */
    public FindingKind kind() {
        return values.kind;
    }

    /**
     * Whose inbox, follow or mark is concerned.
     *
     * @return a user id; empty if no reader is concerned
     */
    public Optional<String> reader() {
        return values.reader;
    }

    /**
     * Whose posts or followers are concerned.
     *
     * @return a user id; empty if no author is concerned
     */
    public Optional<String> author() {
        return values.author;
    }

    /**
     * The id of the post that is concerned.
     *
     * @return an id, which is unique for its {@link #author}; empty if no post is concerned
     */
    public Optional<String> post() {
        return values.post;
    }

    /**
     * The task of the fan-out log that is concerned.
     *
     * @return the id of a task; empty if no task is concerned
     */
    public Optional<String> task() {
        return values.task;
    }

    /**
     * Describes the difference, with the values that differ.
     *
     * @return one sentence, for operators
     */
    public String sentence() {
        return values.sentence;
    }

    /**
     * What was done about the difference.
     *
     * @return {@link Repair#NONE} unless a repair was requested
     */
    public Repair repair() {
        return values.repair;
    }

    /**
     * This finding after a repair.
     *
     * @param repair what was done
     * @return the finding
     */
    public Finding with(Repair repair) {
        return new Finding(new Values(
                values.kind,
                values.reader,
                values.author,
                values.post,
                values.task,
                values.sentence,
                nonNull("repair", repair)));
    }

    /**
     * Returns whether another finding is about the same thing, even if the values that differ have changed.
     *
     * @param other another finding
     * @return true if kind, reader, author, post and task are equal
     */
    public boolean isAboutSame(Finding other) {
        Values those = nonNull("other", other).values;
        return values.kind == those.kind
                && values.reader.equals(those.reader)
                && values.author.equals(those.author)
                && values.post.equals(those.post)
                && values.task.equals(those.task);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Finding that && values.equals(that.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return values.toString().replaceFirst("Values", "Finding");
    }

    /** Makes a finding. For use by one thread. */
    public static final class Builder {

        private final FindingKind kind;
        private Optional<String> reader = Optional.empty();
        private Optional<String> author = Optional.empty();
        private Optional<String> post = Optional.empty();
        private Optional<String> task = Optional.empty();
        private String sentence = "";

        private Builder(FindingKind kind) {
            this.kind = kind;
        }

        /**
         * Sets {@link Finding#reader}.
         *
         * @param reader a user id
         * @return this builder
         */
        public Builder reader(String reader) {
            this.reader = Optional.of(nonNull("reader", reader));
            return this;
        }

        /**
         * Sets {@link Finding#author}.
         *
         * @param author a user id
         * @return this builder
         */
        public Builder author(String author) {
            this.author = Optional.of(nonNull("author", author));
            return this;
        }

        /**
         * Sets {@link Finding#post}.
         *
         * @param post the id of a post
         * @return this builder
         */
        public Builder post(String post) {
            this.post = Optional.of(nonNull("post", post));
            return this;
        }

        /**
         * Sets {@link Finding#task}.
         *
         * @param task the id of a task
         * @return this builder
         */
        public Builder task(String task) {
            this.task = Optional.of(nonNull("task", task));
            return this;
        }

        /**
         * Sets {@link Finding#sentence}.
         *
         * @param sentence describes the difference
         * @return this builder
         */
        public Builder sentence(String sentence) {
            this.sentence = nonNull("sentence", sentence);
            return this;
        }

        /**
         * Makes a finding that was not repaired.
         *
         * @return the finding
         */
        public Finding build() {
            return new Finding(new Values(kind, reader, author, post, task, sentence, Repair.NONE));
        }
    }
}

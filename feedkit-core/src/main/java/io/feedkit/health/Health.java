package io.feedkit.health;

import static io.feedkit.internal.check.Arguments.nonNull;

import io.feedkit.Beta;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * The health of an engine's store: whether its parts answer, and how fast; see {@link io.feedkit.FeedEngine#check}.
 * Immutable.
 *
 * <p>The parts may be in one database, or in several. An engine works in part while the inboxes are down: feeds are
 * then read from the outboxes.
 *
 * @since 0.1.0
 */
@Beta
public final class Health {

    /** A part of a store. */
    public enum Part {
        /** Posts and fan-out tasks: the source of truth. */
        OUTBOX,
        /** Inboxes. */
        INBOX,
        /** Who follows whom. */
        FOLLOW_GRAPH,
        /** What readers have seen. */
        SEEN_MARKS,
        /** Old posts, if the engine has an archive. Without it, older pages fail. */
        ARCHIVE
    }

    private final Map<Part, Answer> parts;

    private Health(Map<Part, Answer> parts) {
        this.parts = parts;
    }

    /**
     * Creates the health from the answers of some parts.
     *
     * @param parts the answers by part, at least one
     * @return the health
     * @throws IllegalArgumentException if there is none
     */
    public static Health of(Map<Part, Answer> parts) {
        if (nonNull("parts", parts).isEmpty()) {
            throw new IllegalArgumentException("parts must not be empty");
        }
        return new Health(Collections.unmodifiableMap(new EnumMap<>(parts)));
    }

    /**
     * Whether every part answered in time.
     *
     * @return false if a part failed, or did not answer
     */
    public boolean isUp() {
        return parts.values().stream().allMatch(Answer::isUp);
    }

    /**
     * The answers of the parts.
     *
     * @return unmodifiable, in the order of {@link Part}
     */
    public Map<Part, Answer> parts() {
        return parts;
    }

    /**
     * The answer of one part.
     *
     * @param part the part
     * @return its answer
     * @throws IllegalArgumentException if there is no answer of the part; {@link io.feedkit.FeedEngine#check} returns
     *     answers of all parts that the engine has
     */
    public Answer part(Part part) {
        Answer answer = parts.get(nonNull("part", part));
        if (answer == null) {
            throw new IllegalArgumentException("part must be one of " + parts.keySet() + ", but is " + part);
        }
        return answer;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Health that && parts.equals(that.parts);
    }

    @Override
    public int hashCode() {
        return parts.hashCode();
    }

    @Override
    public String toString() {
        return (isUp() ? "up " : "down ") + parts;
    }

    /** What a part answered. Immutable. */
    public static final class Answer {

        private final Duration latency;
        private final Optional<String> failure;

        private Answer(Duration latency, Optional<String> failure) {
            this.latency = nonNull("latency", latency);
            this.failure = failure;
        }

        /**
         * The answer of a part that is up.
         *
         * @param latency how long it took
         * @return the answer
         */
        public static Answer up(Duration latency) {
            return new Answer(latency, Optional.empty());
        }

        /**
         * The answer of a part that failed, or did not answer.
         *
         * @param latency how long it took, or has taken so far
         * @param failure what is wrong, for operators
         * @return the answer
         */
        public static Answer down(Duration latency, String failure) {
            return new Answer(latency, Optional.of(nonNull("failure", failure)));
        }

        /**
         * Whether the part answered in time.
         *
         * @return false if it failed, or did not answer
         */
        public boolean isUp() {
            return failure.isEmpty();
        }

        /**
         * How long the answer took, or has taken so far.
         *
         * @return the time
         */
        public Duration latency() {
            return latency;
        }

        /**
         * What is wrong, for operators: it may contain server addresses.
         *
         * @return the failure; empty if the part is up
         */
        public Optional<String> failure() {
            return failure;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Answer that && latency.equals(that.latency) && failure.equals(that.failure);
        }

        @Override
        public int hashCode() {
            return 31 * latency.hashCode() + failure.hashCode();
        }

        @Override
        public String toString() {
            return failure.map(why -> why + " after " + latency).orElse("up after " + latency);
        }
    }
}

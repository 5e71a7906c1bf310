package io.feedkit.event;

import static io.feedkit.internal.check.Arguments.nonNull;

import io.feedkit.Post;
import java.util.List;

/**
 * A post was delivered to some of its readers. A fan-out reports one event for each batch of followers.
 *
 * @since 0.1.0
 */
public final class PostDelivered {

    private record Values(
            Post post, List<String> readers, int present, int belowFloor, int notLive, boolean afterSuspectedLoss) {}

    private final Values values;

    private PostDelivered(Values values) {
        this.values = values;
    }

    /**
     * Returns a builder of an event. Values that are not set are zero, empty or false.
     *
     * @param post the post
     * @return a builder
     */
    public static Builder builder(Post post) {
        return new Builder(nonNull("post", post));
    }

    /**
     * The post.
     *
     * @return the post
     */
    public Post post() {
        return values.post;
    }

    /**
     * The readers into whose inboxes the post was inserted.
     *
     * @return their user ids
     */
    public List<String> readers() {
        return values.readers;
    }

    /**
     * How many readers already had the post.
     *
     * @return the number
     */
    public int present() {
        return values.present;
    }

    /**
     * How many readers will read the post from the outbox, because their inboxes do not reach down to it.
     *
     * @return the number
     */
    public int belowFloor() {
        return values.belowFloor;
    }

    /**
     * How many readers have no live inbox.
     *
     * @return the number
     */
    public int notLive() {
        return values.notLive;
    }

    /**
     * Whether the task is older than a suspected loss. See {@link DeliveryLossSuspected}. If so, the inboxes of these
     * readers had lost the post, or had not received it yet if the task was unfinished at that time.
     *
     * @return true if the task is older than a suspected loss
     */
    public boolean afterSuspectedLoss() {
        return values.afterSuspectedLoss;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PostDelivered that && values.equals(that.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return values.toString().replaceFirst("Values", "PostDelivered");
    }

    /** Makes an event. For use by one thread. */
    public static final class Builder {

        private final Post post;
        private List<String> readers = List.of();
        private int present;
        private int belowFloor;
        private int notLive;
        private boolean afterSuspectedLoss;

        private Builder(Post post) {
            this.post = post;
        }

        /**
         * Sets {@link PostDelivered#readers}.
         *
         * @param readers the readers into whose inboxes the post was inserted
         * @return this builder
         */
        public Builder readers(List<String> readers) {
            this.readers = List.copyOf(nonNull("readers", readers));
            return this;
        }

        /**
         * Sets {@link PostDelivered#present}.
         *
         * @param present how many readers already had the post
         * @return this builder
         */
        public Builder present(int present) {
            this.present = present;
            return this;
        }

        /**
         * Sets {@link PostDelivered#belowFloor}.
         *
         * @param belowFloor how many readers will read the post from the outbox, because their inboxes do not reach
         *     down to it
         * @return this builder
         */
        public Builder belowFloor(int belowFloor) {
            this.belowFloor = belowFloor;
            return this;
        }

        /**
         * Sets {@link PostDelivered#notLive}.
         *
         * @param notLive how many readers have no live inbox
         * @return this builder
         */
        public Builder notLive(int notLive) {
            this.notLive = notLive;
            return this;
        }

        /**
         * Sets {@link PostDelivered#afterSuspectedLoss}.
         *
         * @param afterSuspectedLoss whether the task is older than a suspected loss
         * @return this builder
         */
        public Builder afterSuspectedLoss(boolean afterSuspectedLoss) {
            this.afterSuspectedLoss = afterSuspectedLoss;
            return this;
        }

        /**
         * Makes an event.
         *
         * @return the event
         */
        public PostDelivered build() {
            return new PostDelivered(new Values(post, readers, present, belowFloor, notLive, afterSuspectedLoss));
        }
    }
}

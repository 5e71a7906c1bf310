package io.feedkit.event;

import static io.feedkit.internal.check.Arguments.nonNull;

/**
 * A reader began to follow an author, or unfollowed the author.
 *
 * @since 0.1.0
 */
public final class FollowChanged {

    private record Values(String reader, String author, boolean following) {}

    private final Values values;

    private FollowChanged(Values values) {
        this.values = values;
    }

    /**
     * Makes an event.
     *
     * @param reader the reader
     * @param author the author
     * @param following whether the reader follows the author now
     * @return the event
     */
    public static FollowChanged of(String reader, String author, boolean following) {
        return new FollowChanged(new Values(nonNull("reader", reader), nonNull("author", author), following));
    }

    /**
     * The reader.
     *
     * @return the reader's user id
     */
    public String reader() {
        return values.reader;
    }

    /**
     * The author.
     *
     * @return the author's user id
     */
    public String author() {
        return values.author;
    }

    /**
     * Whether the reader follows the author now.
     *
     * @return true after a follow, false after an unfollow
     */
    public boolean following() {
        return values.following;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FollowChanged that && values.equals(that.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return values.toString().replaceFirst("Values", "FollowChanged");
    }
}

package io.feedkit.event;

import static io.feedkit.internal.check.Arguments.nonNull;

import io.feedkit.PostKey;

/**
 * A post was deleted.
 *
 * @since 0.1.0
 */
public final class PostDeleted {

    private record Values(PostKey post) {}

    private final Values values;

    private PostDeleted(Values values) {
        this.values = values;
    }

    /**
     * Makes an event.
     *
     * @param post the post
     * @return the event
     */
    public static PostDeleted of(PostKey post) {
        return new PostDeleted(new Values(nonNull("post", post)));
    }

    /**
     * The post.
     *
     * @return author and id
     */
    public PostKey post() {
        return values.post;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PostDeleted that && values.equals(that.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return values.toString().replaceFirst("Values", "PostDeleted");
    }
}

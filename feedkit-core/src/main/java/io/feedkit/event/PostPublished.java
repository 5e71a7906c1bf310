package io.feedkit.event;

import static io.feedkit.internal.check.Arguments.nonNull;

import io.feedkit.Post;
import io.feedkit.fanout.FanoutMode;

/**
 * A post was published for the first time.
 *
 * @since 0.1.0
 */
public final class PostPublished {

    private record Values(Post post, FanoutMode mode) {}

    private final Values values;

    private PostPublished(Values values) {
        this.values = values;
    }

    /**
     * Makes an event.
     *
     * @param post the post
     * @param mode how the post reaches its readers
     * @return the event
     */
    public static PostPublished of(Post post, FanoutMode mode) {
        return new PostPublished(new Values(nonNull("post", post), nonNull("mode", mode)));
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
     * How the post reaches its readers.
     *
     * @return the mode
     */
    public FanoutMode mode() {
        return values.mode;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PostPublished that && values.equals(that.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return values.toString().replaceFirst("Values", "PostPublished");
    }
}

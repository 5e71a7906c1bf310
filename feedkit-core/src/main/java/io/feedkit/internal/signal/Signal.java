package io.feedkit.internal.signal;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.spi.KeyRange;
import java.util.Collection;
import java.util.List;

/** One change of feeds. Immutable. */
public sealed interface Signal {

    /**
     * A post is visible from now on to the followers of its author in a range.
     *
     * @param post the post
     * @param readers the range of the followers
     * @param by what makes it visible
     */
    record Visible(Post post, KeyRange readers, By by) implements Signal {

        /** Whether the followers find the post by the pulled register. */
        public boolean pulled() {
            return by == By.REGISTER;
        }
    }

    /** What makes a post visible. */
    enum By {
        /** It was inserted into inboxes. */
        INSERTION,
        /** The inboxes have it, and this insertion may not have been the first. */
        REPETITION,
        /** Its author is in the pulled register. */
        REGISTER
    }

    /**
     * Some posts of an author may be visible from now on to the author's followers in a range.
     *
     * @param author the author
     * @param readers the range of the followers
     * @param lost whether posts may have been visible before, and vanished for a while
     */
    record Changed(String author, KeyRange readers, boolean lost) implements Signal {}

    /**
     * A post was deleted.
     *
     * @param key the post
     */
    record Deleted(PostKey key) implements Signal {}

    /**
     * A reader follows or unfollowed authors. The receiver loads the followees.
     *
     * @param reader the reader
     */
    record Follows(String reader) implements Signal {}

    /**
     * A reader's inbox was repaired: posts that were missing may be visible from now on.
     *
     * @param reader the reader
     */
    record Repaired(String reader) implements Signal {}

    /**
     * A reader's seen mark changed.
     *
     * @param reader the reader
     */
    record Marked(String reader) implements Signal {}

    /** Signals that posts are visible to all followers by the pulled register. */
    static List<Signal> pulled(Collection<Post> posts) {
        return posts.stream()
                .<Signal>map(post -> new Visible(post, KeyRange.ALL, By.REGISTER))
                .toList();
    }

    /** Signals that posts are visible to their authors, in the authors' own inboxes. */
    static List<Signal> own(Collection<Post> posts) {
        return posts.stream()
                .<Signal>map(post -> new Visible(post, new KeyRange(post.author(), after(post.author())), By.INSERTION))
                .toList();
    }

    /** The lowest id above a user's. */
    static String after(String user) {
        return user + "!";
    }
}

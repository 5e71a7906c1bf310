package io.feedkit.internal.inspect;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.internal.cache.FolloweeSet;
import io.feedkit.internal.cache.RegisterView;
import io.feedkit.internal.cache.Registered;
import io.feedkit.spi.FanoutLog.FoundTask;
import java.util.List;
import java.util.Optional;

/**
 * What the stores and this engine know about a post and a reader.
 *
 * @param outbox what the outbox knows; empty if it cannot be reached
 * @param inbox the reader's inbox
 * @param edge whom the reader follows; empty if the graph cannot be reached
 * @param repairs whether the next first page reconciles the inbox, or delivers the post, before it shows the feed
 */
record PostFacts(
        String reader, PostKey key, Optional<InOutbox> outbox, InboxFacts inbox, Optional<Edge> edge, boolean repairs) {

    /**
     * What the outbox knows.
     *
     * @param post the post; empty if it is not published, or deleted
     * @param tombstone whether the post was deleted
     * @param ahead whether the outbox holds the post back until its time
     * @param register the author's registration
     * @param tasks the unfinished tasks that concern the post
     * @param whole whether all tasks were examined
     * @param settled whether all posts of the author are known to be delivered or registered
     */
    record InOutbox(
            Optional<Post> post,
            boolean tombstone,
            boolean ahead,
            RegisterView register,
            List<FoundTask> tasks,
            boolean whole,
            boolean settled) {

        /** The post, if a page can read it from the outbox. */
        Optional<Post> readable() {
            return ahead ? Optional.empty() : post;
        }

        Optional<Registered> registered(String author) {
            return Optional.ofNullable(register.registered().get(author));
        }
    }

    /**
     * Whom the reader follows.
     *
     * @param followees the followees by the graph, as far as a feed is read from them
     * @param inPages whether pages of this engine count the author among the followees
     * @param inGraph whether the graph has the edge, or the author is the reader
     */
    record Edge(FolloweeSet followees, boolean inPages, boolean inGraph) {

        boolean contains(String author) {
            return followees.authors().contains(author);
        }
    }

    boolean isOwn() {
        return reader.equals(key.author());
    }
}

package io.feedkit.inspect;

import static io.feedkit.internal.check.Arguments.nonNull;

import io.feedkit.Beta;
import io.feedkit.PostKey;
import io.feedkit.health.Health.Part;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Why a post is, or is not, in a reader's feed, as {@link io.feedkit.FeedEngine#explain} returns it. It is about a read
 * from the first page to the end of the feed, that begins now on this engine.
 *
 * @param reader the reader
 * @param post the post
 * @param reason the reason
 * @param sentence the reason in one sentence, with names and times
 * @param publishedAt the time of the post, as a page would show it; empty if the post is not found
 * @param pulled the author's entry in the pulled register; empty if there is none
 * @param tasks the unfinished tasks that concern the post: those that still have to deliver, register or retract it
 * @param inbox the reader's inbox
 * @param unreachable the parts of the store that cannot be reached, each with what is wrong, for operators: it may
 *     contain server addresses
 * @since 0.1.0
 */
@Beta
public record Explanation(
        String reader,
        PostKey post,
        Reason reason,
        String sentence,
        Optional<Instant> publishedAt,
        Optional<PulledAuthor> pulled,
        List<DeliveryTask> tasks,
        InboxState inbox,
        Map<Part, String> unreachable) {

    /** Copies the collections. */
    public Explanation {
        nonNull("reader", reader);
        nonNull("post", post);
        nonNull("reason", reason);
        nonNull("sentence", sentence);
        nonNull("publishedAt", publishedAt);
        nonNull("pulled", pulled);
        tasks = List.copyOf(nonNull("tasks", tasks));
        nonNull("inbox", inbox);
        unreachable = Map.copyOf(nonNull("unreachable", unreachable));
    }

    /**
     * Whether the feed shows the post.
     *
     * @return the verdict of the reason
     */
    public Verdict verdict() {
        return reason.verdict();
    }

    /** Whether a feed shows a post. */
    public enum Verdict {
        /** A read to the end of the feed shows the post. */
        SHOWN,
        /** A read to the end of the feed does not show the post. */
        HIDDEN,
        /** The source of truth cannot be reached. */
        UNKNOWN
    }

    /**
     * The reasons. If several hold, the first of this order is given: each of the hiding reasons alone hides the post.
     * Later versions may have further reasons.
     */
    public enum Reason {
        /** The outboxes or the follow graph cannot be reached. */
        STORE_UNREACHABLE(Verdict.UNKNOWN),
        /** The post was never published under this author and id, or was removed from the host's table. */
        NOT_FOUND(Verdict.HIDDEN),
        /** The post was deleted. */
        DELETED(Verdict.HIDDEN),
        /** The post is dated ahead, and the outbox holds it back until its time. */
        AHEAD(Verdict.HIDDEN),
        /** The reader does not follow the author. */
        NOT_FOLLOWED(Verdict.HIDDEN),
        /** The post is the reader's own, and the setting {@code ownPosts} is off. */
        OWN_POSTS_OFF(Verdict.HIDDEN),
        /** The reader follows more than {@code maxFollowees} authors, and the author is not among the first by id. */
        BEYOND_MAX_FOLLOWEES(Verdict.HIDDEN),
        /** The follow graph has the edge, but nobody reported it, and this engine still uses the earlier followees. */
        FOLLOW_NOT_REPORTED(Verdict.HIDDEN),
        /** The host's filter hides the post. */
        FILTERED(Verdict.HIDDEN),
        /** The post is shown although the graph has no edge: nobody reported the unfollow to this engine. */
        UNFOLLOW_NOT_REPORTED(Verdict.SHOWN),
        /** The inbox store cannot be reached, so that pages are read from the outboxes. */
        INBOX_UNREACHABLE(Verdict.SHOWN),
        /** There is no live inbox. Pages are read from the outboxes; the next one builds the inbox, if it can. */
        NO_INBOX(Verdict.SHOWN),
        /** The post lies below the floor of the inbox, where pages are read from the outboxes. */
        BELOW_FLOOR(Verdict.SHOWN),
        /** The post is the reader's own, and is in the reader's inbox. */
        OWN_POST(Verdict.SHOWN),
        /** The inbox holds the post. */
        IN_INBOX(Verdict.SHOWN),
        /** The inbox holds the post, but the outbox does not. A page with a loader shows it if the loader knows it. */
        ONLY_IN_INBOX(Verdict.SHOWN),
        /** A follow is pending, so that pages read the author's outbox. */
        PENDING_FOLLOW(Verdict.SHOWN),
        /** The pulled register names the post, so that pages read the author's outbox. */
        PULLED(Verdict.SHOWN),
        /** The inbox lacks the post, and the next first page adds it before it shows the feed. */
        REPAIRED_BY_NEXT_READ(Verdict.SHOWN),
        /** The task that pushes the post became a dead letter, and the author is not in the pulled register. */
        DEAD_LETTER(Verdict.HIDDEN),
        /** The push of the post has not reached the reader yet. */
        PUSH_WAITING(Verdict.HIDDEN),
        /** The post is to be pulled, and is not in the pulled register yet. */
        PULL_WAITING(Verdict.HIDDEN),
        /** The inbox should hold the post, and lacks it. A refresh repairs the inbox. */
        MISSING_FROM_INBOX(Verdict.HIDDEN);

        private final Verdict verdict;

        Reason(Verdict verdict) {
            this.verdict = verdict;
        }

        /**
         * Whether the feed shows the post.
         *
         * @return the verdict
         */
        public Verdict verdict() {
            return verdict;
        }
    }
}

package io.feedkit.internal.inspect;

import io.feedkit.Post;
import io.feedkit.inspect.Explanation.Reason;
import io.feedkit.inspect.Explanation.Verdict;
import io.feedkit.internal.inspect.PostFacts.Edge;
import io.feedkit.internal.inspect.PostFacts.InOutbox;
import io.feedkit.spi.FanoutLog.FoundTask;
import io.feedkit.spi.FanoutLog.TaskState;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Decides whether pages show a post, by the rules of {@code FeedScan}: what hides a post in every page comes first,
 * then where a page finds the post, then why it does not.
 */
final class Verdicts {

    private final PostFacts facts;
    private final Predicate<Post> filter;

    /** @param filter whether the host shows a post to the reader; asked only if nothing else hides the post */
    Verdicts(PostFacts facts, Predicate<Post> filter) {
        this.facts = facts;
        this.filter = filter;
    }

    Reason reason() {
        Optional<InOutbox> outbox = facts.outbox();
        Optional<Edge> edge = facts.edge();
        return outbox.isEmpty() || edge.isEmpty()
                ? Reason.STORE_UNREACHABLE
                : reason(outbox.get(), edge.get(), entry(outbox.get(), edge.get()));
    }

    /**
     * The inbox's entry of the post, if a page uses it. A page leaves out the entries of authors whose follow is
     * pending. A reconciliation removes an entry whose post is gone, and one whose author is not followed.
     */
    private Optional<Post> entry(InOutbox outbox, Edge edge) {
        boolean removed = facts.repairs() && (outbox.post().isEmpty() || isStrangers(edge));
        return facts.inbox().isPending(facts.key().author()) || removed
                ? Optional.empty()
                : facts.inbox().entry(facts.key());
    }

    private Reason reason(InOutbox outbox, Edge edge, Optional<Post> entry) {
        Optional<Reason> gone = gone(outbox, entry);
        if (gone.isPresent()) {
            return gone.get();
        }
        if (!edge.inPages()) {
            return unfollowed(edge);
        }
        if (!filter.test(entry.or(outbox::post).orElseThrow())) {
            return Reason.FILTERED;
        }
        Reason found = found(outbox, edge, entry);
        if (!isStrangers(edge)) {
            return found;
        }
        return found.verdict() == Verdict.SHOWN ? Reason.UNFOLLOW_NOT_REPORTED : unfollowed(edge);
    }

    /** Whether the graph does not count the author among the reader's followees. */
    private boolean isStrangers(Edge edge) {
        return !edge.contains(facts.key().author());
    }

    private Optional<Reason> gone(InOutbox outbox, Optional<Post> entry) {
        boolean retracting = outbox.registered(facts.key().author())
                .filter(registered ->
                        registered.retracting().contains(facts.key().id()))
                .isPresent();
        if (retracting || (outbox.post().isEmpty() && entry.isEmpty() && outbox.tombstone())) {
            return Optional.of(Reason.DELETED);
        }
        if (entry.isPresent()) {
            return Optional.empty();
        }
        if (outbox.post().isEmpty()) {
            return Optional.of(Reason.NOT_FOUND);
        }
        return outbox.ahead() ? Optional.of(Reason.AHEAD) : Optional.empty();
    }

    private Reason unfollowed(Edge edge) {
        if (!isStrangers(edge)) {
            return Reason.FOLLOW_NOT_REPORTED;
        }
        if (facts.isOwn()) {
            return Reason.OWN_POSTS_OFF;
        }
        return edge.inGraph() ? Reason.BEYOND_MAX_FOLLOWEES : Reason.NOT_FOLLOWED;
    }

    private Reason found(InOutbox outbox, Edge edge, Optional<Post> entry) {
        InboxFacts inbox = facts.inbox();
        if (!inbox.isReachable()) {
            return Reason.INBOX_UNREACHABLE;
        }
        if (!inbox.isLive()) {
            return Reason.NO_INBOX;
        }
        if (outbox.readable().filter(inbox::isBelowFloor).isPresent()) {
            return Reason.BELOW_FLOOR;
        }
        if (entry.isPresent()) {
            return outbox.post().isEmpty() ? Reason.ONLY_IN_INBOX : facts.isOwn() ? Reason.OWN_POST : Reason.IN_INBOX;
        }
        if (inbox.isPending(facts.key().author())) {
            return Reason.PENDING_FOLLOW;
        }
        if (outbox.readable().filter(outbox.register()::isUnpushed).isPresent()) {
            return Reason.PULLED;
        }
        return facts.repairs() && !isStrangers(edge) ? Reason.REPAIRED_BY_NEXT_READ : missing(outbox);
    }

    private Reason missing(InOutbox outbox) {
        Optional<FoundTask> awaited = PostTasks.awaited(outbox.tasks(), facts.reader());
        if (awaited.isEmpty()) {
            return outbox.whole() || outbox.settled() ? Reason.MISSING_FROM_INBOX : Reason.PUSH_WAITING;
        }
        if (awaited.get().state() == TaskState.DEAD) {
            return Reason.DEAD_LETTER;
        }
        return PostTasks.isPush(awaited.get().task()) ? Reason.PUSH_WAITING : Reason.PULL_WAITING;
    }
}

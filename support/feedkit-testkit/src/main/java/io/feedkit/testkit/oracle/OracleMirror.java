package io.feedkit.testkit.oracle;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.Published;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.internal.check.Arguments;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.SeenMarks;
import io.feedkit.spi.WritableFollowGraph;
import io.feedkit.testkit.forwarding.ForwardingFeedStore;
import io.feedkit.testkit.forwarding.ForwardingOutbox;
import io.feedkit.testkit.forwarding.ForwardingSeenMarks;
import io.feedkit.testkit.forwarding.ForwardingWritableFollowGraph;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Reports every change of the source of truth (posts, deletes, edges, marks) to an oracle when the change is made.
 * Fails if the store's answer differs from the oracle's. So the oracle is right even if the call that made the change
 * failed, crashed, or was done in part. Calls to inboxes, register and log pass through.
 *
 * <p>The store must have a writable follow graph. All changes must be made through this store, by one thread at a time.
 * Transactions cannot be joined.
 *
 * @since 0.1.0
 */
public final class OracleMirror implements ForwardingFeedStore {

    private final FeedStore delegate;
    private final OracleFeed oracle;

    private OracleMirror(FeedStore delegate, OracleFeed oracle) {
        this.delegate = delegate;
        this.oracle = oracle;
    }

    /**
     * Puts a mirror in front of a store.
     *
     * @param store an empty store
     * @param oracle an empty oracle
     * @return the store to use instead
     */
    public static OracleMirror of(FeedStore store, OracleFeed oracle) {
        Arguments.nonNull("oracle", oracle);
        Arguments.nonNull("store", store);
        return new OracleMirror(store, oracle);
    }

    @Override
    public FeedStore delegate() {
        return delegate;
    }

    @Override
    public Outbox outbox() {
        return new MirroredOutbox(delegate.outbox(), oracle);
    }

    @Override
    public Outbox outboxForFollowers() {
        return new MirroredOutbox(delegate.outboxForFollowers(), oracle);
    }

    @Override
    public FollowGraph graph() {
        if (!(delegate.graph() instanceof WritableFollowGraph graph)) {
            throw new IllegalArgumentException("store must have a writable follow graph");
        }
        return new MirroredGraph(graph, oracle);
    }

    @Override
    public SeenMarks seenMarks() {
        return new MirroredUnread(delegate.seenMarks(), oracle);
    }

    private static void same(String what, Object expected, Object answered) {
        if (!expected.equals(answered)) {
            throw new AssertionError(what + ": the store returned " + answered + ", but the oracle " + expected);
        }
    }

    private record MirroredOutbox(Outbox delegate, OracleFeed oracle) implements ForwardingOutbox {
        @Override
        public List<Appended> append(List<Publication> publications) {
            List<Appended> answers = delegate.append(publications);
            same(
                    "append " + publications,
                    publish(publications.stream().map(Publication::post).toList()),
                    answers);
            return answers;
        }

        @Override
        public List<Appended> appendImported(List<Post> posts, FanoutMode mode) {
            List<Appended> answers = delegate.appendImported(posts, mode);
            same("appendImported " + posts, publish(posts), answers);
            return answers;
        }

        private List<Appended> publish(List<Post> posts) {
            List<Appended> answers = new ArrayList<>();
            for (Post post : posts) {
                Published published = oracle.publish(post);
                answers.add(new Appended(published.status(), published.post()));
            }
            return answers;
        }

        @Override
        public List<Boolean> delete(List<PostKey> keys) {
            List<Boolean> answers = delegate.delete(keys);
            same("delete " + keys, keys.stream().map(oracle::delete).toList(), answers);
            return answers;
        }
    }

    private record MirroredGraph(WritableFollowGraph delegate, OracleFeed oracle)
            implements ForwardingWritableFollowGraph {
        @Override
        public List<Boolean> add(List<Edge> edges) {
            List<Boolean> answers = delegate.add(edges);
            same(
                    "add " + edges,
                    edges.stream()
                            .map(edge -> oracle.follow(edge.reader(), edge.author()))
                            .toList(),
                    answers);
            return answers;
        }

        @Override
        public List<Boolean> remove(List<Edge> edges) {
            List<Boolean> answers = delegate.remove(edges);
            same(
                    "remove " + edges,
                    edges.stream()
                            .map(edge -> oracle.unfollow(edge.reader(), edge.author()))
                            .toList(),
                    answers);
            return answers;
        }

        @Override
        public List<Redirection> redirect(List<Edge> edges, String author) {
            List<Redirection> answers = delegate.redirect(edges, author);
            same(
                    "redirect " + edges + " to " + author,
                    edges.stream()
                            .map(edge -> redirect(edge.reader(), edge.author(), author))
                            .toList(),
                    answers);
            return answers;
        }

        private Redirection redirect(String reader, String from, String to) {
            if (!oracle.unfollow(reader, from)) {
                return Redirection.ABSENT;
            }
            return oracle.follow(reader, to) ? Redirection.MOVED : Redirection.MERGED;
        }
    }

    private record MirroredUnread(SeenMarks delegate, OracleFeed oracle) implements ForwardingSeenMarks {
        @Override
        public void markSeen(List<Seen> seen) {
            delegate.markSeen(seen);
            seen.forEach(mark -> oracle.markSeen(mark.reader(), mark.posts()));
        }

        @Override
        public void forget(Collection<String> readers) {
            delegate.forget(readers);
            readers.forEach(oracle::forgetSeen);
        }
    }
}

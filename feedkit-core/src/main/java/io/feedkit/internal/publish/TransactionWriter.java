package io.feedkit.internal.publish;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.PublishTransaction;
import io.feedkit.Published;
import io.feedkit.event.PostPublished;
import io.feedkit.internal.host.Wakeable;
import io.feedkit.internal.transaction.CommitWatch;
import io.feedkit.internal.transaction.OwnPostDelivery;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.OutboxWriter;
import io.feedkit.spi.TransactionalOutbox;
import java.util.ArrayList;
import java.util.List;

/**
 * Publishes and deletes in transactions of the host. What is written is not committed yet, so it is neither delivered
 * nor hidden here. The workers, and a read by the author, do so after the commit. Thread-safe.
 */
public final class TransactionWriter {

    private final Outbox outbox;
    private final PostTimes times;
    private final FanoutDecisions decisions;
    private final OwnPostDelivery ownPosts;
    private final CommitWatch commits;
    private final Wakeable workers;

    public TransactionWriter(
            Outbox outbox,
            PostTimes times,
            FanoutDecisions decisions,
            OwnPostDelivery ownPosts,
            CommitWatch commits,
            Wakeable workers) {
        this.outbox = outbox;
        this.times = times;
        this.decisions = decisions;
        this.ownPosts = ownPosts;
        this.commits = commits;
        this.workers = workers;
    }

    List<Published> publish(List<Post> posts, PublishTransaction transaction) {
        TransactionalOutbox transactional = transactional();
        OutboxWriter joined = transactional.joining(transaction);
        List<Published> published = new ArrayList<>(posts.size());
        for (Appending answer :
                Appending.append(joined, decisions.decide(times.admit(posts), transaction, transactional))) {
            if (answer.isNew()) {
                Post post = answer.appended().post();
                if (!answer.isAhead()) {
                    ownPosts.remember(post);
                }
                commits.published(PostPublished.of(post, answer.mode()), times.now());
            }
            published.add(answer.published());
        }
        workers.wakeSoon();
        return published;
    }

    /** Like other engines, this engine removes the posts from its caches when it notices the commit. */
    List<Boolean> delete(List<PostKey> keys, PublishTransaction transaction) {
        List<Boolean> existed = transactional().joining(transaction).delete(keys);
        for (int i = 0; i < keys.size(); i++) {
            if (existed.get(i)) {
                commits.deleted(keys.get(i), times.now());
            }
        }
        workers.wakeSoon();
        return existed;
    }

    /** Throws {@link IllegalArgumentException} if posts could not be published in the transaction. */
    public void requireJoinable(PublishTransaction transaction) {
        transactional().joining(transaction);
    }

    private TransactionalOutbox transactional() {
        if (outbox instanceof TransactionalOutbox transactional) {
            return transactional;
        }
        throw new IllegalArgumentException("transaction must be of the store's own kind, but the outbox of this store ("
                + outbox.getClass().getSimpleName()
                + ") does not take part in transactions: publish and delete after the commit, or keep the posts in"
                + " SQL");
    }
}

package io.feedkit.internal.publish;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.PublishTransaction;
import io.feedkit.Published;
import io.feedkit.event.OperationStarted.Kind;
import io.feedkit.internal.host.GuardedListener;
import io.feedkit.internal.host.Wakeable;
import java.util.List;
import java.util.Optional;

/** The write path: it chooses whether posts are written in a transaction of the host. Thread-safe. */
public final class PostWriter {

    private final PublishTransaction.Current transactions;
    private final Publisher publisher;
    private final Deleter deleter;
    private final TransactionWriter joined;
    private final GuardedListener listener;
    private final Wakeable workers;

    public PostWriter(
            PublishTransaction.Current transactions,
            Publisher publisher,
            Deleter deleter,
            TransactionWriter joined,
            GuardedListener listener,
            Wakeable workers) {
        this.transactions = transactions;
        this.publisher = publisher;
        this.deleter = deleter;
        this.joined = joined;
        this.listener = listener;
        this.workers = workers;
    }

    /** Publishes in the transaction that the calling thread is in, or on its own if there is none. */
    public List<Published> publish(List<Post> posts) {
        Optional<PublishTransaction> transaction = transactions.find();
        if (transaction.isEmpty()) {
            return listener.observe(Kind.PUBLISH, posts.size(), () -> publisher.publish(posts));
        }
        List<Published> published = publish(posts, transaction.get());
        transactions.afterCommit(workers::wake);
        return published;
    }

    /** Publishes posts in a transaction of the host. */
    public List<Published> publish(List<Post> posts, PublishTransaction transaction) {
        return listener.observe(Kind.PUBLISH, posts.size(), () -> joined.publish(posts, transaction));
    }

    /** Publishes earlier posts, with few tasks for each author. */
    public List<Published> importPosts(List<Post> posts) {
        return listener.observe(Kind.PUBLISH, posts.size(), () -> publisher.importPosts(posts));
    }

    /** Deletes in the transaction that the calling thread is in, or on its own if there is none. */
    public List<Boolean> delete(List<PostKey> keys) {
        Optional<PublishTransaction> transaction = transactions.find();
        if (transaction.isEmpty()) {
            return deleter.delete(keys);
        }
        List<Boolean> existed = delete(keys, transaction.get());
        transactions.afterCommit(() -> deleter.hide(keys));
        return existed;
    }

    /** Deletes posts in a transaction of the host. */
    public List<Boolean> delete(List<PostKey> keys, PublishTransaction transaction) {
        return joined.delete(keys, transaction);
    }
}

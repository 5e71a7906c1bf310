package io.feedkit.memory;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.PublishTransaction;
import io.feedkit.Published;
import io.feedkit.spi.Outbox.Appended;
import io.feedkit.spi.Outbox.Publication;
import io.feedkit.spi.OutboxWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A transaction on an {@link InMemoryFeedStore}, for tests of hosts that publish inside their own transactions. Its
 * publishes and deletes take effect all at once when it commits, and never if it does not commit.
 *
 * <p>Its answers are computed from the committed posts and from the transaction's own changes. If another commit
 * publishes the same post first, that post stays, and this commit does not change it. A transaction holds changes to
 * posts of at most {@value #MAX_AUTHORS} authors. A change for one more author throws an {@link IllegalStateException}
 * and changes nothing. For one thread at a time.
 *
 * @since 0.1.0
 */
public final class InMemoryTransaction implements PublishTransaction, AutoCloseable {

    /** The most authors whose posts one transaction may change: a commit locks all of them at once. */
    public static final int MAX_AUTHORS = 1000;

    private enum State {
        OPEN,
        COMMITTED,
        ROLLED_BACK
    }

    private final MemoryOutbox outbox;
    private final List<Runnable> changes = new ArrayList<>();
    private final Set<String> authors = new HashSet<>();
    private final Map<PostKey, Appended> buffered = new HashMap<>();
    private State state = State.OPEN;

    InMemoryTransaction(MemoryOutbox outbox) {
        this.outbox = outbox;
    }

    /**
     * Applies all changes at once.
     *
     * @throws IllegalStateException if the transaction is over
     */
    public void commit() {
        requireOpen();
        state = State.COMMITTED;
        outbox.locking(authors, () -> changes.forEach(Runnable::run));
    }

    /**
     * Discards all changes.
     *
     * @throws IllegalStateException if the transaction is over
     */
    public void rollback() {
        requireOpen();
        state = State.ROLLED_BACK;
    }

    /** Rolls back, unless the transaction is over. */
    @Override
    public void close() {
        if (state == State.OPEN) {
            rollback();
        }
    }

    /**
     * Describes the state of this transaction.
     *
     * @return a short description
     */
    @Override
    public String toString() {
        return "InMemoryTransaction[" + state + ", changes=" + changes.size() + "]";
    }

    boolean isOf(MemoryOutbox other) {
        return outbox.isViewOf(other);
    }

    boolean isOver() {
        return state != State.OPEN;
    }

    private Appended append(Publication publication, MemoryOutbox view) {
        requireOpen();
        Post post = publication.post();
        Appended answer = check(post);
        if (answer.status() == Published.Status.NEW) {
            addAuthor(post.author());
            buffered.put(post.key(), answer);
            changes.add(() -> view.append(publication));
        }
        return answer;
    }

    /** Deletes a post. If there is none, but an archived one is given, deletes that. */
    boolean delete(PostKey key, Optional<Post> archived, MemoryOutbox view) {
        requireOpen();
        Published.Status before = check(probe(key)).status();
        addAuthor(key.author());
        buffered.put(key, new Appended(Published.Status.DELETED, probe(key)));
        changes.add(() -> view.delete(key, archived));
        return before == Published.Status.SAME || (before == Published.Status.NEW && archived.isPresent());
    }

    /** The post of a key that has been published or deleted; empty if it was deleted. */
    Optional<Optional<Post>> known(PostKey key) {
        requireOpen();
        Appended answer = check(probe(key));
        return switch (answer.status()) {
            case SAME -> Optional.of(Optional.of(answer.post()));
            case DELETED -> Optional.of(Optional.empty());
            case NEW -> Optional.empty();
        };
    }

    private static Post probe(PostKey key) {
        return new Post(key.author(), key.id(), Post.EARLIEST);
    }

    private void addAuthor(String author) {
        if (authors.size() == MAX_AUTHORS && !authors.contains(author)) {
            throw new IllegalStateException(
                    "transaction must not change posts of more than " + MAX_AUTHORS + " authors");
        }
        authors.add(author);
    }

    private Appended check(Post post) {
        @Nullable Appended own = buffered.get(post.key());
        if (own == null) {
            return outbox.check(post);
        }
        return own.status() == Published.Status.NEW
                ? new Appended(Published.Status.SAME, own.post())
                : new Appended(Published.Status.DELETED, post);
    }

    private void requireOpen() {
        if (state != State.OPEN) {
            throw new IllegalStateException("transaction is over: " + this);
        }
    }

    /** Returns a writer to this transaction. At the commit, its changes are written to a view of the outbox. */
    OutboxWriter writer(MemoryOutbox view) {
        return new Writer(this, view);
    }

    /** Writes to a transaction, which writes to a view of the outbox at its commit. */
    private record Writer(InMemoryTransaction transaction, MemoryOutbox view) implements OutboxWriter {

        @Override
        public List<Appended> append(List<Publication> publications) {
            List<Appended> answers = new ArrayList<>(publications.size());
            for (Publication publication : publications) {
                answers.add(transaction.append(publication, view));
            }
            return Collections.unmodifiableList(answers);
        }

        @Override
        public List<Boolean> delete(List<PostKey> keys) {
            List<Boolean> answers = new ArrayList<>(keys.size());
            for (PostKey key : keys) {
                answers.add(transaction.delete(key, Optional.empty(), view));
            }
            return Collections.unmodifiableList(answers);
        }
    }
}

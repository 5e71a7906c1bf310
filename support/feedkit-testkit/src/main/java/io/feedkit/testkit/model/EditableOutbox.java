package io.feedkit.testkit.model;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.Published;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import io.feedkit.testkit.forwarding.ForwardingFanoutLog;
import io.feedkit.testkit.forwarding.ForwardingOutbox;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * An outbox in memory whose posts are rows of the host: the host can change their times. The tasks keep the times that
 * posts had when they were published. One thread at a time.
 */
final class EditableOutbox implements ForwardingOutbox {

    private final Outbox delegate;
    private final Map<PostKey, Post> rows = new LinkedHashMap<>();
    private final Set<PostKey> edited = new HashSet<>();

    /** The outbox that answers reads: the delegate until the first edit, then an outbox of the rows. */
    private Outbox read;

    EditableOutbox(Outbox delegate) {
        this.delegate = delegate;
        this.read = delegate;
    }

    /** Changes the time of a post that exists. */
    void edit(Post moved) {
        rows.replace(moved.key(), moved);
        edited.add(moved.key());
        read = InMemoryFeedStore.create().outbox();
        read.append(rows.values().stream().map(EditableOutbox::row).toList());
    }

    private static Publication row(Post post) {
        return new Publication(post, FanoutMode.PUSH);
    }

    @Override
    public Outbox delegate() {
        return delegate;
    }

    @Override
    public List<Appended> append(List<Publication> publications) {
        return asEdited(delegate.append(publications));
    }

    @Override
    public List<Appended> appendImported(List<Post> posts, FanoutMode mode) {
        return asEdited(delegate.appendImported(posts, mode));
    }

    private List<Appended> asEdited(List<Appended> appended) {
        List<Appended> answers = new ArrayList<>();
        for (Appended answer : appended) {
            Post post = answer.post();
            if (answer.status() == Published.Status.NEW) {
                rows.put(post.key(), post);
                if (read != delegate) {
                    read.append(List.of(row(post)));
                }
            }
            answers.add(
                    answer.status() == Published.Status.SAME
                            ? new Appended(Published.Status.SAME, rows.getOrDefault(post.key(), post))
                            : answer);
        }
        return answers;
    }

    @Override
    public List<Boolean> delete(List<PostKey> keys) {
        keys.forEach(rows::remove);
        if (read != delegate) {
            read.delete(keys);
        }
        return delegate.delete(keys);
    }

    @Override
    public List<List<Post>> newest(List<String> authors, PositionRange range, int each) {
        return read.newest(authors, range, each);
    }

    @Override
    public List<Post> page(PageQuery query) {
        return read.page(query);
    }

    @Override
    public Map<PostKey, Post> existing(Collection<PostKey> keys) {
        return read.existing(keys);
    }

    @Override
    public List<Optional<List<Post>>> appendedSince(List<String> authors, long since, Position from, int each) {
        return read == delegate
                ? delegate.appendedSince(authors, since, from, each)
                : authors.stream().map(author -> Optional.<List<Post>>empty()).toList();
    }

    @Override
    public Optional<Set<PostKey>> deletedSince(Collection<String> authors, long since, int each) {
        return read == delegate ? delegate.deletedSince(authors, since, each) : Optional.empty();
    }

    @Override
    public List<Counted> count(List<CountQuery> queries) {
        return read.count(queries);
    }

    @Override
    public FanoutLog fanout() {
        return new Log(delegate.fanout(), edited);
    }

    /** Retractions of posts that were edited name no time: inboxes may hold the posts at any of their times. */
    private record Log(FanoutLog delegate, Set<PostKey> edited) implements ForwardingFanoutLog {

        @Override
        public List<Claim> claim(int max, long leaseMillis) {
            return delegate.claim(max, leaseMillis).stream().map(this::timeless).toList();
        }

        @Override
        public List<Optional<Claim>> take(List<Loan> loans, long leaseMillis) {
            return delegate.take(loans, leaseMillis).stream()
                    .map(claim -> claim.map(this::timeless))
                    .toList();
        }

        private Claim timeless(Claim claim) {
            Task task = claim.task();
            boolean retracts = task.kind() == Kind.RETRACT || task.kind() == Kind.RETRACT_LATER;
            if (!retracts || !edited.contains(task.key())) {
                return claim;
            }
            Position place = Position.ofUnknownTime(task.key());
            return new Claim(
                    new Task(
                            task.id(),
                            task.kind(),
                            place,
                            place,
                            task.version(),
                            task.range(),
                            task.after(),
                            task.attempts(),
                            task.outage(),
                            task.created()),
                    claim.lease());
        }
    }
}

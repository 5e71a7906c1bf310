package io.feedkit.testkit.forwarding;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.spi.ArchiveSource;
import io.feedkit.spi.EventRecording;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import io.feedkit.spi.PulledRegister;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * An outbox that passes every call on. Implement {@link #delegate()} and override the calls that should behave
 * differently: a fault, a count, a delay. {@link #pulled()} and {@link #fanout()} hand out the delegate's own.
 *
 * @since 0.1.0
 */
public interface ForwardingOutbox extends Outbox {

    /**
     * The target of the calls.
     *
     * @return the decorated part
     */
    Outbox delegate();

    @Override
    default List<Appended> append(List<Publication> publications) {
        return delegate().append(publications);
    }

    @Override
    default List<Appended> appendImported(List<Post> posts, FanoutMode mode) {
        return delegate().appendImported(posts, mode);
    }

    @Override
    default List<Boolean> delete(List<PostKey> keys) {
        return delegate().delete(keys);
    }

    @Override
    default String identity() {
        return delegate().identity();
    }

    @Override
    default boolean holdsBack() {
        return delegate().holdsBack();
    }

    @Override
    default List<List<Post>> newest(List<String> authors, PositionRange range, int each) {
        return delegate().newest(authors, range, each);
    }

    @Override
    default List<Post> page(PageQuery query) {
        return delegate().page(query);
    }

    @Override
    default Map<PostKey, Post> existing(Collection<PostKey> keys) {
        return delegate().existing(keys);
    }

    @Override
    default Set<PostKey> tombstones(Collection<PostKey> keys) {
        return delegate().tombstones(keys);
    }

    @Override
    default List<Counted> count(List<CountQuery> queries) {
        return delegate().count(queries);
    }

    @Override
    default List<Optional<List<Post>>> appendedSince(List<String> authors, long since, Position from, int each) {
        return delegate().appendedSince(authors, since, from, each);
    }

    @Override
    default Optional<Set<PostKey>> deletedSince(Collection<String> authors, long since, int each) {
        return delegate().deletedSince(authors, since, each);
    }

    @Override
    default Map<String, Long> lastAppended(Collection<String> authors) {
        return delegate().lastAppended(authors);
    }

    @Override
    default long settledMark() {
        return delegate().settledMark();
    }

    @Override
    default PulledRegister pulled() {
        return delegate().pulled();
    }

    @Override
    default FanoutLog fanout() {
        return delegate().fanout();
    }

    /** The delegate's own view and log. */
    @Override
    default Optional<EventRecording> recordingEvents() {
        return delegate().recordingEvents();
    }

    @Override
    default void forEachAuthor(Predicate<List<String>> visitor) {
        delegate().forEachAuthor(visitor);
    }

    /** The delegate's own view. */
    @Override
    default Optional<ArchiveSource> archiveSource() {
        return delegate().archiveSource();
    }
}

package io.feedkit.internal.archive;

import static java.util.stream.Collectors.toSet;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.spi.ArchiveSource;
import io.feedkit.spi.EventRecording;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import io.feedkit.spi.PostArchive;
import io.feedkit.spi.PulledRegister;
import io.feedkit.spi.TransactionalOutbox;
import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * An outbox whose old posts are in an archive. Its answers are those of an outbox that still has all posts.
 *
 * <p>If posts are rows of a host's own table, the host's table answers all reads, and the archive only remembers which
 * posts were published. Thread-safe.
 */
public class ArchivedOutbox implements Outbox {

    /** What both kinds of archived outboxes need. */
    record Parts(ArchiveSource source, PostArchive archive, ArchiveBoundary boundary, Clock clock) {}

    private final Outbox outbox;
    private final Parts parts;
    private final ArchivedWriter writer;
    private final TieredReads reads;
    private final boolean readsArchive;

    ArchivedOutbox(Outbox outbox, Parts parts) {
        this.outbox = outbox;
        this.parts = parts;
        this.writer = new ArchivedWriter(
                outbox, parts.source(), parts.archive()::existing, parts.boundary()::afterRead, parts.clock());
        this.reads = new TieredReads(outbox, parts.source(), parts.archive(), parts.boundary());
        this.readsArchive = !outbox.holdsBack();
    }

    /**
     * Puts an outbox and an archive together.
     *
     * @param clock the clock that stamps posts
     * @return a {@link TransactionalOutbox} if the outbox is one
     * @throws IllegalArgumentException if the outbox keeps all its posts
     */
    public static ArchivedOutbox of(Outbox outbox, PostArchive archive, Clock clock) {
        return of(outbox, archive, clock, System::nanoTime);
    }

    /** As {@link #of(Outbox, PostArchive, Clock)}, with a settable {@link System#nanoTime}. */
    public static ArchivedOutbox of(Outbox outbox, PostArchive archive, Clock clock, LongSupplier nanoTime) {
        ArchiveSource source = source(outbox);
        return over(outbox, new Parts(source, archive, new ArchiveBoundary(source, nanoTime), clock));
    }

    /** The view of an outbox from which posts can move. */
    static ArchiveSource source(Outbox outbox) {
        return outbox.archiveSource()
                .orElseThrow(() -> new IllegalArgumentException("archive needs an outbox whose posts can move, but the "
                        + "outbox of this store (" + outbox.getClass().getSimpleName()
                        + ") keeps them: keep the outbox in SQL or in memory, or leave archive out"));
    }

    private static ArchivedOutbox over(Outbox outbox, Parts parts) {
        return outbox instanceof TransactionalOutbox transactional
                ? new TransactionalArchivedOutbox(transactional, parts)
                : new ArchivedOutbox(outbox, parts);
    }

    @Override
    public Optional<EventRecording> recordingEvents() {
        return outbox.recordingEvents()
                .map(recording -> new EventRecording(
                        over(
                                recording.outbox(),
                                new Parts(
                                        source(recording.outbox()), parts.archive(), parts.boundary(), parts.clock())),
                        recording.log()));
    }

    /** None: its posts have an archive already. */
    @Override
    public Optional<ArchiveSource> archiveSource() {
        return Optional.empty();
    }

    /**
     * Of the entries of inboxes, those whose key has a row with another time, or a tombstone. Asks the outbox about
     * entries below the boundary only, and nothing if there are none.
     */
    public Set<Post> replaced(Collection<Post> entries) {
        long boundary = readsArchive && !entries.isEmpty() ? parts.boundary().afterRead() : 0;
        List<Post> old = entries.stream()
                .filter(post -> post.publishedAt().toEpochMilli() < boundary)
                .toList();
        if (old.isEmpty()) {
            return Set.of();
        }
        Map<PostKey, Optional<Post>> rows =
                parts.source().known(old.stream().map(Post::key).toList());
        return old.stream()
                .filter(post -> rows.containsKey(post.key())
                        && rows.get(post.key()).filter(post::equals).isEmpty())
                .collect(toSet());
    }

    /** The time below which posts may have left the outbox; {@code 0} if none has. */
    public long boundary() {
        return parts.boundary().afterRead();
    }

    @Override
    public String identity() {
        return outbox.identity();
    }

    @Override
    public List<Appended> append(List<Publication> publications) {
        return writer.append(publications);
    }

    @Override
    public List<Appended> appendImported(List<Post> posts, FanoutMode mode) {
        return writer.append(posts, Function.identity(), fresh -> outbox.appendImported(fresh, mode));
    }

    @Override
    public List<Boolean> delete(List<PostKey> keys) {
        return writer.delete(keys);
    }

    @Override
    public List<List<Post>> newest(List<String> authors, PositionRange range, int each) {
        return readsArchive ? reads.newest(authors, range, each) : outbox.newest(authors, range, each);
    }

    @Override
    public List<Post> page(PageQuery query) {
        return readsArchive ? reads.page(query) : outbox.page(query);
    }

    @Override
    public Map<PostKey, Post> existing(Collection<PostKey> keys) {
        return readsArchive ? reads.existing(keys) : outbox.existing(keys);
    }

    /** The tombstone of an archived post is in the outbox, too. */
    @Override
    public Set<PostKey> tombstones(Collection<PostKey> keys) {
        return outbox.tombstones(keys);
    }

    /** Leaves out authors all of whose posts are archived. */
    @Override
    public void forEachAuthor(Predicate<List<String>> visitor) {
        outbox.forEachAuthor(visitor);
    }

    @Override
    public List<Counted> count(List<CountQuery> queries) {
        return readsArchive ? reads.count(queries) : outbox.count(queries);
    }

    /** The archive has only settled posts, so the rows of the outbox are enough. */
    @Override
    public Map<String, Long> lastAppended(Collection<String> authors) {
        return outbox.lastAppended(authors);
    }

    /** Without posts that have moved since: nobody knows when they were appended. They are below {@link #boundary}. */
    @Override
    public List<Optional<List<Post>>> appendedSince(List<String> authors, long since, Position from, int each) {
        return outbox.appendedSince(authors, since, from, each);
    }

    /** The tombstone of an archived post is in the outbox, too. */
    @Override
    public Optional<Set<PostKey>> deletedSince(Collection<String> authors, long since, int each) {
        return outbox.deletedSince(authors, since, each);
    }

    @Override
    public long settledMark() {
        return outbox.settledMark();
    }

    @Override
    public boolean holdsBack() {
        return outbox.holdsBack();
    }

    @Override
    public PulledRegister pulled() {
        return new ArchivedRegister(outbox.pulled(), parts.archive(), parts.boundary());
    }

    @Override
    public FanoutLog fanout() {
        return outbox.fanout();
    }
}

package io.feedkit.internal.archive;

import static java.util.stream.Collectors.toSet;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.StoreUnavailableException;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.spi.ArchiveSource;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Outbox.PageQuery;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import io.feedkit.spi.PostArchive;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Moves old posts from an outbox to its archive, in steps. A pass over all authors is many steps; each looks at one
 * batch of old rows.
 *
 * <p>(1) The boundary is raised, and a pass goes only up to a boundary that all engines know. (2) The batch is copied,
 * and (3) looked up in the archive. (4) Rows that have not changed are removed from the outbox. (5) Of the others,
 * those that were deleted meanwhile are removed from the archive. A mover that dies in between leaves copies, which do
 * not count while the outbox has a row of the key. The next pass moves them again. If a delete came before the copy,
 * and the mover died after it, the delete's retraction removes the copy.
 *
 * <p>Any number of movers may work on one outbox. Not thread-safe.
 */
public final class ArchiveMover {

    /** How many authors' rows are searched with one query. */
    private static final int AUTHORS_AT_ONCE = 100;

    private static final long NANOS_PER_SECOND = Duration.ofSeconds(1).toNanos();

    /**
     * What a step did.
     *
     * @param moved how many posts it moved
     * @param pause how long to wait before the next step
     * @param passEnded whether it was the last step of a pass
     */
    public record Step(int moved, Duration pause, boolean passEnded) {}

    /** Where a pass is: some authors, and the position in their merged rows. */
    private record Place(List<String> authors, Position from) {

        private Place at(Position position) {
            return new Place(authors, position);
        }

        private String lastAuthor() {
            return authors.get(authors.size() - 1);
        }
    }

    private final EngineSettings engine;
    private final EngineSettings.Archive settings;
    private final Outbox outbox;
    private final ArchiveSource source;
    private final PostArchive archive;
    private final LongSupplier nanoTime;
    private final KnownBoundary boundary;
    private long below;
    private Optional<Place> place = Optional.empty();

    public ArchiveMover(EngineSettings engine, EngineSettings.Archive settings, Outbox outbox, LongSupplier nanoTime) {
        this.engine = engine;
        this.settings = settings;
        this.outbox = outbox;
        this.source = ArchivedOutbox.source(outbox);
        this.archive = settings.archive();
        this.nanoTime = nanoTime;
        this.boundary = new KnownBoundary(nanoTime);
    }

    /** The time before which posts are old enough. */
    long due() {
        return engine.now() - settings.after().toMillis();
    }

    /** The time before which this pass, or the last one, moves posts; {@code 0} if there was none. */
    long below() {
        return below;
    }

    /**
     * Takes the next step. If it fails, the next call takes the same step again.
     *
     * @throws StoreUnavailableException if the outbox or the archive cannot be reached
     */
    public Step step() {
        long began = nanoTime.getAsLong();
        Optional<Place> here = place.isPresent() ? place : begin();
        if (here.isEmpty()) {
            return idle();
        }
        long settled = outbox.settledMark();
        List<Post> old = source.page(new PageQuery(
                Set.copyOf(here.get().authors()),
                new PositionRange(here.get().from(), new Position(below, "", "")),
                Order.OLDEST_FIRST,
                settings.batchSize()));
        int moved = move(source.movable(old, settled), settled, began);
        place = old.size() < settings.batchSize()
                ? after(here.get().lastAuthor())
                : Optional.of(here.get().at(Position.of(old.get(old.size() - 1)).next()));
        return new Step(moved, pause(moved, nanoTime.getAsLong() - began), place.isEmpty());
    }

    private Optional<Place> begin() {
        long due = due();
        long known = due <= 0 ? 0 : boundary.see(source.raiseBoundary(due));
        if (known == 0) {
            return Optional.empty();
        }
        below = Math.min(known, due);
        return after("");
    }

    private Optional<Place> after(String author) {
        List<String> authors = source.authors(author, AUTHORS_AT_ONCE);
        return authors.isEmpty() ? Optional.empty() : Optional.of(new Place(authors, Position.LOWEST));
    }

    /** No pass could begin: there are no rows, or no boundary is known to all engines yet. */
    private Step idle() {
        Duration left = boundary.left();
        Duration interval = settings.interval();
        boolean waits = !left.isZero() && left.compareTo(interval) < 0;
        return new Step(0, waits ? left : interval, below > 0);
    }

    /** The pause keeps the rate, and no more than half of the time is spent in steps. */
    private Duration pause(int moved, long tookNanos) {
        long share = moved * NANOS_PER_SECOND / settings.postsPerSecond();
        Duration between = Duration.ofNanos(Math.max(tookNanos, share - tookNanos));
        return place.isPresent() ? between : settings.interval();
    }

    private int move(List<Post> posts, long settled, long began) {
        if (posts.isEmpty()) {
            return 0;
        }
        requireRecent(began);
        archive.store(posts);
        confirm(posts);
        Set<Post> removed = new HashSet<>(source.remove(posts, settled));
        deleteTombstoned(posts.stream()
                .filter(post -> !removed.contains(post))
                .map(Post::key)
                .toList());
        return removed.size();
    }

    /** Drops a batch that was listed long ago: the retraction of a delete since then may have ended. */
    private void requireRecent(long began) {
        Duration listed = Duration.ofNanos(nanoTime.getAsLong() - began);
        if (listed.compareTo(engine.fanout().tasks().lease()) >= 0) {
            throw new IllegalStateException("the list of posts to archive is " + listed + " old, longer than a lease ("
                    + engine.fanout().tasks().lease() + "); the batch is listed again");
        }
    }

    private void confirm(List<Post> posts) {
        Map<PostKey, Post> stored =
                archive.existing(posts.stream().map(Post::key).toList());
        List<Post> missing = posts.stream()
                .filter(post -> !post.equals(stored.get(post.key())))
                .toList();
        if (!missing.isEmpty()) {
            throw new IllegalStateException("the archive has not stored " + missing.size() + " of " + posts.size()
                    + " posts, such as " + missing.get(0) + "; they stay in the outbox");
        }
    }

    private void deleteTombstoned(List<PostKey> left) {
        if (left.isEmpty()) {
            return;
        }
        Set<PostKey> tombstoned = source.known(left).entrySet().stream()
                .filter(row -> row.getValue().isEmpty())
                .map(Map.Entry::getKey)
                .collect(toSet());
        if (!tombstoned.isEmpty()) {
            archive.delete(tombstoned);
        }
    }
}

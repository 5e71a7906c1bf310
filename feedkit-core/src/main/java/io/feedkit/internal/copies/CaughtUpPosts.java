package io.feedkit.internal.copies;

import io.feedkit.Post;
import io.feedkit.internal.cache.FolloweeSet;
import io.feedkit.internal.collect.NewestPosts;
import io.feedkit.internal.copies.ReaderCopy.BuiltPosts;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Position;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Brings copies up to date. A copy has what the outboxes had at its mark. So what is missing was appended since, or is
 * of authors who are followed since; what is too much is of authors who are not followed any more, or was deleted. The
 * caller looks for deleted posts after it has inserted the posts, as after every insertion. Thread-safe.
 */
final class CaughtUpPosts {

    /** More new followees than this would cost as much as a build without the copy. */
    static final int MOST_NEW_FOLLOWEES = 50;

    /** How far a store's clock, which times appends and marks, may be set back. */
    private static final long SET_BACK_MILLIS = 300_000;

    private static final int AUTHORS_AT_ONCE = 200;

    /** Up to how many posts an author may have appended since; of others, all posts are read. */
    private static final int SINCE_EACH = 50;

    private final EngineSettings.Copying settings;
    private final Outbox outbox;
    private final LongSupplier archiveBoundary;

    /** @param archiveBoundary below this time, posts may have left the outbox; {@code 0} if there is no archive */
    CaughtUpPosts(EngineSettings.Copying settings, Outbox outbox, LongSupplier archiveBoundary) {
        this.settings = settings;
        this.outbox = outbox;
        this.archiveBoundary = archiveBoundary;
    }

    /**
     * The newest posts of the followees, as far down as the copy goes.
     *
     * @param mark the outbox's settled mark, read before the followees
     * @return empty if the copy cannot be used
     */
    Optional<BuiltPosts> of(Copy copy, FolloweeSet followees, long mark) {
        List<String> added = new ArrayList<>();
        List<String> known = new ArrayList<>();
        followees.authors().forEach(author -> (copy.hasFollowee(author) ? known : added).add(author));
        boolean isUsable = followees.isWhole()
                && added.size() <= MOST_NEW_FOLLOWEES
                && mark >= copy.mark() - SET_BACK_MILLIS
                && mark - copy.mark() <= settings.lifetime().toMillis()
                && !isBeforeLoss(copy.mark());
        // Posts in a host's own table may have changed without an append: the older mark lets the inbox be compared
        // soon.
        long shown = outbox.holdsBack() ? Math.min(mark, copy.mark()) : mark;
        return isUsable
                ? Optional.of(new BuiltPosts(caughtUp(copy, known, added), shown, Math.min(mark, copy.mark())))
                : Optional.empty();
    }

    /**
     * Whether posts may have been lost, or have come back, that the copy has or lacks. An operator declares that, after
     * a restore.
     */
    private boolean isBeforeLoss(long mark) {
        long loss = outbox.fanout().latestLoss();
        return loss > 0 && mark < loss + SET_BACK_MILLIS;
    }

    private NewestPosts caughtUp(Copy copy, List<String> known, List<String> added) {
        Set<String> wanted = new HashSet<>(known);
        Union union = new Union(copy.floor());
        copy.posts().stream().filter(post -> wanted.contains(post.author())).forEach(union.posts::add);
        union.add(NewestPosts.collect(outbox, added, copy.floor(), settings.depth()));
        for (int from = 0; from < known.size(); from += AUTHORS_AT_ONCE) {
            addSince(copy, known.subList(from, Math.min(known.size(), from + AUTHORS_AT_ONCE)), union);
        }
        // A post that was appended late may have moved to the archive, where nobody knows when it was appended.
        union.raise(new Position(archiveBoundary.getAsLong(), "", ""));
        return union.newest(settings.depth());
    }

    private void addSince(Copy copy, List<String> authors, Union union) {
        List<Optional<List<Post>>> since =
                outbox.appendedSince(authors, copy.mark() - SET_BACK_MILLIS, copy.floor(), SINCE_EACH);
        List<String> many = new ArrayList<>();
        for (int i = 0; i < authors.size(); i++) {
            String author = authors.get(i);
            since.get(i).ifPresentOrElse(union.posts::addAll, () -> many.add(author));
        }
        union.add(NewestPosts.collect(outbox, many, copy.floor(), settings.depth()));
    }

    /** Posts, and the lowest position down to which they are complete. */
    private static final class Union {

        private final Set<Post> posts = new HashSet<>();
        private Position floor;

        Union(Position floor) {
            this.floor = floor;
        }

        void add(NewestPosts more) {
            posts.addAll(more.posts());
            raise(more.floor());
        }

        void raise(Position other) {
            floor = Position.max(floor, other);
        }

        NewestPosts newest(int depth) {
            return NewestPosts.of(posts, floor, depth);
        }
    }
}

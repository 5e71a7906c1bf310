package io.feedkit.internal.verify;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.spi.ArchiveSource;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Outbox.PageQuery;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import io.feedkit.spi.PostArchive;
import io.feedkit.verify.Finding;
import io.feedkit.verify.FindingKind;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Compares archived posts with the rows of the outbox. A row that is neither a tombstone nor the same post belongs to
 * the key's next post, which is right. A copy in the archive is never deleted while its row may still be removed by a
 * mover. Thread-safe.
 */
public final class ArchiveCheck implements Check<Post> {

    private static final int AUTHORS_AT_ONCE = 100;
    private static final int POSTS_AT_ONCE = 100;

    private final Outbox outbox;
    private final ArchiveSource source;
    private final PostArchive archive;

    /**
     * @param outbox the outbox with the archive behind it
     * @param source the view of the outbox from which posts move
     */
    public ArchiveCheck(Outbox outbox, ArchiveSource source, PostArchive archive) {
        this.outbox = outbox;
        this.source = source;
        this.archive = archive;
    }

    /**
     * The posts in the archive of authors who have rows in the outbox. Other authors' archived posts have neither
     * tombstones nor rows. Only posts below the boundary are read: the outbox of a restored database may have an older
     * boundary, above which readers do not look into the archive. For use by one thread.
     */
    final class Walk {

        private final VerifyRun run;
        private final Position boundary = new Position(source.boundary(), "", "");
        private String lastAuthor = "";
        private Set<String> authors = Set.of();
        private Position from = Position.LOWEST;

        private Walk(VerifyRun run) {
            this.run = run;
        }

        /** The next posts, each call to a store in its turn; none at the end, or if the run was stopped. */
        List<Post> next() {
            while (true) {
                if ((authors.isEmpty() && !nextAuthors()) || !run.next()) {
                    return List.of();
                }
                List<Post> posts = archive.page(
                        new PageQuery(authors, new PositionRange(from, boundary), Order.OLDEST_FIRST, POSTS_AT_ONCE));
                if (posts.size() < POSTS_AT_ONCE) {
                    authors = Set.of();
                } else {
                    from = Position.of(posts.get(posts.size() - 1)).next();
                }
                if (!posts.isEmpty()) {
                    return posts;
                }
            }
        }

        private boolean nextAuthors() {
            from = Position.LOWEST;
            while (authors.isEmpty()) {
                if (!run.next()) {
                    return false;
                }
                List<String> listed = source.authors(lastAuthor, AUTHORS_AT_ONCE);
                if (listed.isEmpty()) {
                    return false;
                }
                lastAuthor = listed.get(listed.size() - 1);
                authors = Set.copyOf(listed.stream().filter(run::isSampled).toList());
            }
            return true;
        }
    }

    Walk walk(VerifyRun run) {
        return new Walk(run);
    }

    /** The posts that are to be looked at one by one. */
    List<Post> withRows(List<Post> archived) {
        Map<PostKey, Optional<Post>> rows = rows(archived);
        return archived.stream()
                .filter(post -> rows.containsKey(post.key())
                        && rows.get(post.key()).filter(row -> !row.equals(post)).isEmpty())
                .toList();
    }

    private Map<PostKey, Optional<Post>> rows(Collection<Post> posts) {
        return source.known(posts.stream().map(Post::key).toList());
    }

    /** The register is read before the archive: a retraction ends after its post has left the archive. */
    @Override
    public Look look(Post post, Look before) {
        Optional<Post> row = rows(List.of(post)).get(post.key());
        boolean isRetracting = RegisterState.of(outbox.pulled(), Set.of(post.author()))
                .retracting()
                .contains(post.key());
        if (row == null || !post.equals(archive.existing(List.of(post.key())).get(post.key()))) {
            return Look.NONE;
        }
        if (row.isEmpty()) {
            return isRetracting ? Look.NONE : found(FindingKind.ARCHIVED_POST_DELETED, post, "was deleted");
        }
        return row.get().equals(post) && isMovable(post)
                ? found(FindingKind.ARCHIVED_POST_IN_OUTBOX, post, "still has its row in the outbox")
                : Look.NONE;
    }

    private boolean isMovable(Post post) {
        return !source.movable(List.of(post), outbox.settledMark()).isEmpty();
    }

    private static Look found(FindingKind kind, Post post, String state) {
        return Look.of(List.of(Finding.builder(kind)
                .author(post.author())
                .post(post.id())
                .sentence("Post " + post.id() + " of " + post.author() + " (" + post.publishedAt()
                        + ") is in the archive, and " + state + ".")
                .build()));
    }

    @Override
    public void repair(Post post, List<Finding> findings) {
        Optional<Post> row = rows(List.of(post)).get(post.key());
        if (row != null && row.isEmpty()) {
            archive.delete(List.of(post.key()));
        } else if (row != null
                && post.equals(archive.existing(List.of(post.key())).get(post.key()))) {
            List<Post> unused = source.remove(List.of(post), outbox.settledMark());
        }
    }

    /** Whether a post that neither tier has, and that was not deleted, may have been in the archive. */
    boolean mayHaveMoved(Post post) {
        return !outbox.holdsBack() && post.publishedAt().toEpochMilli() < source.boundary();
    }

    /**
     * Stores posts that the archive has lost. A post that is deleted meanwhile is deleted again.
     *
     * @param lost posts of inboxes
     */
    void restore(List<Post> lost) {
        archive.store(lost);
        List<PostKey> keys = lost.stream().map(Post::key).toList();
        Map<PostKey, Optional<Post>> rows = source.known(keys);
        List<PostKey> deleted = keys.stream()
                .filter(key -> rows.containsKey(key) && rows.get(key).isEmpty())
                .toList();
        if (!deleted.isEmpty()) {
            archive.delete(deleted);
        }
    }
}

package io.feedkit.testkit.model;

import static java.util.Comparator.reverseOrder;

import io.feedkit.Cursor;
import io.feedkit.FeedPage;
import io.feedkit.Post;
import io.feedkit.spi.SeenPosts;
import io.feedkit.testkit.oracle.OracleFeed;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A client's walk through a feed: its cursors, the posts it has seen, and the posts it must see before it ends. */
final class Walk {

    /** The distance below the cursor within which a page read upwards shows late posts. */
    private static final long LATE_MILLIS = SeenPosts.LOOKBACK_MILLIS;

    /** The number of recently shown posts that a cursor lists. A late post below them is not shown. */
    private static final int LATE_AMONG = 16;

    /** The lowest and the highest time of an engine's clock during a call, in milliseconds. */
    record Present(long from, long to) {
        static Present between(long one, long another) {
            return new Present(Math.min(one, another), Math.max(one, another));
        }
    }

    private static final String HIGHEST_ID = "~".repeat(64);

    private final String reader;
    private final Set<Post> required;
    private final boolean inOutboxes;
    private final Set<Post> seen = new HashSet<>();
    private final Set<Post> seenAbove = new HashSet<>();
    private final Set<Post> unreached = new HashSet<>();
    private @Nullable Post lowest;

    /** The last known place of the upward cursor. */
    private Post upFrom = highestBefore(1);

    private boolean upExact = true;
    private long lateFrom;
    private long tooOldBelow;

    /** The present of the engine that showed the first page. */
    private long begunAt;

    private boolean begun;
    private Optional<Cursor> older = Optional.empty();
    private @Nullable Cursor newer;

    Walk(String reader, Set<Post> required, boolean inOutboxes) {
        this.reader = reader;
        this.required = required;
        this.inOutboxes = inOutboxes;
    }

    /** Whether the walk began without an inbox, so that it must show all posts that the outboxes held then. */
    boolean isInOutboxes() {
        return inOutboxes;
    }

    /** The posts that were visible when the walk began, and still are. */
    Set<Post> required() {
        return required;
    }

    Set<Post> seen() {
        return seen;
    }

    Optional<Post> lowest() {
        return Optional.ofNullable(lowest);
    }

    Optional<Cursor> older() {
        return older;
    }

    Cursor newer() {
        if (newer == null) {
            throw new IllegalStateException("the walk of " + reader + " has not begun");
        }
        return newer;
    }

    /**
     * Whether a post was shown, so that no page read upwards may show it. Posts of later pages read downwards do not
     * count if they are ahead of the engine that showed the first page: its cursor does not list them.
     */
    boolean wasShown(Post post) {
        return seenAbove.contains(post) || (seen.contains(post) && millis(post) <= begunAt);
    }

    /**
     * Whether a page read upwards must show a post, if the page reaches that far: the post has not been shown, and is
     * above the cursor or not far below it.
     */
    boolean isNews(Post post, FeedPage<Post> page) {
        if (wasShown(post)) {
            return false;
        }
        if (upExact) {
            return isAboveCursor(post) || millis(post) >= lateFrom;
        }
        List<Post> posts = page.items();
        return !posts.isEmpty() && OracleFeed.NEWEST_FIRST.compare(post, posts.get(posts.size() - 1)) < 0;
    }

    /** Whether a post is too old for a page read upwards, even if it arrived late. */
    boolean isTooOld(Post post) {
        return millis(post) < tooOldBelow;
    }

    /**
     * Continues with a page that was read downwards.
     *
     * @param page the page
     * @param present the engine's time while the page was read
     */
    void show(FeedPage<Post> page, Present present) {
        seen.addAll(page.items());
        if (!page.items().isEmpty()) {
            lowest = page.items().get(page.items().size() - 1);
        }
        older = page.older();
        if (!begun) {
            begun = true;
            newer = page.newer();
            begunAt = present.from();
            beginAbove(page, present);
        }
    }

    private void beginAbove(FeedPage<Post> page, Present present) {
        seenAbove.addAll(page.items());
        if (!page.items().isEmpty()) {
            upFrom = page.items().get(0);
            lateFrom = page.older().isPresent()
                    ? millis(page.items().get(page.items().size() - 1)) + 1
                    : 0;
            raiseLateFrom(present);
        } else if (present.from() == present.to()) {
            upFrom = highestBefore(present.to());
            lateFrom = page.older().isPresent() ? present.to() : present.to() + 1 - LATE_MILLIS;
            tooOldBelow = present.from() - 1 - LATE_MILLIS;
        } else {
            upExact = false;
        }
    }

    private static Post highestBefore(long millis) {
        return Post.of(HIGHEST_ID, HIGHEST_ID, millis - 1);
    }

    /**
     * Continues with a page that was read upwards.
     *
     * @param page the page
     * @param limit the requested number of posts
     * @param visible the posts that the page had to show, if it reached that far
     * @param present the engine's time while the page was read
     */
    void climb(FeedPage<Post> page, int limit, Set<Post> visible, Present present) {
        newer = page.newer();
        seenAbove.addAll(page.items());
        if (page.moreNewer() && page.items().size() < limit) {
            breakOff(visible);
        } else if (!page.items().isEmpty()) {
            climbTo(page.items().get(0), page.items().stream().anyMatch(unreached::contains), present);
        }
    }

    /** Records that the cursor is at a scanned post, below the posts that had to be shown and were not. */
    private void breakOff(Set<Post> visible) {
        if (upExact) {
            upExact = false;
            unreached.addAll(visible);
            unreached.removeIf(post -> !isAboveCursor(post));
        }
        unreached.removeIf(post -> wasShown(post) || !visible.contains(post));
    }

    private void climbTo(Post highest, boolean beyond, Present present) {
        if (upExact) {
            upFrom = isAboveCursor(highest) ? highest : upFrom;
            raiseLateFrom(present);
        } else if (beyond) {
            upExact = true;
            unreached.clear();
            upFrom = highest;
            lateFrom = millis(highest) + 1;
        }
    }

    private boolean isAboveCursor(Post post) {
        return OracleFeed.NEWEST_FIRST.compare(post, upFrom) < 0;
    }

    /**
     * Raises the place from which late posts are looked for. A cursor is not above the present, and lists only a few
     * posts.
     */
    private void raiseLateFrom(Present present) {
        List<Long> shown = seenAbove.stream()
                .map(Walk::millis)
                .filter(millis -> millis >= lateFrom)
                .sorted(reverseOrder())
                .toList();
        long fitting = shown.size() > LATE_AMONG ? shown.get(LATE_AMONG) + 1 : 0;
        long highest = Math.min(millis(upFrom), present.to() + 1);
        lateFrom = Math.max(lateFrom, Math.max(fitting, highest - LATE_MILLIS));
        tooOldBelow = Math.max(tooOldBelow, Math.min(millis(upFrom), present.from()) - LATE_MILLIS);
    }

    private static long millis(Post post) {
        return post.publishedAt().toEpochMilli();
    }
}

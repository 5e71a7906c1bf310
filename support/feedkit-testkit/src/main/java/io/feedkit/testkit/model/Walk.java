package io.feedkit.testkit.model;

import static java.util.Comparator.reverseOrder;

import io.feedkit.Cursor;
import io.feedkit.FeedPage;
import io.feedkit.Post;
import io.feedkit.testkit.oracle.OracleFeed;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A client's walk through a feed: its cursors, the posts it has seen, and the posts it must see before it ends. */
final class Walk {

    /** How far below the cursor a page read upwards shows late posts. */
    private static final long LATE_MILLIS = 10_000;

    /** How many recently shown posts a cursor remembers: a late post below them is not shown. */
    private static final int LATE_AMONG = 16;

    private static final String HIGHEST_ID = "~".repeat(64);

    private final String reader;
    private final Set<Post> required;
    private final Set<Post> seen = new HashSet<>();
    private final Set<Post> seenAbove = new HashSet<>();
    private final Set<Post> unreached = new HashSet<>();
    private @Nullable Post lowest;

    /** The last known place of the upward cursor. */
    private Post upFrom = highestBefore(1);

    private boolean upExact = true;
    private long lateFrom;
    private boolean begun;
    private Optional<Cursor> older = Optional.empty();
    private @Nullable Cursor newer;

    Walk(String reader, Set<Post> required) {
        this.reader = reader;
        this.required = required;
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

    /** Whether a post was shown, on pages read downwards or upwards. */
    boolean wasShown(Post post) {
        return seen.contains(post) || seenAbove.contains(post);
    }

    /**
     * Whether a post is news for a page read upwards, if the page gets that far: the post has not been shown, and is
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
        return millis(post) < millis(upFrom) - LATE_MILLIS;
    }

    /**
     * Goes on with a page that was read downwards.
     *
     * @param page the page
     * @param askedAt the engine's time before and after the page was read, if it is the same
     */
    void show(FeedPage<Post> page, Optional<Long> askedAt) {
        seen.addAll(page.items());
        if (!page.items().isEmpty()) {
            lowest = page.items().get(page.items().size() - 1);
        }
        older = page.older();
        if (!begun) {
            begun = true;
            newer = page.newer();
            beginAbove(page, askedAt);
        }
    }

    private void beginAbove(FeedPage<Post> page, Optional<Long> askedAt) {
        seenAbove.addAll(page.items());
        if (!page.items().isEmpty()) {
            upFrom = page.items().get(0);
            lateFrom = page.older().isPresent()
                    ? millis(page.items().get(page.items().size() - 1)) + 1
                    : 0;
            raiseLateFrom();
        } else if (askedAt.isPresent()) {
            long now = askedAt.get();
            upFrom = highestBefore(now);
            lateFrom = page.older().isPresent() ? now : now - LATE_MILLIS;
        } else {
            upExact = false;
        }
    }

    private static Post highestBefore(long millis) {
        return Post.of(HIGHEST_ID, HIGHEST_ID, millis - 1);
    }

    /**
     * Goes on with a page that was read upwards.
     *
     * @param page the page
     * @param limit the most posts wanted
     * @param visible the posts that the page had to show, if it got that far
     */
    void climb(FeedPage<Post> page, int limit, Set<Post> visible) {
        newer = page.newer();
        seenAbove.addAll(page.items());
        if (page.moreNewer() && page.items().size() < limit) {
            breakOff(visible);
        } else if (!page.items().isEmpty()) {
            climbTo(page.items().get(0), page.items().stream().anyMatch(unreached::contains));
        }
    }

    /**
     * Records that the cursor is at some post that was looked at, below the posts that had to be shown and were not.
     */
    private void breakOff(Set<Post> visible) {
        if (upExact) {
            upExact = false;
            unreached.addAll(visible);
            unreached.removeIf(post -> !isAboveCursor(post));
        }
        unreached.removeIf(post -> wasShown(post) || !visible.contains(post));
    }

    private void climbTo(Post highest, boolean beyond) {
        if (upExact) {
            upFrom = isAboveCursor(highest) ? highest : upFrom;
            raiseLateFrom();
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

    /** Raises the place from which late posts are looked for: a cursor remembers only a few posts there. */
    private void raiseLateFrom() {
        List<Long> shown = seenAbove.stream()
                .map(Walk::millis)
                .filter(millis -> millis >= lateFrom)
                .sorted(reverseOrder())
                .toList();
        long fitting = shown.size() > LATE_AMONG ? shown.get(LATE_AMONG) + 1 : 0;
        lateFrom = Math.max(lateFrom, Math.max(fitting, millis(upFrom) - LATE_MILLIS));
    }

    private static long millis(Post post) {
        return post.publishedAt().toEpochMilli();
    }
}

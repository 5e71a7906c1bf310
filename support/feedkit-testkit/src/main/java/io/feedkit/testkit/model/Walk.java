package io.feedkit.testkit.model;

import io.feedkit.Cursor;
import io.feedkit.FeedPage;
import io.feedkit.Post;
import io.feedkit.testkit.oracle.OracleFeed;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A client's walk through a feed: its cursors, what it has seen, and what it must see before it ends. */
final class Walk {

    private final String reader;
    private final Set<Post> required;
    private final Set<Post> seen = new HashSet<>();
    private @Nullable Post lowest;
    private @Nullable Post upFrom;
    private boolean upExact = true;
    private boolean begun;
    private Optional<Cursor> older = Optional.empty();
    private @Nullable Cursor newer;

    Walk(String reader, Set<Post> required) {
        this.reader = reader;
        this.required = required;
    }

    /** What was visible when the walk began, and still is. */
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

    /** The post that the upward cursor stands at, if it stands at one. */
    Optional<Post> upFrom() {
        return Optional.ofNullable(upFrom);
    }

    /** Whether it is known where the upward cursor stands; without a post, at the bottom. */
    boolean isUpExact() {
        return upExact;
    }

    /** Goes on with a page that was read downwards. */
    void show(FeedPage page) {
        seen.addAll(page.posts());
        if (!page.posts().isEmpty()) {
            lowest = page.posts().get(page.posts().size() - 1);
        }
        older = page.older();
        if (!begun) {
            begun = true;
            newer = page.newer();
            upFrom = page.posts().isEmpty() ? null : page.posts().get(0);
        }
    }

    /** Goes on with a page that was read upwards. */
    void climb(FeedPage page, int limit) {
        newer = page.newer();
        boolean brokenOff = page.moreNewer() && page.posts().size() < limit;
        if (!page.posts().isEmpty()) {
            Post highest = page.posts().get(0);
            upFrom = upFrom == null || OracleFeed.NEWEST_FIRST.compare(highest, upFrom) < 0 ? highest : upFrom;
            upExact = !brokenOff;
        } else if (brokenOff) {
            upExact = false;
        }
    }
}

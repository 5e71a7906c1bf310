package io.feedkit.survival.chaos;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.testkit.oracle.OracleFeed;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A client that reads a first page and then polls for new posts. It must get each post that the reader can see and that
 * its cursor does not record as shown. Used by one thread.
 */
final class Polling {

    private final FeedModel model;
    private final Set<PostKey> missed = new HashSet<>();
    private ShownPosts shown;

    /** Starts with the first page, which a {@link Walk} has checked. */
    Polling(FeedModel model, ShownPage first) {
        this.model = model;
        shown = ShownPosts.on(first, model.skew());
    }

    /** The posts that the client was shown. */
    ShownPosts shown() {
        return shown;
    }

    /** Adds the next page of new posts. */
    List<Violation> add(ShownPage page) {
        List<Violation> found = new ArrayList<>(model.check(page, Rule.POLLED, post -> covers(page, post)));
        for (Post post : page.posts()) {
            if (shown.posts().contains(post)) {
                found.add(model.violation(Rule.SHOWN_ONCE, page, post));
            }
        }
        shown = shown.andNewer(page, model.skew());
        return found;
    }

    /**
     * Whether a post belongs to the page. Called only for posts that are not on the page and must be visible. Each
     * missing post is reported once.
     */
    private boolean covers(ShownPage page, Post post) {
        boolean reached =
                page.last() || (!page.posts().isEmpty() && above(page.posts().get(0), post));
        return reached && !shown.mayHave(post) && missed.add(post.key());
    }

    private static boolean above(Post post, Post other) {
        return OracleFeed.NEWEST_FIRST.compare(post, other) < 0;
    }
}

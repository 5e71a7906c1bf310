package io.feedkit.survival.chaos;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.testkit.oracle.OracleFeed;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A client that reads a first page and then polls for new posts. It must be given each post that the reader can see and
 * that its cursor does not take for shown. Used by one thread.
 */
final class Polling {

    private final FeedModel model;
    private final Set<PostKey> missed = new HashSet<>();
    private ShownPosts shown;

    /** Begins with the first page, which a {@link Walk} has checked. */
    Polling(FeedModel model, ShownPage first) {
        this.model = model;
        shown = ShownPosts.on(first);
    }

    /** What the client was shown. */
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
        shown = shown.andNewer(page);
        return found;
    }

    /** Asked only of posts that are not on the page and must be visible. Each is missed once. */
    private boolean covers(ShownPage page, Post post) {
        boolean reached =
                page.last() || (!page.posts().isEmpty() && above(page.posts().get(0), post));
        return reached && !shown.mayHave(post) && missed.add(post.key());
    }

    private static boolean above(Post post, Post other) {
        return OracleFeed.NEWEST_FIRST.compare(post, other) < 0;
    }
}

package io.feedkit.survival.chaos;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.testkit.oracle.OracleFeed;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** One walk of a reader down the pages. Used by one thread. */
final class Walk {

    private final FeedModel model;
    private final Set<PostKey> shown = new HashSet<>();
    private Optional<Post> lowest = Optional.empty();
    private boolean gap;

    Walk(FeedModel model) {
        this.model = model;
    }

    /** Adds the first page, or the next page below the last one. */
    List<Violation> add(ShownPage page) {
        List<Violation> found = new ArrayList<>(model.check(page, Rule.VISIBLE_ON_ALL, post -> covers(page, post)));
        for (Post post : page.posts()) {
            if (!shown.add(post.key())) {
                found.add(model.violation(Rule.SHOWN_ONCE, page, post));
            } else if (lowest.isPresent() && !below(post, lowest.get())) {
                found.add(model.violation(Rule.ORDER, page, post));
            }
            lowest = Optional.of(post);
        }
        gap = page.posts().isEmpty();
        return found;
    }

    /** Whether a post belongs to the page. An empty page with an older cursor does not show where it ended. */
    private boolean covers(ShownPage page, Post post) {
        List<Post> posts = page.posts();
        boolean fromTop = gap
                ? !posts.isEmpty() && below(post, posts.get(0))
                : lowest.map(upper -> below(post, upper)).orElse(true);
        return fromTop && (page.last() || (!posts.isEmpty() && !below(post, posts.get(posts.size() - 1))));
    }

    private static boolean below(Post post, Post other) {
        return OracleFeed.NEWEST_FIRST.compare(post, other) > 0;
    }
}

package io.feedkit.internal.unread;

import io.feedkit.Post;
import io.feedkit.internal.cache.CallCount;
import io.feedkit.internal.cache.RecentPostsCache;
import io.feedkit.internal.cache.RecentPostsCache.RecentPosts;
import io.feedkit.internal.cache.RegisterView;
import io.feedkit.internal.view.SourceOfTruth;
import io.feedkit.spi.PositionRange;
import io.feedkit.spi.SeenPosts;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The unpushed posts of pulled authors, as far as this engine caches them, for one count of some feeds. Used by one
 * thread.
 */
final class UnpushedPosts {

    private final SourceOfTruth source;

    /** Recent posts that the cache did not hold. */
    private final Map<String, RecentPosts> fetched = new HashMap<>();

    UnpushedPosts(SourceOfTruth source) {
        this.source = source;
    }

    /**
     * Fetches recent posts that are not in the cache, for all these authors together. If more authors are missing than
     * a page would fetch, nothing is fetched: counting in the outboxes is cheaper then.
     *
     * @param registers for each author a view of the register
     */
    void fetch(Map<String, RegisterView> registers) {
        if (!registers.isEmpty() && registers.size() <= RecentPostsCache.MOST_AT_ONCE) {
            List<String> missing = List.copyOf(registers.keySet());
            List<RecentPosts> found = source.recent(missing, RegisterView.of(missing, registers), new CallCount());
            for (int i = 0; i < found.size(); i++) {
                fetched.put(missing.get(i), found.get(i));
            }
        }
    }

    /** The recent posts of an author, as far as they are cached, or were fetched. */
    Optional<RecentPosts> of(String author, RegisterView register) {
        RecentPosts found = fetched.isEmpty() ? null : fetched.get(author);
        return found != null && found.areOf(author, register)
                ? Optional.of(found)
                : source.cached().held(author, register);
    }

    /** How many unseen posts there are in a range. Empty unless the posts reach down to the range's lower end. */
    static OptionalLong count(RecentPosts recent, RegisterView register, PositionRange range, SeenPosts seen) {
        if (!recent.reachBelow(range.from())) {
            return OptionalLong.empty();
        }
        long count = 0;
        for (Post post : recent.posts()) {
            if (range.from().compareOf(post) < 0) {
                break;
            }
            if (range.contains(post) && !register.isRetracting(post) && !seen.contains(post)) {
                count++;
            }
        }
        return OptionalLong.of(count);
    }
}

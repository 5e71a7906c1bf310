package io.feedkit.internal.unread;

import io.feedkit.Post;
import io.feedkit.internal.cache.CallCount;
import io.feedkit.internal.cache.RecentPostsCache;
import io.feedkit.internal.cache.RecentPostsCache.RecentPosts;
import io.feedkit.internal.cache.RegisterView;
import io.feedkit.internal.cache.Registered.Unpushed;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The unpushed posts of pulled authors, as far as this engine holds them, for one count of some feeds. Used by one
 * thread.
 */
final class UnpushedPosts {

    /** The most authors that an inbox is told to count apart: beyond, its entries are looked at. */
    static final int MOST_APART = 1000;

    /**
     * Where the unpushed posts of some followees are, if they reach above a mark.
     *
     * @param byAuthor the ranges
     * @param areExact whether these hold unpushed posts alone
     */
    record Ranges(Map<String, PositionRange> byAuthor, boolean areExact) {

        private static final Ranges NONE = new Ranges(Map.of(), true);

        /** Whether inboxes are asked to count these apart. */
        boolean areAsked() {
            return byAuthor.size() <= MOST_APART;
        }

        /** What inboxes are asked to count apart. */
        Map<String, PositionRange> asked() {
            return areAsked() ? byAuthor : Map.of();
        }

        boolean contain(Post post) {
            PositionRange range = byAuthor.get(post.author());
            return range != null && range.contains(post);
        }
    }

    private final RegisterView register;
    private final RecentPostsCache recentPosts;

    /** Recent posts that the cache did not hold. */
    private final Map<String, RecentPosts> fetched = new HashMap<>();

    UnpushedPosts(RegisterView register, RecentPostsCache recentPosts) {
        this.register = register;
        this.recentPosts = recentPosts;
    }

    /** Where the unpushed posts of these authors are, from a position upwards. */
    Ranges ranges(Set<String> authors, Position from) {
        Map<String, Unpushed> found = register.unpushed(authors);
        if (found.isEmpty()) {
            return Ranges.NONE;
        }
        Map<String, PositionRange> byAuthor = new HashMap<>();
        boolean exact = true;
        for (Map.Entry<String, Unpushed> each : found.entrySet()) {
            PositionRange range = each.getValue().range();
            if (from.compareTo(range.below()) < 0) {
                byAuthor.put(each.getKey(), range);
                exact &= each.getValue().all();
            }
        }
        return new Ranges(byAuthor, exact);
    }

    /**
     * Fetches the recent posts of these authors that are not held, together; of more than a page would fetch the posts
     * are better counted in the outboxes.
     */
    void fetch(Set<String> authors) {
        List<String> missing = new ArrayList<>();
        for (String author : authors) {
            if (!fetched.containsKey(author)
                    && recentPosts.held(author, register).isEmpty()) {
                missing.add(author);
            }
        }
        if (!missing.isEmpty() && missing.size() <= RecentPostsCache.MOST_AT_ONCE) {
            List<RecentPosts> found = recentPosts.of(missing, register, new CallCount());
            for (int i = 0; i < found.size(); i++) {
                fetched.put(missing.get(i), found.get(i));
            }
        }
    }

    /** How many posts an author has in a range, if the engine holds the author's posts down to there. */
    OptionalLong count(String author, PositionRange range) {
        Optional<RecentPosts> recent =
                Optional.ofNullable(fetched.get(author)).or(() -> recentPosts.held(author, register));
        if (recent.isEmpty() || !recent.get().reachBelow(range.from())) {
            return OptionalLong.empty();
        }
        long count = 0;
        for (Post post : recent.get().posts()) {
            if (range.from().compareOf(post) < 0) {
                break;
            }
            if (range.contains(post) && !register.isRetracting(post)) {
                count++;
            }
        }
        return OptionalLong.of(count);
    }
}

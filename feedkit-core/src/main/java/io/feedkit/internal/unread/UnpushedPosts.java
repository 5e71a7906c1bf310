package io.feedkit.internal.unread;

import io.feedkit.Post;
import io.feedkit.internal.cache.CallCount;
import io.feedkit.internal.cache.RecentPostsCache;
import io.feedkit.internal.cache.RecentPostsCache.RecentPosts;
import io.feedkit.internal.cache.RegisterView;
import io.feedkit.internal.cache.Registered.Unpushed;
import io.feedkit.internal.view.SourceOfTruth;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import io.feedkit.spi.SeenPosts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The unpushed posts of pulled authors, as far as this engine caches them, for one count of some feeds. Used by one
 * thread.
 */
final class UnpushedPosts {

    /** The most authors that an inbox is asked to count apart; with more authors, its entries are read. */
    static final int MOST_APART = 1000;

    /**
     * The ranges of some followees' unpushed posts that reach above a mark.
     *
     * @param byAuthor the ranges
     * @param areExact whether the ranges hold only unpushed posts
     */
    record Ranges(Map<String, PositionRange> byAuthor, boolean areExact) {

        /** The ranges of these authors' unpushed posts that reach above a position. */
        static Ranges of(RegisterView register, Set<String> authors, Position from) {
            Map<String, PositionRange> byAuthor = new HashMap<>();
            boolean exact = true;
            for (Map.Entry<String, Unpushed> each : register.unpushed(authors).entrySet()) {
                PositionRange range = each.getValue().range();
                if (from.compareTo(range.below()) < 0) {
                    byAuthor.put(each.getKey(), range);
                    exact &= each.getValue().all();
                }
            }
            return new Ranges(byAuthor, exact);
        }

        /** Whether inboxes are asked to count these ranges apart. */
        boolean areAsked() {
            return byAuthor.size() <= MOST_APART;
        }

        /** The ranges that inboxes are asked to count apart. */
        Map<String, PositionRange> asked() {
            return areAsked() ? byAuthor : Map.of();
        }

        boolean contain(Post post) {
            PositionRange range = byAuthor.get(post.author());
            return range != null && range.contains(post);
        }
    }

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
        List<String> missing = new ArrayList<>();
        registers.forEach((author, register) -> {
            if (source.cached().held(author, register).isEmpty()) {
                missing.add(author);
            }
        });
        if (!missing.isEmpty() && missing.size() <= RecentPostsCache.MOST_AT_ONCE) {
            RegisterView register = RegisterView.of(missing, registers);
            List<RecentPosts> found = source.recent(missing, register, new CallCount());
            for (int i = 0; i < found.size(); i++) {
                fetched.put(missing.get(i), found.get(i));
            }
        }
    }

    /**
     * How many unseen posts an author has in a range. Empty unless the engine has the author's recent posts down to the
     * range's lower end.
     */
    OptionalLong count(RegisterView register, String author, PositionRange range, SeenPosts seen) {
        Optional<RecentPosts> recent = Optional.ofNullable(fetched.get(author))
                .filter(posts -> posts.areOf(author, register))
                .or(() -> source.cached().held(author, register));
        if (recent.isEmpty() || !recent.get().reachBelow(range.from())) {
            return OptionalLong.empty();
        }
        long count = 0;
        for (Post post : recent.get().posts()) {
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

package io.feedkit.internal.cache;

import io.feedkit.Post;
import io.feedkit.internal.cache.Registered.Stamp;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The newest posts of pulled authors. An author's register entry gets a new version with every unpushed post. So posts
 * that were loaded for a version are valid as long as the entry has that version. Thread-safe.
 */
public final class RecentPostsCache {

    /** How many posts of an author are kept: a page of a usual size, and a few more. */
    static final int POSTS = 25;

    /**
     * The most authors whose posts are worth loading for one page. For more, one merged page of their outboxes is
     * cheaper.
     */
    public static final int MOST_AT_ONCE = 1000;

    /** The most posts kept. */
    static final int MAX_POSTS = 200_000;

    /**
     * The newest posts of an author.
     *
     * @param posts newest first
     * @param whole whether these are all posts of the author from the oldest unpushed one on
     * @param stamp the stamp of the author's unpushed posts before these posts were loaded
     * @param at when the posts were loaded
     */
    public record RecentPosts(List<Post> posts, boolean whole, Stamp stamp, long at) {

        /** Whether these are posts of the same registration as in a view. */
        public boolean areOf(String author, RegisterView register) {
            return stamp.equals(register.stamp(author));
        }

        /**
         * Whether the posts are complete down to a position below the given one. The last post is created only if
         * needed.
         */
        public boolean reachBelow(Position place) {
            return whole || isBelow(place, 0) || isBelow(place, posts.size() - 1);
        }

        private boolean isBelow(Position place, int index) {
            return place.compareOf(posts.get(index)) < 0;
        }
    }

    private final Outbox outbox;
    private final Clock clock;
    private final long longestMillis;
    private final BoundedCache<String, RecentPosts> recent =
            new BoundedCache<>(MAX_POSTS, each -> each.posts().size() + 1);

    public RecentPostsCache(Outbox outbox, EngineSettings settings) {
        this.outbox = outbox;
        this.clock = settings.clock();
        // A deleted post is hidden for at least a lease. Posts that were loaded before its delete must not outlive that
        // lease, even if the clock is set back by half a lease.
        this.longestMillis = settings.fanout().tasks().lease().toMillis() / 2;
    }

    /**
     * The recent posts of authors, in their order.
     *
     * @param register a view of their registration from before this call
     * @param calls counts calls to the outbox
     */
    public List<RecentPosts> of(List<String> authors, RegisterView register, CallCount calls) {
        @Nullable RecentPosts[] found = new RecentPosts[authors.size()];
        List<String> missing = new ArrayList<>();
        for (int i = 0; i < found.length; i++) {
            String author = authors.get(i);
            found[i] = held(author, register).orElse(null);
            if (found[i] == null) {
                missing.add(author);
            }
        }
        if (!missing.isEmpty()) {
            calls.increment();
            Map<String, RecentPosts> loaded = load(missing, register);
            for (int i = 0; i < found.length; i++) {
                found[i] = found[i] == null ? loaded.get(authors.get(i)) : found[i];
            }
        }
        return List.of(found);
    }

    /** The recent posts of an author, if they are held. */
    public Optional<RecentPosts> held(String author, RegisterView register) {
        RecentPosts held = recent.get(author);
        return held != null && held.areOf(author, register) && isYoung(held) ? Optional.of(held) : Optional.empty();
    }

    /**
     * The recent posts of an author, if a page could have used them at a time in the past. For pages that may be stale.
     *
     * @param at the time of the register's last update; it includes all deletes that are at least half a lease older
     */
    public Optional<RecentPosts> heldAt(long at, String author, RegisterView register) {
        return Optional.ofNullable(recent.get(author))
                .filter(held -> held.areOf(author, register) && at - held.at() < longestMillis);
    }

    private boolean isYoung(RecentPosts held) {
        long age = clock.millis() - held.at();
        return age >= 0 && age < longestMillis;
    }

    /**
     * Loads posts. Caches only those of pulled authors, because the register does not announce changes of other
     * authors' posts.
     */
    private Map<String, RecentPosts> load(List<String> authors, RegisterView register) {
        long at = clock.millis();
        List<List<Post>> newest = outbox.newest(authors, unpushed(authors, register), POSTS + 1);
        Map<String, RecentPosts> loaded = new HashMap<>();
        for (int i = 0; i < authors.size(); i++) {
            String author = authors.get(i);
            List<Post> posts = newest.get(i);
            // One post more than is kept shows that there are more posts.
            boolean whole = posts.size() <= POSTS;
            RecentPosts each =
                    new RecentPosts(whole ? posts : posts.subList(0, POSTS), whole, register.stamp(author), at);
            loaded.put(author, each);
            if (register.isPulled(author)) {
                recent.put(author, each);
            }
        }
        return loaded;
    }

    /** From the oldest unpushed post of these authors on: older posts are in inboxes, and perhaps in an archive. */
    private static PositionRange unpushed(List<String> authors, RegisterView register) {
        Map<String, Registered.Unpushed> ranges = register.unpushed(Set.copyOf(authors));
        return ranges.size() < authors.size()
                ? PositionRange.ALL
                : PositionRange.from(ranges.values().stream()
                        .map(each -> each.range().from())
                        .reduce(Position.HIGHEST, Position::min));
    }

    /** Removes the posts of an author. */
    public void forget(String author) {
        recent.remove(author);
    }

    /** How many authors' posts are kept. */
    int size() {
        return recent.size();
    }
}

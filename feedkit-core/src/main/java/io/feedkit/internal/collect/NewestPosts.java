package io.feedkit.internal.collect;

import io.feedkit.Post;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * The newest posts of many authors, collected with bounded queries for each author. The first query fetches a few posts
 * of each author above the lowest position that still matters. This position rises as posts are found, so authors
 * without recent posts cost next to nothing. Only authors who may have more posts are queried again, for four times as
 * many.
 *
 * @param posts the newest posts
 * @param floor the lowest position down to which they are complete
 */
public record NewestPosts(List<Post> posts, Position floor) {

    private static final int AUTHORS_PER_QUERY = 200;
    private static final int FIRST_POSTS = 20;

    /**
     * The number of posts that is shared among few authors in the first query. For a single author, as after a follow,
     * the first query fetches all of them, because one query is cheaper than two.
     */
    private static final int POSTS_OF_FEW = 200;

    private static final int GROWTH = 4;

    /** The newest posts of authors, at most {@code limit}, none below {@code lowest}. */
    public static NewestPosts collect(Outbox outbox, Collection<String> of, Position lowest, int limit) {
        Collector collector = new Collector(outbox, lowest, limit);
        List<String> authors = new ArrayList<>(of);
        for (int i = 0; i < authors.size(); i += AUTHORS_PER_QUERY) {
            collector.collect(authors.subList(i, Math.min(authors.size(), i + AUTHORS_PER_QUERY)));
        }
        return new NewestPosts(List.copyOf(collector.newest), collector.floor);
    }

    /**
     * The newest of some posts.
     *
     * @param posts posts in any order
     * @param floor the lowest position down to which they are complete; posts below are left out
     * @param limit the most posts; if there are more, the floor is that of the lowest of them
     */
    public static NewestPosts of(Collection<Post> posts, Position floor, int limit) {
        List<Post> newest = posts.stream()
                .filter(post -> floor.compareOf(post) >= 0)
                .sorted((a, b) -> Position.compare(b, a))
                .limit(limit + 1L)
                .toList();
        return newest.size() <= limit
                ? new NewestPosts(newest, floor)
                : new NewestPosts(newest.subList(0, limit), Position.of(newest.get(limit - 1)));
    }

    private static final class Collector {
        private final Outbox outbox;
        private final int limit;
        private final PriorityQueue<Post> newest = new PriorityQueue<>(Position::compare);
        private Position floor;

        Collector(Outbox outbox, Position lowest, int limit) {
            this.outbox = outbox;
            this.floor = lowest;
            this.limit = limit;
        }

        void collect(List<String> authors) {
            Map<String, Position> reached = new HashMap<>();
            List<String> open = authors;
            int each = Math.min(limit, Math.max(FIRST_POSTS, POSTS_OF_FEW / Math.max(1, authors.size())));
            while (!open.isEmpty()) {
                open = ask(open, each, reached);
                if (each == limit) {
                    open.forEach(author -> floor = Position.max(floor, reached.getOrDefault(author, floor)));
                    return;
                }
                each = Math.min(limit, each * GROWTH);
            }
        }

        /**
         * Fetches posts above the floor. Returns the authors that may have more, below the positions in
         * {@code reached}.
         */
        private List<String> ask(List<String> authors, int each, Map<String, Position> reached) {
            List<List<Post>> answers = outbox.newest(authors, PositionRange.from(floor), each);
            List<String> full = new ArrayList<>();
            for (int i = 0; i < authors.size(); i++) {
                Position before = reached.getOrDefault(authors.get(i), Position.HIGHEST);
                List<Post> posts = answers.get(i);
                for (Post post : posts) {
                    if (before.compareOf(post) < 0) {
                        add(post);
                    }
                }
                if (posts.size() == each) {
                    reached.put(authors.get(i), Position.of(posts.get(each - 1)));
                    full.add(authors.get(i));
                }
            }
            full.removeIf(author -> reached.getOrDefault(author, floor).compareTo(floor) <= 0);
            return full;
        }

        private void add(Post post) {
            newest.add(post);
            if (newest.size() > limit) {
                newest.remove();
            }
            if (newest.size() == limit) {
                floor = Position.max(floor, Position.of(newest.element()));
            }
        }
    }
}

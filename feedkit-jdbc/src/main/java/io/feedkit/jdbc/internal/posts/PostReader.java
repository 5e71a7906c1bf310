package io.feedkit.jdbc.internal.posts;

import io.feedkit.Post;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox.PageQuery;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jdbi.v3.core.Handle;

/** Reads posts of many authors, with the fewest rows that each database allows. */
sealed interface PostReader permits LateralPostReader, TwoStepPostReader, UnionPostReader {

    /** Reads the first posts of each author in a range. */
    List<List<Post>> first(Handle handle, List<String> authors, PositionRange range, Order order, int each);

    /** Reads the first posts of all authors together. */
    List<Post> page(Handle handle, PageQuery query);

    /** Reads the first posts of each author in a range, and merges them into a page. */
    default List<Post> merged(Handle handle, List<String> authors, PositionRange range, PageQuery query) {
        return first(handle, authors, range, query.order(), query.limit()).stream()
                .flatMap(List::stream)
                .sorted(comparator(query.order()))
                .limit(query.limit())
                .toList();
    }

    /**
     * Returns the number of posts to sample from each author, to find out how far a page reaches. If the samples
     * together have as many posts as the page, the page does not reach beyond the last of them.
     */
    static int sample(PageQuery query) {
        int authors = query.authors().size();
        return query.limit() <= authors ? 1 : (int) Math.min(query.limit(), 2L * (query.limit() / authors) + 2);
    }

    static Comparator<Post> comparator(Order order) {
        Comparator<Post> oldestFirst = Position::compare;
        return order == Order.NEWEST_FIRST ? oldestFirst.reversed() : oldestFirst;
    }

    /** Returns an empty list for each author. */
    static List<List<Post>> empty(int authors) {
        List<List<Post>> lists = new ArrayList<>(authors);
        for (int i = 0; i < authors; i++) {
            lists.add(new ArrayList<>());
        }
        return lists;
    }
}

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

/** How a database reads some posts of each of many authors. No more rows are looked at than have to be. */
sealed interface PostReader permits LateralPostReader, TwoStepPostReader, UnionPostReader {

    /** The first posts of each author in a range. */
    List<List<Post>> first(Handle handle, List<String> authors, PositionRange range, Order order, int each);

    /** The first posts of all authors together. */
    List<Post> page(Handle handle, PageQuery query);

    /**
     * How many posts of each author to look at, to learn how far a page goes: where there are as many of these as the page is long, the page does not go beyond the last of them.
     */
    static int sample(PageQuery query) {
        int authors = query.authors().size();
        return query.limit() <= authors ? 1 : Math.min(query.limit(), 2 * (query.limit() / authors) + 2);
    }

    static Comparator<Post> comparator(Order order) {
        Comparator<Post> oldestFirst = Position::compare;
        return order == Order.NEWEST_FIRST ? oldestFirst.reversed() : oldestFirst;
    }

    /** Empty lists, one for each author. */
    static List<List<Post>> empty(int authors) {
        List<List<Post>> lists = new ArrayList<>(authors);
        for (int i = 0; i < authors; i++) {
            lists.add(new ArrayList<>());
        }
        return lists;
    }
}

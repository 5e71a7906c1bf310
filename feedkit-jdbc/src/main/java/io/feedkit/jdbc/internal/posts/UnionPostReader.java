package io.feedkit.jdbc.internal.posts;

import static java.util.Objects.requireNonNull;

import io.feedkit.Post;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox.PageQuery;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/**
 * Reads with a query for each author, many of them in one statement, for MariaDB. MariaDB has no LATERAL joins, and
 * looks up a range of time in an index only if the plan knows the author. In a join or a subquery MariaDB reads all
 * posts of an author, or plans again for each author.
 *
 * <p>There is a statement for each power of two. The list of authors is padded with an author that does not exist.
 */
final class UnionPostReader implements PostReader {

    private static final int AUTHORS_A_STATEMENT = 64;
    private static final String NO_AUTHOR = "";
    private static final int TRIES = 3;

    private final Database database;
    private final Map<Order, Map<Integer, String>> texts = new EnumMap<>(Order.class);

    UnionPostReader(Database database) {
        this.database = database;
        for (Order order : Order.values()) {
            Map<Integer, String> bySize = new HashMap<>();
            for (int size = 1; size <= AUTHORS_A_STATEMENT; size *= 2) {
                bySize.put(size, union(size, order));
            }
            texts.put(order, bySize);
        }
    }

    @Override
    public List<List<Post>> first(Handle handle, List<String> authors, PositionRange range, Order order, int each) {
        List<List<Post>> answers = PostReader.empty(authors.size());
        for (int from = 0; from < authors.size(); from += AUTHORS_A_STATEMENT) {
            int below = Math.min(authors.size(), from + AUTHORS_A_STATEMENT);
            read(handle, authors.subList(from, below), range, order, each, answers.subList(from, below));
        }
        answers.forEach(posts -> posts.sort(PostReader.comparator(order)));
        return answers;
    }

    private void read(
            Handle handle, List<String> authors, PositionRange range, Order order, int each, List<List<Post>> answers) {
        int size = 1;
        while (size < authors.size()) {
            size *= 2;
        }
        String text = requireNonNull(requireNonNull(texts.get(order)).get(size));
        Query query = PostRangeSql.bind(database.query(handle, text), range).bind("each", each);
        for (int i = 0; i < size; i++) {
            query.bind("author" + i, i < authors.size() ? authors.get(i) : NO_AUTHOR);
        }
        query.map((row, context) -> Map.entry(row.getInt("i"), PostRows.post(row)))
                .forEach(found -> answers.get(found.getKey()).add(found.getValue()));
    }

    private String union(int authors, Order order) {
        StringJoiner union = new StringJoiner(" UNION ALL ");
        for (int i = 0; i < authors; i++) {
            union.add("(SELECT " + i + " AS i, p.author, p.id, p.published_at FROM ${post} p WHERE p.author = :author"
                    + i + PostRangeSql.condition(database.dialect(), order, PostRangeSql.end(order))
                    + PostRangeSql.orderOfAuthor(order)
                    + " LIMIT :each)");
        }
        return database.sql(union.toString());
    }

    /**
     * Samples a few posts of each author to find out how far the page reaches, and reads no further. If posts are
     * deleted meanwhile, that may not be far enough, and the page is read again.
     */
    @Override
    public List<Post> page(Handle handle, PageQuery query) {
        List<String> authors = List.copyOf(query.authors());
        for (int tried = 1; tried < TRIES; tried++) {
            List<List<Post>> sample = first(handle, authors, query.range(), query.order(), PostReader.sample(query));
            List<Post> posts = sample.stream()
                    .flatMap(List::stream)
                    .sorted(PostReader.comparator(query.order()))
                    .toList();
            if (posts.size() < query.limit()) {
                return merged(handle, authorsOf(posts), query.range(), query);
            }
            List<Post> inside = posts.subList(0, query.limit());
            PositionRange range = cut(query, inside.get(inside.size() - 1));
            List<Post> page = merged(handle, authorsOf(inside), range, query);
            if (page.size() == query.limit()) {
                return page;
            }
        }
        return merged(handle, authors, query.range(), query);
    }

    private static PositionRange cut(PageQuery query, Post last) {
        Position end = Position.of(last);
        return query.order() == Order.NEWEST_FIRST
                ? new PositionRange(end, query.range().below())
                : new PositionRange(query.range().from(), end.next());
    }

    private static List<String> authorsOf(List<Post> posts) {
        return posts.stream().map(Post::author).distinct().toList();
    }
}

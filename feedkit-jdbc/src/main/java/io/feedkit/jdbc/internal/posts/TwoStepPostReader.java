package io.feedkit.jdbc.internal.posts;

import static java.util.Objects.requireNonNull;

import io.feedkit.Post;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Dialect;
import io.feedkit.jdbc.internal.sql.ParameterTable;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox.PageQuery;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;

/**
 * Reads in two steps, for H2, which has no LATERAL joins. The first statement finds out how far to read for each
 * author; the second one reads all posts down to there. The texts of both do not depend on the number of authors, since
 * H2 takes longer to parse a large statement than to run it.
 */
final class TwoStepPostReader implements PostReader {

    private static final ParameterTable AUTHORS = ParameterTable.named("k").text("author");
    private static final ParameterTable BOUNDS =
            ParameterTable.named("k").text("author").number("at");
    private static final int TRIES = 3;

    private final Database database;
    private final Map<Order, String> far = new EnumMap<>(Order.class);
    private final Map<Order, String> near = new EnumMap<>(Order.class);

    TwoStepPostReader(Database database) {
        this.database = database;
        Dialect dialect = database.dialect();
        for (Order order : Order.values()) {
            far.put(
                    order,
                    database.sql("SELECT k.i, (SELECT p.published_at FROM ${post} p WHERE p.author = k.author"
                            + PostRangeSql.condition(dialect, order, PostRangeSql.end(order))
                            + PostRangeSql.orderOfAuthor(order)
                            + " LIMIT 1 OFFSET :skip) AS at FROM " + AUTHORS.source(dialect)));
            // With an outer join H2 always reads the authors first, whatever the sizes of the tables.
            near.put(
                    order,
                    database.sql("SELECT k.i, p.author, p.id, p.published_at FROM " + BOUNDS.source(dialect)
                            + " LEFT JOIN ${post} p ON p.author = k.author"
                            + PostRangeSql.condition(dialect, order, "k.at")));
        }
    }

    @Override
    public List<List<Post>> first(Handle handle, List<String> authors, PositionRange range, Order order, int each) {
        List<List<Post>> answers = PostReader.empty(authors.size());
        List<Integer> left = IntStream.range(0, authors.size()).boxed().toList();
        while (!left.isEmpty()) {
            left = read(handle, authors, left, range, order, each, answers);
        }
        return answers;
    }

    /**
     * Reads some of the authors. Returns the authors to read again, because posts were deleted between the two steps.
     */
    private List<Integer> read(
            Handle handle,
            List<String> authors,
            List<Integer> which,
            PositionRange range,
            Order order,
            int each,
            List<List<Post>> answers) {
        List<Optional<Long>> far = far(handle, which.stream().map(authors::get).toList(), range, order, each);
        long end = end(range, order);
        ParameterTable.Rows rows = BOUNDS.fill();
        for (int i = 0; i < which.size(); i++) {
            rows.add(authors.get(which.get(i)), far.get(i).orElse(end));
        }
        List<List<Post>> found = PostReader.empty(which.size());
        PostRangeSql.bind(database.query(handle, text(near, order), rows), range)
                .map((row, context) -> Map.entry(row.getInt("i"), PostRows.found(row)))
                .forEach(row -> row.getValue()
                        .ifPresent(post -> found.get(row.getKey() - 1).add(post)));
        List<Integer> again = new ArrayList<>();
        for (int i = 0; i < which.size(); i++) {
            List<Post> posts = found.get(i);
            posts.sort(PostReader.comparator(order));
            if (far.get(i).isPresent() && posts.size() < each) {
                again.add(which.get(i));
            } else {
                answers.set(which.get(i), List.copyOf(posts.subList(0, Math.min(each, posts.size()))));
            }
        }
        return again;
    }

    /** Returns for each author the time of the last of {@code each} posts, if the author has that many. */
    private List<Optional<Long>> far(
            Handle handle, Collection<String> authors, PositionRange range, Order order, int each) {
        List<Optional<Long>> far = new ArrayList<>(authors.size());
        ParameterTable.Rows rows = AUTHORS.fill();
        for (String author : authors) {
            rows.add(author);
            far.add(Optional.empty());
        }
        PostRangeSql.bind(database.query(handle, text(this.far, order), rows), range)
                .bind("skip", each - 1)
                .map((row, context) -> Map.entry(row.getInt("i"), PostRows.number(row, "at")))
                .forEach(row -> far.set(row.getKey() - 1, row.getValue()));
        return far;
    }

    /**
     * Samples a few posts of each author to find out how far the page reaches, and reads no further. If posts are
     * deleted meanwhile, that may not be far enough, and the page is read again.
     */
    @Override
    public List<Post> page(Handle handle, PageQuery query) {
        List<String> authors = List.copyOf(query.authors());
        for (int tried = 1; tried < TRIES; tried++) {
            int each = PostReader.sample(query);
            List<Optional<Long>> far = far(handle, authors, query.range(), query.order(), each);
            Optional<Long> end = end(far, each, query);
            List<String> candidates = each > 1 ? authors : reaching(authors, far, end, query.order());
            PositionRange range = end.map(at -> cut(query, at)).orElse(query.range());
            List<Post> page = merged(handle, candidates, range, query);
            if (end.isEmpty() || page.size() == query.limit()) {
                return page;
            }
        }
        return merged(handle, authors, query.range(), query);
    }

    /**
     * Returns the time down to which the page is full, if known: enough authors have {@code each} posts down to there.
     */
    private static Optional<Long> end(List<Optional<Long>> far, int each, PageQuery query) {
        int enough = (query.limit() - 1) / each;
        Order order = query.order();
        return far.stream()
                .flatMap(Optional::stream)
                .sorted((a, b) -> order == Order.NEWEST_FIRST ? Long.compare(b, a) : Long.compare(a, b))
                .skip(enough)
                .findFirst();
    }

    private static List<String> reaching(
            List<String> authors, List<Optional<Long>> first, Optional<Long> end, Order order) {
        return IntStream.range(0, authors.size())
                .filter(i -> first.get(i)
                        .filter(at ->
                                end.isEmpty() || (order == Order.NEWEST_FIRST ? at >= end.get() : at <= end.get()))
                        .isPresent())
                .mapToObj(authors::get)
                .toList();
    }

    private static PositionRange cut(PageQuery query, long end) {
        PositionRange range = query.range();
        if (query.order() == Order.NEWEST_FIRST) {
            return new PositionRange(Position.max(range.from(), new Position(end, "", "")), range.below());
        }
        return end == Long.MAX_VALUE
                ? range
                : new PositionRange(range.from(), Position.min(range.below(), new Position(end + 1, "", "")));
    }

    private static long end(PositionRange range, Order order) {
        return order == Order.NEWEST_FIRST
                ? range.from().millis()
                : range.below().millis();
    }

    private static String text(Map<Order, String> texts, Order order) {
        return requireNonNull(texts.get(order));
    }
}

package io.feedkit.jdbc.internal.posts;

import static java.util.Objects.requireNonNull;

import io.feedkit.Post;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Dialect;
import io.feedkit.jdbc.internal.sql.ParameterTable;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox.PageQuery;
import io.feedkit.spi.PositionRange;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/**
 * Reads with LATERAL joins, for PostgreSQL and MySQL. Each read is one statement. A page takes a second one if
 * {@link PageSpanEstimator} is wrong, or if there are no more posts.
 */
final class LateralPostReader implements PostReader {

    private static final ParameterTable AUTHORS = ParameterTable.named("k").text("author");

    private final Database database;
    private final Map<Order, String> first = new EnumMap<>(Order.class);
    private final Map<Order, String> page = new EnumMap<>(Order.class);
    private final String near;
    private final Optional<RangeScanReader> rangeScan;
    private final PageSpanEstimator estimator = new PageSpanEstimator();

    LateralPostReader(Database database) {
        this.database = database;
        Dialect dialect = database.dialect();
        for (Order order : Order.values()) {
            first.put(
                    order,
                    database.sql("SELECT k.i, f.author, f.id, f.published_at FROM " + AUTHORS.source(dialect)
                            + " CROSS JOIN LATERAL (" + posts(order, PostRangeSql.end(order), ":each") + ") f"));
            page.put(order, database.sql(page(dialect, order)));
        }
        near = database.sql("SELECT f.author, f.id, f.published_at FROM " + AUTHORS.source(dialect)
                + " CROSS JOIN LATERAL ("
                + posts(Order.NEWEST_FIRST, ":near", ":limit") + ") f" + PostRangeSql.order(Order.NEWEST_FIRST, "f")
                + " LIMIT :limit");
        rangeScan = dialect == Dialect.POSTGRESQL ? Optional.of(new RangeScanReader(database)) : Optional.empty();
    }

    /** Selects posts of the author {@code k}. */
    private String posts(Order order, String end, String limit) {
        return "SELECT p.author, p.id, p.published_at FROM ${post} p WHERE p.author = k.author"
                + PostRangeSql.condition(database.dialect(), order, end) + PostRangeSql.orderOfAuthor(order) + " LIMIT "
                + limit;
    }

    /**
     * Selects a page. A sample of each author's posts shows how far the page reaches, and posts are read down to there.
     */
    private String page(Dialect dialect, Order order) {
        String once = dialect == Dialect.POSTGRESQL ? "MATERIALIZED" : "";
        return """
                WITH sample AS %s (SELECT f.author, f.published_at FROM %s CROSS JOIN LATERAL (%s) f),
                bound AS %s (SELECT coalesce(
                    (SELECT s.published_at FROM sample s ORDER BY s.published_at %s LIMIT 1 OFFSET :skip), %s) AS at)
                SELECT f.author, f.id, f.published_at
                FROM (SELECT DISTINCT s.author FROM sample s WHERE s.published_at %s (SELECT at FROM bound)) k
                CROSS JOIN LATERAL (%s) f %s LIMIT :limit""".formatted(
                        once,
                        AUTHORS.source(dialect),
                        posts(order, PostRangeSql.end(order), ":each"),
                        once,
                        order == Order.NEWEST_FIRST ? "DESC" : "ASC",
                        PostRangeSql.end(order),
                        order == Order.NEWEST_FIRST ? ">=" : "<=",
                        posts(order, "(SELECT at FROM bound)", ":limit"),
                        PostRangeSql.order(order, "f"));
    }

    @Override
    public List<List<Post>> first(Handle handle, List<String> authors, PositionRange range, Order order, int each) {
        List<List<Post>> answers = PostReader.empty(authors.size());
        PostRangeSql.bind(database.query(handle, sql(first, order), rows(authors)), range)
                .bind("each", each)
                .map((row, context) -> Map.entry(row.getInt("i"), PostRows.post(row)))
                .forEach(found -> answers.get(found.getKey() - 1).add(found.getValue()));
        answers.forEach(posts -> posts.sort(PostReader.comparator(order)));
        return answers;
    }

    @Override
    public List<Post> page(Handle handle, PageQuery query) {
        if (query.order() != Order.NEWEST_FIRST) {
            return exact(handle, query);
        }
        List<Post> page = estimated(handle, query).orElseGet(() -> exact(handle, query));
        estimator.learn(query, page);
        return page;
    }

    /** Reads the page down to the estimated time; empty if there is no estimate, or if the page ends beyond it. */
    private Optional<List<Post>> estimated(Handle handle, PageQuery query) {
        OptionalLong estimate = estimator.estimate(query);
        if (estimate.isEmpty()) {
            return Optional.empty();
        }
        long time = estimate.getAsLong();
        boolean scans = rangeScan.isPresent() && query.authors().size() > RangeScanReader.FEW_AUTHORS;
        Optional<List<Post>> page = scans
                ? rangeScan.get().page(handle, query, time)
                : Optional.of(posts(bound(handle, near, query).bind("near", time)));
        boolean ends = time <= query.range().from().millis();
        return page.filter(found -> ends || found.size() == query.limit());
    }

    private List<Post> exact(Handle handle, PageQuery query) {
        return posts(bound(handle, sql(page, query.order()), query)
                .bind("each", PostReader.sample(query))
                .bind("skip", query.limit() - 1));
    }

    private Query bound(Handle handle, String sql, PageQuery query) {
        return PostRangeSql.bind(database.query(handle, sql, rows(query.authors())), query.range())
                .bind("limit", query.limit());
    }

    private static List<Post> posts(Query query) {
        return query.map((row, context) -> PostRows.post(row)).list();
    }

    private static String sql(Map<Order, String> texts, Order order) {
        return requireNonNull(texts.get(order));
    }

    private static ParameterTable.Rows rows(Collection<String> authors) {
        ParameterTable.Rows rows = AUTHORS.fill();
        authors.forEach(rows::add);
        return rows;
    }
}

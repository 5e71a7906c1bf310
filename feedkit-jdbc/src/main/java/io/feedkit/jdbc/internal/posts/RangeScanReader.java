package io.feedkit.jdbc.internal.posts;

import io.feedkit.Post;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.ParameterTable;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox.PageQuery;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/**
 * Reads the posts of many authors since a time with one scan of an index, for PostgreSQL. A LATERAL join, which looks
 * up each author separately, takes a quarter longer; the target for pull in {@code docs/reference/bench/jdbc.md} (at
 * most 1.3 times the fastest hand-written statement, measured 1.17 with 1000 authors) rests on this. A join stops
 * reading an author after a page of posts, but a scan does not. A scan that finds too many posts is therefore cut off:
 * the time was too early, or an author has published very many posts since.
 */
final class RangeScanReader {

    /** Up to this number of authors, a join is as fast as a scan, and never reads many pages. */
    static final int FEW_AUTHORS = 20;

    private static final int MOST_PAGES = 50;
    private static final ParameterTable AUTHORS = ParameterTable.named("k").text("author");

    private final Database database;
    private final String near;

    RangeScanReader(Database database) {
        this.database = database;
        near = database.sql("SELECT f.author, f.id, f.published_at, count(*) OVER () AS seen FROM ("
                + "SELECT p.author, p.id, p.published_at FROM ${post} p WHERE p.author = ANY("
                + AUTHORS.array(database.dialect()) + ")"
                + PostRangeSql.condition(database.dialect(), Order.NEWEST_FIRST, ":near")
                + PostRangeSql.orderOfAuthor(Order.NEWEST_FIRST) + " LIMIT :most) f"
                + PostRangeSql.order(Order.NEWEST_FIRST, "f")
                + " LIMIT :limit");
    }

    /** Reads the page down to a time; empty if there are more than fifty pages down to there. */
    Optional<List<Post>> page(Handle handle, PageQuery query, long time) {
        // PostgreSQL sorts the authors anyway, and is faster if they are sorted already.
        ParameterTable.Rows authors = AUTHORS.fill();
        query.authors().stream().sorted().forEach(authors::add);
        long most = (long) MOST_PAGES * query.limit();
        List<Seen> page = PostRangeSql.bind(database.query(handle, near, authors), query.range())
                .bind("near", time)
                .bind("most", most)
                .bind("limit", query.limit())
                .map((row, context) -> new Seen(PostRows.post(row), row.getLong("seen")))
                .list();
        boolean isCut = page.stream().anyMatch(row -> row.seen() == most);
        return isCut
                ? Optional.empty()
                : Optional.of(page.stream().map(Seen::post).toList());
    }

    /** A post, and the number of posts that the scan found. */
    private record Seen(Post post, long seen) {}
}

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
 * Reads what many authors have posted since some time as one scan of the index, for PostgreSQL: a join, which looks up each author on its own, takes a quarter longer. But where a join
 * leaves an author when it has a page of posts, a scan does not: if the time was too early, or somebody has posted very much since, it is broken off after some pages in all.
 */
final class RangeScanReader {

    /** Of so few a join is as quick, and never reads many pages. */
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

    /** The page of what there is down to some time, if that is not more than fifty. */
    Optional<List<Post>> page(Handle handle, PageQuery query, long time) {
        // The database sorts them anyway, which takes longer than to see that they are sorted.
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

    /** A post of some that were seen. */
    private record Seen(Post post, long seen) {}
}

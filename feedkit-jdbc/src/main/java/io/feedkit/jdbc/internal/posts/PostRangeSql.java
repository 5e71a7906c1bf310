package io.feedkit.jdbc.internal.posts;

import io.feedkit.jdbc.internal.sql.Dialect;
import io.feedkit.spi.Order;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import org.jdbi.v3.core.statement.SqlStatement;

/** SQL for ranges of posts and their order, on a table {@code p}. */
final class PostRangeSql {

    private PostRangeSql() {}

    /**
     * The condition that a post is in the range, for reads in an order. The database searches an index from one end of
     * the range (in PostgreSQL by time and id, elsewhere by time) until the time of the other end has passed, and
     * compares posts with the time of an end row by row. If the far end were compared as a row, too, PostgreSQL would
     * read on to the author's last post.
     *
     * @param end the time at which to stop: {@link #end}, or a nearer one
     */
    static String condition(Dialect dialect, Order order, String end) {
        boolean newestFirst = order == Order.NEWEST_FIRST;
        boolean rows = dialect == Dialect.POSTGRESQL;
        String below = rows ? "(p.published_at, p.id) <= (:belowAt, :belowId)" : "p.published_at <= :belowAt";
        String from = rows ? "(p.published_at, p.id) >= (:fromAt, :fromId)" : "p.published_at >= :fromAt";
        return " AND " + (newestFirst ? below : "p.published_at <= " + end)
                + " AND " + (newestFirst ? "p.published_at >= " + end : from)
                + " AND (p.published_at < :belowAt OR (p.id, p.author) < (:belowId, :belowAuthor))"
                + " AND (p.published_at > :fromAt OR (p.id, p.author) >= (:fromId, :fromAuthor))";
    }

    /** The time at the far end of a range. */
    static String end(Order order) {
        return order == Order.NEWEST_FIRST ? ":fromAt" : ":belowAt";
    }

    /** Orders posts of different authors. */
    static String order(Order order, String table) {
        String direction = direction(order);
        return " ORDER BY %2$s.published_at %1$s, %2$s.id %1$s, %2$s.author %1$s".formatted(direction, table);
    }

    /** Orders posts of one author. Some databases use the index only if all its columns are named. */
    static String orderOfAuthor(Order order) {
        return " ORDER BY p.author %1$s, p.published_at %2$s, p.id %2$s"
                .formatted(order == Order.NEWEST_FIRST ? "ASC" : "DESC", direction(order));
    }

    private static String direction(Order order) {
        return order == Order.NEWEST_FIRST ? "DESC" : "ASC";
    }

    static <S extends SqlStatement<S>> S bind(S statement, PositionRange range) {
        Position from = range.from();
        Position below = range.below();
        return statement
                .bind("fromAt", from.millis())
                .bind("fromId", from.id())
                .bind("fromAuthor", from.author())
                .bind("belowAt", below.millis())
                .bind("belowId", below.id())
                .bind("belowAuthor", below.author());
    }
}

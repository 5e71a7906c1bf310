package io.feedkit.jdbc.internal.outbox;

import io.feedkit.spi.Order;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import org.jdbi.v3.core.statement.SqlStatement;

/** Ranges of posts and their order, as SQL about a table {@code p}. */
final class Ranges {

    /** Whether a post is in the range. The times alone bound the search of an index; the rest cuts between ties. */
    static final String CONDITION = " " + """
             AND p.published_at >= :fromAt AND p.published_at <= :belowAt
             AND (p.published_at, p.id, p.author) >= (:fromAt, :fromId, :fromAuthor)
             AND (p.published_at, p.id, p.author) < (:belowAt, :belowId, :belowAuthor)""";

    private Ranges() {}

    /** Orders posts of different authors. */
    static String order(Order order, String table) {
        String direction = direction(order);
        return " ORDER BY %2$s.published_at %1$s, %2$s.id %1$s, %2$s.author %1$s".formatted(direction, table);
    }

    /** Orders posts of one author; all of the index's columns are named, or some databases do not use it. */
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

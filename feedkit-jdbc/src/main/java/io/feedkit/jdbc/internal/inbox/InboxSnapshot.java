package io.feedkit.jdbc.internal.inbox;

import static java.util.Objects.requireNonNull;

import io.feedkit.Post;
import io.feedkit.jdbc.internal.inbox.table.InboxRow;
import io.feedkit.spi.Inbox.Count;
import io.feedkit.spi.Inbox.CountQuery;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.Inbox.State;
import io.feedkit.spi.Order;
import io.feedkit.spi.Position;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A reader's inbox as one statement saw it. */
final class InboxSnapshot {

    /** The slice of a reader without a row. */
    static final Slice NOTHING = new Slice(State.ABSENT, List.of(), Position.HIGHEST, 0, 0, 0, 0, Set.of());

    private @Nullable InboxRow inbox;
    private final Set<String> pending = new HashSet<>();
    private final List<Post> posts = new ArrayList<>();
    private Position floor = Position.LOWEST;
    private long above;

    /**
     * Adds a row of the statement's answer; the rows come in any order. The column {@code part} is the kind of the row:
     * an entry, the lowest served entry, a number of entries (in the column of the time), a pending follow, or the row
     * of the inbox, which each answer has.
     */
    void add(ResultSet answer) throws SQLException {
        String part = answer.getString("part");
        if (part.equals("ROW")) {
            InboxRow row = InboxRow.of(answer);
            inbox = row;
            floor = Position.max(floor, row.floor());
            return;
        }
        String author = answer.getString("author");
        long millis = answer.getLong("published_at");
        switch (part) {
            case "ENTRY" -> posts.add(Post.of(author, answer.getString("id"), millis));
            case "COUNT" -> above = millis;
            case "FLOOR" -> floor = Position.max(floor, new Position(millis, answer.getString("id"), author));
            default -> pending.add(author);
        }
    }

    InboxRow row() {
        return requireNonNull(inbox);
    }

    Slice slice(SliceQuery query) {
        return slice(row().isLive() ? served(query.order()) : List.of());
    }

    /** The number of entries, without those that the query counts apart, and the entries to read. */
    Count count(CountQuery query, int cap) {
        if (!row().isLive()) {
            return new Count(slice(List.of()), 0);
        }
        List<Post> read = new ArrayList<>();
        int apart = 0;
        for (Post post : served(Order.NEWEST_FIRST)) {
            if (query.above().compareOf(post) > 0) {
                apart += query.isApart(post) ? 1 : 0;
            } else if (query.read().contains(post) && read.size() < query.limit()) {
                read.add(post);
            }
        }
        return new Count(slice(read), (int) Math.min(query.limit(), Math.min(cap, above) - apart));
    }

    private Slice slice(List<Post> served) {
        InboxRow row = row();
        if (!row.isOpen()) {
            return new Slice(State.ABSENT, List.of(), Position.HIGHEST, 0, 0, 0, row.epoch(), pending);
        }
        if (!row.isLive()) {
            return new Slice(State.BUILDING, List.of(), Position.HIGHEST, row.generation(), 0, 0, row.epoch(), pending);
        }
        return new Slice(
                State.LIVE, served, floor, row.generation(), row.mark(), row.followees(), row.epoch(), pending);
    }

    private List<Post> served(Order order) {
        Comparator<Post> upwards = Position::compare;
        return posts.stream()
                .filter(post -> floor.compareOf(post) >= 0)
                .sorted(order == Order.OLDEST_FIRST ? upwards : upwards.reversed())
                .toList();
    }
}

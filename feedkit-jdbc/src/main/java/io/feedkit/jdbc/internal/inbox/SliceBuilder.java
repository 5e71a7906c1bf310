package io.feedkit.jdbc.internal.inbox;

import io.feedkit.Post;
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

/** Puts a slice together from the rows of the database's answer. */
final class SliceBuilder {

    /** The slice of a reader that nothing is known of. */
    static final Slice NOTHING = new Slice(State.ABSENT, List.of(), Position.HIGHEST, 0, 0, 0, 0, Set.of());

    private final InboxRow row;
    private final Set<String> pending = new HashSet<>();
    private final List<Post> posts = new ArrayList<>();
    private Position floor;
    private long above;

    SliceBuilder(InboxRow row) {
        this.row = row;
        this.floor = row.floor();
    }

    /** Takes a row of the answer in; the first may have nothing but the inbox itself. */
    void add(ResultSet answer) throws SQLException {
        String part = answer.getString("part");
        if (part == null) {
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

    /** Whether the window was not renewed just now. */
    boolean isWorthRenewing(long window, long unrecorded) {
        return row.isLive()
                && (row.now() - row.renewedAt() > unrecorded || row.now() + window - row.endsAt() > unrecorded);
    }

    Slice slice(SliceQuery query) {
        return slice(row.isLive() ? served(query.order()) : List.of());
    }

    /** What was counted, but for those of the entries that are counted apart. */
    Count count(CountQuery query, int cap) {
        Slice slice = slice(List.of());
        if (!row.isLive()) {
            return new Count(slice, 0);
        }
        long apart = served(Order.NEWEST_FIRST).stream().filter(query::isApart).count();
        return new Count(slice, (int) Math.min(query.limit(), Math.min(cap, above) - apart));
    }

    private Slice slice(List<Post> served) {
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

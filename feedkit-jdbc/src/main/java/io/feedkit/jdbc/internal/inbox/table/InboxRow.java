package io.feedkit.jdbc.internal.inbox.table;

import io.feedkit.Post;
import io.feedkit.spi.Inbox.State;
import io.feedkit.spi.Position;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * The row of a reader in the table {@code inbox}, as one statement saw it.
 *
 * @param endsAt when the inbox expires; for a row without inbox, when its epoch expires
 * @param entries the number of stored entries
 * @param now the store's time when the row was read
 */
public record InboxRow(
        String reader,
        State state,
        long generation,
        long epoch,
        long endsAt,
        long leaseUntil,
        long renewedAt,
        long mark,
        long followees,
        Position floor,
        int entries,
        long now) {

    private static final List<String> STORED = List.of(
            "reader",
            "state",
            "generation",
            "epoch",
            "ends_at",
            "lease_until",
            "renewed_at",
            "mark",
            "followees",
            "floor_at",
            "floor_id",
            "floor_author",
            "entries");

    /** All columns, for a SELECT from {@code ${inbox} b}. */
    public static final String COLUMNS = columns(name -> "b." + name, "${now}");

    /**
     * All columns, as {@link #COLUMNS}, in the rows of an answer for which a condition holds. They are null in the
     * other rows: a long answer does not repeat them.
     */
    public static String columnsIf(String condition) {
        return columns(
                name -> "CASE WHEN " + condition + " THEN b." + name + " END AS " + name,
                "CASE WHEN " + condition + " THEN ${now} END");
    }

    private static String columns(UnaryOperator<String> stored, String now) {
        return STORED.stream().map(stored).collect(Collectors.joining(", ", "", ", " + now + " AS read_at"));
    }

    /** Reads the {@link #COLUMNS}, where they are not null. */
    public static InboxRow of(ResultSet row) throws SQLException {
        return new InboxRow(
                row.getString("reader"),
                State.valueOf(row.getString("state")),
                row.getLong("generation"),
                row.getLong("epoch"),
                row.getLong("ends_at"),
                row.getLong("lease_until"),
                row.getLong("renewed_at"),
                row.getLong("mark"),
                row.getLong("followees"),
                new Position(row.getLong("floor_at"), row.getString("floor_id"), row.getString("floor_author")),
                row.getInt("entries"),
                row.getLong("read_at"));
    }

    /** Whether the inbox is building or live, and has not expired. */
    public boolean isOpen() {
        return state != State.ABSENT && endsAt > now;
    }

    /** Whether the inbox has expired and is not closed yet. */
    public boolean isExpired() {
        return state != State.ABSENT && endsAt <= now;
    }

    /** Whether the inbox is live and has not expired. */
    public boolean isLive() {
        return state == State.LIVE && isOpen();
    }

    /** Whether the inbox is being built and the builder's lease has not expired. */
    public boolean isLeased() {
        return state == State.BUILDING && isOpen() && now < leaseUntil;
    }

    /** Whether the open inbox is of this generation. */
    public boolean isOfGeneration(long wanted) {
        return isOpen() && generation == wanted;
    }

    /** Whether the window was renewed at this time or later; a building inbox counts as renewed now. */
    public boolean isSeenSince(long time) {
        return state == State.BUILDING || renewedAt >= time;
    }

    /** Whether the post is not below the floor. */
    public boolean accepts(Post post) {
        return floor.compareOf(post) >= 0;
    }

    /** The row without an inbox, whose epoch expires at a time. */
    public InboxRow closed(long until) {
        return new InboxRow(
                reader, State.ABSENT, generation, epoch, until, leaseUntil, renewedAt, mark, followees, floor, 0, now);
    }

    /** The row with another checksum of followees. */
    public InboxRow withFollowees(long checksum) {
        return new InboxRow(
                reader, state, generation, epoch, endsAt, leaseUntil, renewedAt, mark, checksum, floor, entries, now);
    }

    /** The row with another floor and number of entries. */
    public InboxRow withContents(Position newFloor, int newEntries) {
        return new InboxRow(
                reader,
                state,
                generation,
                epoch,
                endsAt,
                leaseUntil,
                renewedAt,
                mark,
                followees,
                newFloor,
                newEntries,
                now);
    }
}

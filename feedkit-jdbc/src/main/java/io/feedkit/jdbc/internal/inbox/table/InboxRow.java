package io.feedkit.jdbc.internal.inbox.table;

import io.feedkit.Post;
import io.feedkit.spi.Inbox.State;
import io.feedkit.spi.Position;
import java.sql.ResultSet;
import java.sql.SQLException;

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

    /** All columns, for a SELECT from {@code ${inbox} b}. */
    public static final String COLUMNS =
            "b.reader, b.state, b.generation, b.epoch, b.ends_at, b.lease_until, b.renewed_at, b.mark, b.followees,"
                    + " b.floor_at, b.floor_id, b.floor_author, b.entries, ${now} AS read_at";

    /** Reads the {@link #COLUMNS}. */
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

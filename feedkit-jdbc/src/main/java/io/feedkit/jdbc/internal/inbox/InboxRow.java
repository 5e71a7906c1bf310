package io.feedkit.jdbc.internal.inbox;

import io.feedkit.Post;
import io.feedkit.spi.Inbox.State;
import io.feedkit.spi.Position;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * What the row of a reader says at one moment.
 *
 * @param endsAt when the inbox is over, or the epoch if there is no inbox
 * @param entries how many entries are stored
 * @param now the store's time when it was read
 */
record InboxRow(
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

    /** All of it, as a part of a SELECT from {@code ${inbox} b}. */
    static final String COLUMNS =
            "b.reader, b.state, b.generation, b.epoch, b.ends_at, b.lease_until, b.renewed_at, b.mark, b.followees,"
                    + " b.floor_at, b.floor_id, b.floor_author, b.entries, ${now} AS read_at";

    static InboxRow of(ResultSet row) throws SQLException {
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

    /** Whether it is building or live, and its time is not over. */
    boolean isOpen() {
        return state != State.ABSENT && endsAt > now;
    }

    /** Whether its time is over, and nobody has closed it yet. */
    boolean isOverdue() {
        return state != State.ABSENT && endsAt <= now;
    }

    boolean isLive() {
        return state == State.LIVE && isOpen();
    }

    boolean isLeased() {
        return state == State.BUILDING && isOpen() && now < leaseUntil;
    }

    boolean isOf(long ofGeneration) {
        return isOpen() && generation == ofGeneration;
    }

    boolean isSeenSince(long time) {
        return state == State.BUILDING || renewedAt >= time;
    }

    boolean takes(Post post) {
        return floor.compareOf(post) >= 0;
    }

    /** The row with another floor and number of entries. */
    InboxRow holding(Position newFloor, int newEntries) {
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

package io.feedkit.jdbc.internal.inbox;

import io.feedkit.FeedKitException;
import io.feedkit.jdbc.internal.inbox.table.InboxRow;
import io.feedkit.jdbc.internal.inbox.table.InboxTable;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Dialect;
import io.feedkit.jdbc.internal.sql.Durations;
import io.feedkit.jdbc.internal.sql.Joins;
import io.feedkit.spi.InboxLimits;
import java.util.Collection;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews the live windows of readers. The read already has its answer, so a renewal never waits for a locked inbox and
 * never fails the read. If a renewal cannot be written, the next read renews the window.
 */
final class WindowRenewal {

    private static final Logger LOG = LoggerFactory.getLogger(WindowRenewal.class);

    private static final int LONGEST_SECONDS = 1;
    private static final int PARTS_OF_WINDOW = 10_000;
    private static final long LONGEST_MINIMUM_AGE = 10_000;
    private static final String OPEN = "b.state = 'LIVE' AND b.ends_at > ${now}";

    private final Database database;
    private final long window;
    private final long minimumAge;
    private final String atOnce;
    private final String lock;
    private final String renew;

    WindowRenewal(Database database, InboxLimits limits) {
        this.database = database;
        this.window = Durations.bounded(limits.liveWindowMillis());
        this.minimumAge = Math.min(limits.liveWindowMillis() / PARTS_OF_WINDOW, LONGEST_MINIMUM_AGE);
        Joins joins = new Joins(database.dialect());
        String changes = "renewed_at = greatest(renewed_at, ${now}), ends_at = greatest(ends_at, ${now} + :window)";
        String match = "b.reader = r.wanted";
        String skipLocked = database.dialect().forUpdate("b") + " SKIP LOCKED";
        atOnce = database.sql("WITH free AS MATERIALIZED (SELECT b.reader AS held FROM "
                + joins.from(InboxTable.READERS, "${inbox} b", match) + " WHERE " + OPEN
                + " ORDER BY b.reader" + skipLocked + ")"
                + " UPDATE ${inbox} SET " + changes + " FROM free WHERE reader = held");
        lock = database.sql("SELECT b.reader FROM "
                + (database.dialect() == Dialect.H2
                        ? "${inbox} b WHERE b.reader IN (SELECT r.wanted FROM "
                                + InboxTable.READERS.source(database.dialect()) + ") AND "
                        : joins.from(InboxTable.READERS, "${inbox} b", match) + " WHERE ")
                + OPEN + skipLocked);
        renew = database.sql(joins.update(InboxTable.READERS, "${inbox}", "b", changes, match));
    }

    /** Whether the last recorded renewal of a live inbox is old enough for another write. */
    boolean isDue(InboxRow row) {
        return row.isLive()
                && (row.now() - row.renewedAt() > minimumAge || row.now() + window - row.endsAt() > minimumAge);
    }

    /** Renews the windows of the readers whose rows are not locked. */
    void attempt(Collection<String> readers) {
        try {
            if (database.dialect() == Dialect.POSTGRESQL) {
                database.statement("inbox.renew", handle -> change(handle, atOnce, readers));
            } else {
                database.transaction("inbox.renew", handle -> lockAndChange(handle, readers));
            }
        } catch (FeedKitException e) {
            LOG.debug("The windows of {} readers were not renewed; their next read renews them", readers.size(), e);
        }
    }

    private int lockAndChange(Handle handle, Collection<String> readers) {
        List<String> free = database.query(handle, lock, InboxTable.READERS.ofIds(readers))
                .setQueryTimeout(LONGEST_SECONDS)
                .mapTo(String.class)
                .list();
        return free.isEmpty() ? 0 : change(handle, renew, free);
    }

    private int change(Handle handle, String sql, Collection<String> readers) {
        return database.update(handle, sql, InboxTable.READERS.ofIds(readers))
                .bind("window", window)
                .setQueryTimeout(LONGEST_SECONDS)
                .execute();
    }
}

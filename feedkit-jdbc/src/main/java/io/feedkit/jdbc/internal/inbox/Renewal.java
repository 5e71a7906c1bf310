package io.feedkit.jdbc.internal.inbox;

import io.feedkit.FeedKitException;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Dialect;
import io.feedkit.jdbc.internal.sql.Joins;
import io.feedkit.jdbc.internal.sql.ParameterTable;
import io.feedkit.spi.InboxLimits;
import java.util.List;
import java.util.SortedSet;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews the windows of those who read. The read has its answer already, so a renewal neither waits for whoever has locked an inbox nor fails the read: one that
 * cannot be written has not been made, and the next read makes it.
 */
final class Renewal {

    private static final Logger LOG = LoggerFactory.getLogger(Renewal.class);

    private static final int LONGEST_SECONDS = 1;
    private static final ParameterTable READERS = ParameterTable.named("r").text("wanted");
    private static final String OPEN = "b.state = 'LIVE' AND b.ends_at > ${now}";

    private final Database database;
    private final long window;
    private final String atOnce;
    private final String lock;
    private final String renew;

    Renewal(Database database, InboxLimits limits) {
        this.database = database;
        this.window = Windows.bounded(limits.liveWindowMillis());
        Joins joins = new Joins(database.dialect());
        String changes = "renewed_at = greatest(renewed_at, ${now}), ends_at = greatest(ends_at, ${now} + :window)";
        String match = "b.reader = r.wanted";
        String skipLocked = database.dialect().forUpdate("b") + " SKIP LOCKED";
        atOnce = database.sql("WITH free AS MATERIALIZED (SELECT b.reader AS held FROM "
                + joins.from(READERS, "${inbox} b", match) + " WHERE " + OPEN
                + " ORDER BY b.reader" + skipLocked + ")"
                + " UPDATE ${inbox} SET " + changes + " FROM free WHERE reader = held");
        lock = database.sql("SELECT b.reader FROM "
                + (database.dialect() == Dialect.H2
                        ? "${inbox} b WHERE b.reader IN (SELECT r.wanted FROM " + READERS.source(database.dialect())
                                + ") AND "
                        : joins.from(READERS, "${inbox} b", match) + " WHERE ")
                + OPEN + skipLocked);
        renew = database.sql(joins.update(READERS, "${inbox}", "b", changes, match));
    }

    /** Renews what can be renewed now. */
    void attempt(SortedSet<String> readers) {
        try {
            if (database.dialect() == Dialect.POSTGRESQL) {
                database.statement("inbox.renew", handle -> change(handle, atOnce, List.copyOf(readers)));
            } else {
                database.transaction("inbox.renew", handle -> lockAndChange(handle, List.copyOf(readers)));
            }
        } catch (FeedKitException e) {
            LOG.debug("{} windows were not renewed; the next read renews them", readers.size(), e);
        }
    }

    private int lockAndChange(Handle handle, List<String> readers) {
        List<String> free = database.query(handle, lock, fill(readers))
                .setQueryTimeout(LONGEST_SECONDS)
                .mapTo(String.class)
                .list();
        return free.isEmpty() ? 0 : change(handle, renew, free);
    }

    private int change(Handle handle, String sql, List<String> readers) {
        return database.update(handle, sql, fill(readers))
                .bind("window", window)
                .setQueryTimeout(LONGEST_SECONDS)
                .execute();
    }

    private static ParameterTable.Rows fill(List<String> readers) {
        ParameterTable.Rows filled = READERS.fill();
        readers.forEach(filled::add);
        return filled;
    }
}

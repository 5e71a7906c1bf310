package io.feedkit.jdbc.internal.outbox;

import io.feedkit.jdbc.internal.sql.Database;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.SqlStatement;

/**
 * What transactions on PostgreSQL tell others about appends that are not committed: a shared advisory lock, held to the transaction's end, whose key is a second of the store's clock
 * before the append's. (PostgreSQL reads only what is committed, and a host may leave its transaction open for minutes.)
 *
 * <p>The lock is asked for before the append reads the clock, and locks go only after what was committed can be read. So whoever reads the clock, then the locks, then the committed tasks,
 * in this order, misses no append from before the first of these.
 */
final class UncommittedAppends {

    /** Takes the lock: an expression that is not null, and comes before the time of the append is taken. */
    static final String ENTER =
            "CAST(pg_advisory_xact_lock_shared(:lockClass, CAST(CAST(${now} / 1000 AS bit(32)) AS integer)) AS text)";

    private final Database database;
    private final String oldest;

    UncommittedAppends(Database database) {
        this.database = database;
        oldest = database.sql("""
                SELECT 1000 * min(CAST(objid AS bigint)) FROM pg_locks
                WHERE locktype = 'advisory' AND objsubid = 2 AND classid = CAST(CAST(:lockClass AS bigint) & 4294967295 AS oid)
                  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())""");
    }

    /** Names the locks of these tables. */
    static <S extends SqlStatement<S>> S bind(S statement, Database database) {
        CRC32 hash = new CRC32();
        hash.update(database.sql("${post}").getBytes(StandardCharsets.US_ASCII));
        return statement.bind("lockClass", (int) hash.getValue());
    }

    /** A time at or before the oldest append that is under way, or {@code Long.MAX_VALUE} if there is none. */
    long oldest(Handle handle) {
        return bind(database.query(handle, oldest), database)
                .mapTo(Long.class)
                .findOne()
                .orElse(Long.MAX_VALUE);
    }
}

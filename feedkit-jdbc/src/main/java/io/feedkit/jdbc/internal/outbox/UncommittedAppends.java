package io.feedkit.jdbc.internal.outbox;

import io.feedkit.jdbc.internal.sql.Database;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.SqlStatement;

/**
 * Shows appends and deletions that are not committed yet to other transactions, on PostgreSQL. PostgreSQL reads only
 * committed rows, and a host may leave its transaction open for minutes. Each of them therefore takes a shared advisory
 * lock until the end of its transaction. The key of the lock is a second of the store's clock, at or before its time.
 *
 * <p>An append takes the lock before it reads the clock, and PostgreSQL releases locks after committed rows can be
 * read. A transaction that first reads the clock, then the locks, then the committed tasks, therefore misses none
 * that is older than its reading of the clock.
 */
final class UncommittedAppends {

    /** Takes the lock: an expression that is not null. It is evaluated before the statement reads the clock. */
    static final String ENTER =
            "CAST(pg_advisory_xact_lock_shared(:lockClass, CAST(CAST(${now} / 1000 AS bit(32)) AS integer)) AS text)";

    private final Database database;
    private final String oldest;

    UncommittedAppends(Database database) {
        this.database = database;
        oldest = database.sql("""
                SELECT 1000 * min(CAST(objid AS bigint)) FROM pg_locks
                WHERE locktype = 'advisory' AND objsubid = 2
                  AND classid = CAST(CAST(:lockClass AS bigint) & 4294967295 AS oid)
                  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())""");
    }

    /** Binds the class of the locks, which distinguishes these tables from others. */
    static <S extends SqlStatement<S>> S bind(S statement, Database database) {
        CRC32 hash = new CRC32();
        hash.update(database.sql("${post}").getBytes(StandardCharsets.US_ASCII));
        return statement.bind("lockClass", (int) hash.getValue());
    }

    /** A time at or before the oldest uncommitted append or deletion; {@code Long.MAX_VALUE} if there is none. */
    long oldest(Handle handle) {
        return bind(database.query(handle, oldest), database)
                .mapTo(Long.class)
                .findOne()
                .orElse(Long.MAX_VALUE);
    }
}

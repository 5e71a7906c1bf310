package io.feedkit.jdbc.internal.register;

import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Dialect;
import io.feedkit.spi.PulledRegister.Moment;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Which rows of the register changed since a moment. Numbers and times are drawn before a transaction commits, and not
 * in the order of commits, so a moment also knows which transactions were open. Thread-safe.
 */
interface ChangeLog {

    /** For how long changes are told. What left the register is kept twice as long. */
    long REMEMBERED_MILLIS = 300_000;

    /** The most changes that are told. After more, it is cheaper to begin again. */
    int MOST_CHANGES = 20_000;

    /**
     * What changed.
     *
     * @param moment where the next answer goes on
     * @param rows the rows that changed, and authors and posts that left; empty if that is not known
     */
    record Changes(Moment moment, Optional<List<RegisterRow>> rows) {}

    /** What changed since a moment, if there is one. */
    Changes since(Handle handle, @Nullable Moment moment);

    /** The log of a database. */
    static ChangeLog of(Database database) {
        return database.dialect() == Dialect.POSTGRESQL
                ? new PostgresChangeLog(database)
                : new PortableChangeLog(database);
    }
}

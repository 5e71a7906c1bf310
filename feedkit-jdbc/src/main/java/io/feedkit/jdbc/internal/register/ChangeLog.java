package io.feedkit.jdbc.internal.register;

import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Dialect;
import io.feedkit.spi.PulledRegister.Moment;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Finds the rows of the register that changed since a moment. Numbers and times are drawn before a transaction commits,
 * and not in the order of commits, so a moment also records which transactions were open. Thread-safe.
 */
interface ChangeLog {

    /** How long changes are reported. Authors and posts that left the register are kept twice as long. */
    long REMEMBERED_MILLIS = 300_000;

    /** The maximum number of reported changes. With more changes, it is cheaper to read the register again. */
    int MOST_CHANGES = 20_000;

    /**
     * The changes since a moment.
     *
     * @param moment the moment from which the next answer continues
     * @param rows the rows that changed, and authors and posts that left; empty if the changes are not known
     */
    record Changes(Moment moment, Optional<List<RegisterRow>> rows) {}

    /** Returns the current moment, and the changes since an earlier one if it is given. */
    Changes since(Handle handle, @Nullable Moment moment);

    /** Creates the log of a database. */
    static ChangeLog of(Database database) {
        return database.dialect() == Dialect.POSTGRESQL
                ? new PostgresChangeLog(database)
                : new PortableChangeLog(database);
    }
}

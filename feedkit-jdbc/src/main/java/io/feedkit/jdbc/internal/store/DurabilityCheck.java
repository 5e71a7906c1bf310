package io.feedkit.jdbc.internal.store;

import io.feedkit.StoreUnavailableException;
import io.feedkit.jdbc.internal.sql.Database;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for settings by which a database acknowledges commits that a crash loses.
 *
 * @param durability what survives a crash
 * @param dangers the settings, with what to do
 */
public record DurabilityCheck(String durability, List<String> dangers) {

    private static final Logger LOG = LoggerFactory.getLogger(DurabilityCheck.class);

    private static final Map<String, String> POSTGRESQL = Map.of("synchronous_commit", "on", "fsync", "on");
    private static final Map<String, String> MYSQL = Map.of("innodb_flush_log_at_trx_commit", "1");

    /** Copies the dangers. */
    public DurabilityCheck {
        dangers = List.copyOf(dangers);
    }

    /** Asks the database, and logs what it finds. A database that does not show its settings is not refused. */
    public static DurabilityCheck run(Database database) {
        try {
            DurabilityCheck found = database.read("store.check", handle -> ask(database, handle));
            if (!found.dangers().isEmpty()) {
                LOG.warn("{}: change the settings of the database: {}", database, String.join("; ", found.dangers()));
            }
            return found;
        } catch (StoreUnavailableException e) {
            LOG.debug("{}: the settings are not shown", database, e);
            return new DurabilityCheck("not known, because the database does not show its settings", List.of());
        }
    }

    private static DurabilityCheck ask(Database database, Handle handle) {
        return switch (database.dialect()) {
            case H2 ->
                database.place().startsWith("jdbc:h2:mem:")
                        ? new DurabilityCheck("lost when the process ends", List.of())
                        : new DurabilityCheck("a crash of the machine may lose the last second", List.of());
            case POSTGRESQL -> settings(handle, POSTGRESQL, "SELECT current_setting('%s')");
            case MYSQL, MARIADB -> settings(handle, MYSQL, "SELECT CAST(@@global.%s AS CHAR)");
        };
    }

    private static DurabilityCheck settings(Handle handle, Map<String, String> safe, String query) {
        List<String> dangers = new ArrayList<>();
        safe.forEach((name, wanted) -> {
            String value = handle.createQuery(query.replace("%s", name))
                    .mapTo(String.class)
                    .one();
            if (!isSafe(value, wanted)) {
                dangers.add(name + " is " + value + ": a crash loses acknowledged posts: set " + name + "=" + wanted);
            }
        });
        return new DurabilityCheck(
                dangers.isEmpty() ? "survives a crash of the server" : "a crash loses the last writes", dangers);
    }

    /** With local, remote_write and remote_apply, PostgreSQL writes to its own disk before it acknowledges a commit. */
    private static boolean isSafe(String value, String wanted) {
        return value.equals(wanted) || value.equals("local") || value.startsWith("remote_");
    }
}

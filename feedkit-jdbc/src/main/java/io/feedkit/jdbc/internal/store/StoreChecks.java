package io.feedkit.jdbc.internal.store;

import io.feedkit.StoreUnavailableException;
import io.feedkit.jdbc.internal.sql.Collations;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Failures;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jdbi.v3.core.Handle;

/** What is asked of a data source before a store is built on it. */
public final class StoreChecks {

    private static final String TRANSACTION_AWARE =
            "org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy";

    private StoreChecks() {}

    /**
     * Refuses a data source whose connections belong to a transaction of the host's: the store's own commits would end that. It is known by its class name,
     * also behind other wrappers, so that Spring is not needed.
     *
     * @throws IllegalArgumentException if it is one
     */
    public static void requireOwnTransactions(DataSource dataSource) {
        if (isTransactionAware(dataSource)) {
            throw new IllegalArgumentException(
                    "dataSource must not be a TransactionAwareDataSourceProxy, because the store commits on its own connections:"
                            + " give the store the proxy's target, and publish in your transactions with JdbcTransaction");
        }
    }

    private static boolean isTransactionAware(DataSource dataSource) {
        for (Class<?> type = dataSource.getClass(); type != null; type = type.getSuperclass()) {
            if (type.getName().equals(TRANSACTION_AWARE)) {
                return true;
            }
        }
        try {
            Class<?> proxy = Class.forName(
                    TRANSACTION_AWARE, false, dataSource.getClass().getClassLoader());
            return dataSource.isWrapperFor(proxy);
        } catch (ClassNotFoundException | LinkageError | SQLException | RuntimeException e) {
            return false;
        }
    }

    /**
     * Refuses a database that is older than what the statements are written for.
     *
     * @throws IllegalArgumentException if it is; the message says what is needed
     * @throws StoreUnavailableException if it cannot be asked
     */
    public static void requireVersion(Database database) {
        String version = database.read("store.check", StoreChecks::version);
        SupportedVersions.tooOld(database.dialect(), version).ifPresent(needed -> {
            throw new IllegalArgumentException(
                    "dataSource must lead to " + needed + ", but leads to version " + version);
        });
    }

    private static String version(Handle handle) {
        try {
            return handle.getConnection().getMetaData().getDatabaseProductVersion();
        } catch (SQLException e) {
            throw new StoreUnavailableException("store.check", e);
        }
    }

    /**
     * Refuses a database that cannot be written, or that orders ids in any other way than by bytes; and connections that count the rows an update changes.
     *
     * @throws IllegalArgumentException if it is so
     * @throws StoreUnavailableException if it cannot be asked
     */
    public static void requireFit(Database database) {
        requireWritable(database);
        requireFoundRows(database);
        database.read("store.check", handle -> Collations.unfit(database, handle))
                .ifPresent(unfit -> {
                    throw new IllegalArgumentException(
                            "dataSource must lead to tables that order ids by bytes, as those of JdbcSchema do, but "
                                    + unfit);
                });
    }

    private static void requireWritable(Database database) {
        String nothing = database.sql("DELETE FROM ${schema_version} WHERE version < 0");
        try {
            database.transaction(
                    "store.check", handle -> database.update(handle, nothing).execute());
        } catch (StoreUnavailableException e) {
            if (Failures.isReadOnly(e)) {
                throw new IllegalArgumentException(
                        "dataSource must lead to a database that can be written, but it, or its connections, are read-only",
                        e);
            }
            throw e;
        }
    }

    /** Steps of tasks and inboxes know by the count of an update whether their row was still there, also if it is as it was. The schema's own row is always there. */
    private static void requireFoundRows(Database database) {
        if (!database.dialect().isMySql()) {
            return;
        }
        String same = database.sql("UPDATE ${schema_version} SET version = version WHERE version > 0");
        int found = database.transaction(
                "store.check", handle -> database.update(handle, same).execute());
        if (found == 0) {
            throw new IllegalArgumentException(
                    "dataSource must have connections on which an update counts the rows it finds, but they count those it changes: leave out useAffectedRows=true");
        }
    }
}

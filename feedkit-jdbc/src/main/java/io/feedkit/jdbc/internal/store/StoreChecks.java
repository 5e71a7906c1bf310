package io.feedkit.jdbc.internal.store;

import io.feedkit.StoreUnavailableException;
import io.feedkit.jdbc.internal.sql.Collations;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Failures;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jdbi.v3.core.Handle;

/** Checks a data source before a store is built on it. */
public final class StoreChecks {

    private static final String TRANSACTION_AWARE =
            "org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy";

    private StoreChecks() {}

    /**
     * Refuses a data source whose connections belong to a transaction of the host's, because the store's commits would
     * end that transaction. The check compares the name of the class, also behind other wrappers, so it does not need
     * Spring.
     *
     * @throws IllegalArgumentException if the data source is of that class
     */
    public static void requireOwnTransactions(DataSource dataSource) {
        if (isTransactionAware(dataSource)) {
            throw new IllegalArgumentException(
                    "dataSource must not be a TransactionAwareDataSourceProxy, because the store commits on its"
                            + " connections: give the store the proxy's target, and publish in your transactions"
                            + " with JdbcTransaction");
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
     * Refuses a database that is too old for FeedKit's statements.
     *
     * @throws IllegalArgumentException if the database is too old; the message names the needed version
     * @throws StoreUnavailableException if the database does not answer
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
     * Refuses a database that is read-only or does not order ids by bytes, and connections on which an update counts
     * only the rows it changes.
     *
     * @throws IllegalArgumentException if the database or its connections are unfit
     * @throws StoreUnavailableException if the database does not answer
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
                        "dataSource must lead to a writable database, but the database or its connections"
                                + " are read-only",
                        e);
            }
            throw e;
        }
    }

    /**
     * Writes of tasks and inboxes rely on the count of an update: the count has to include rows that match but do not
     * change. The check updates the row of the schema's version, which always exists.
     */
    private static void requireFoundRows(Database database) {
        if (!database.dialect().isMySql()) {
            return;
        }
        String same = database.sql("UPDATE ${schema_version} SET version = version WHERE version > 0");
        int found = database.transaction(
                "store.check", handle -> database.update(handle, same).execute());
        if (found == 0) {
            throw new IllegalArgumentException(
                    "dataSource must have connections on which an update counts the matched rows,"
                            + " but they count the changed rows: remove useAffectedRows=true");
        }
    }
}

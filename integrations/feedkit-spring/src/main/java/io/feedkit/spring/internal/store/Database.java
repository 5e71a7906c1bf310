package io.feedkit.spring.internal.store;

import io.feedkit.jdbc.JdbcTransaction;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.TransactionalOutbox;
import io.feedkit.spring.internal.schema.SchemaSetup;
import java.util.Optional;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.util.function.SingletonSupplier;

/** The application's database. FeedKit's tables are created or checked when they are first needed. Thread-safe. */
public final class Database {

    private final SingletonSupplier<Optional<DataSource>> found;
    private final SingletonSupplier<Optional<DataSource>> prepared;

    /**
     * Creates a database, without a connection.
     *
     * @param find finds the data source
     * @param persistence may have to create the application's tables first
     * @param schema creates or checks FeedKit's tables
     */
    public Database(Supplier<Optional<DataSource>> find, HostPersistence persistence, SchemaSetup schema) {
        found = SingletonSupplier.of(find);
        prepared = SingletonSupplier.of(() -> {
            Optional<DataSource> dataSource = find();
            dataSource.ifPresent(database -> {
                persistence.prepare();
                schema.prepare(database);
            });
            return dataSource;
        });
    }

    /** Whether a store of the application's own is in a database, as far as that is known. */
    public static boolean isOf(@Nullable FeedStore store) {
        return store == null
                || (store.outbox() instanceof TransactionalOutbox outbox && outbox.canJoin(JdbcTransaction.class));
    }

    /**
     * Finds the data source.
     *
     * @return empty if the application has none
     * @throws io.feedkit.spring.InvalidSettingException if it has several and no property names one
     */
    public Optional<DataSource> find() {
        return found.obtain();
    }

    /**
     * Finds the data source, with FeedKit's tables.
     *
     * @return empty if the application has none
     * @throws io.feedkit.spring.InvalidSettingException as {@link #find}, or if the tables are missing and cannot be
     *     created
     */
    Optional<DataSource> withTables() {
        return prepared.obtain();
    }
}

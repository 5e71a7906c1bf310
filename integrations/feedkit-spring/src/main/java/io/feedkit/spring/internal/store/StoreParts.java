package io.feedkit.spring.internal.store;

import io.feedkit.spi.ComposedStore;
import io.feedkit.spi.PresenceStore;
import java.util.Optional;
import java.util.function.Supplier;
import javax.sql.DataSource;

/**
 * The store that was put together, and what belongs to it.
 *
 * @param store the store
 * @param dataSource the data source of the posts; empty if they are not in SQL
 * @param inRedis whether inboxes are in Redis
 * @param presence makes the presence of all engines on the store
 */
public record StoreParts(
        ComposedStore store, Optional<DataSource> dataSource, boolean inRedis, Supplier<PresenceStore> presence)
        implements AutoCloseable {

    @Override
    public void close() {
        store.close();
    }
}

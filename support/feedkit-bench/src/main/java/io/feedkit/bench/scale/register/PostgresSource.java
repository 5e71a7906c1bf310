package io.feedkit.bench.scale.register;

import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.bench.jdbc.BenchDatabase;
import io.feedkit.bench.jdbc.RoundTrips;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.WritableFollowGraph;
import java.util.Optional;

/** PostgreSQL. */
final class PostgresSource implements SourceServer {

    private final BenchDatabase database = BenchDatabase.open(Optional.empty());
    private final RoundTrips trips = new RoundTrips();
    private final HikariDataSource pool = database.pool(trips);
    private final JdbcFeedStore writers = database.store();
    private final JdbcFeedStore readers = database.storeWithoutMaintenance(pool);

    @Override
    public Outbox writers() {
        return writers.outbox();
    }

    @Override
    public Outbox readers() {
        return readers.outbox();
    }

    @Override
    public WritableFollowGraph graph() {
        return (WritableFollowGraph) writers.graph();
    }

    @Override
    public double calls() {
        return trips.count();
    }

    @Override
    public double cpuSeconds() {
        return database.cpuSeconds();
    }

    @Override
    public void settle() {
        database.settle("pulled", "post", "follow");
    }

    @Override
    public void close() {
        readers.close();
        writers.close();
        pool.close();
        database.close();
    }
}

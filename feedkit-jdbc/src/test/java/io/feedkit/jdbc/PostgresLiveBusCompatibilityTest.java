package io.feedkit.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.live.LiveBus;
import io.feedkit.testkit.LiveBusCompatibilityKit;
import io.feedkit.testservers.FaultyProxy;
import io.feedkit.testservers.PostgresServer;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;

class PostgresLiveBusCompatibilityTest extends LiveBusCompatibilityKit {

    private static final String URL = PostgresServer.shared().createDatabase();

    private final FaultyProxy proxy = FaultyProxy.before(PostgresServer.shared().port());
    private final HikariDataSource away = pool(proxy.url(URL));
    private final HikariDataSource near = pool(URL);
    private final PostgresLiveBus bus = PostgresLiveBus.create(away);
    private final PostgresLiveBus another = PostgresLiveBus.create(near);
    private final PostgresLiveBus separate =
            PostgresLiveBus.builder(near).prefix("other_").build();

    private static HikariDataSource pool(String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMinimumIdle(1);
        config.setConnectionTimeout(1000);
        return new HikariDataSource(config);
    }

    @Override
    protected LiveBus bus() {
        return bus;
    }

    @Override
    protected LiveBus anotherBus() {
        return another;
    }

    @Override
    protected LiveBus separateBus() {
        return separate;
    }

    @Override
    protected void close(LiveBus closing) {
        bus.close();
    }

    @Override
    protected void beginOutage() {
        proxy.refuse();
        proxy.resetAll();
    }

    @Override
    protected void endOutage() {
        proxy.pass();
    }

    @Override
    protected Duration quietTime() {
        return Duration.ofMillis(50);
    }

    @AfterEach
    void close() {
        bus.close();
        another.close();
        separate.close();
        away.close();
        near.close();
        proxy.close();
    }
}

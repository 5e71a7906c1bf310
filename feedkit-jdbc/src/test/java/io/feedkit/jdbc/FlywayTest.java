package io.feedkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.jdbc.TestDatabase.Kind;
import io.feedkit.spi.WritableFollowGraph;
import io.feedkit.spi.WritableFollowGraph.Edge;
import java.util.List;
import java.util.Map;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class FlywayTest {

    @Test
    @DisplayName("Flyway creates the tables from the scripts in the library")
    void migrate() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(TestDatabase.emptyUrl(Kind.H2));
        try (HikariDataSource host = new HikariDataSource(config)) {
            Flyway flyway = Flyway.configure()
                    .dataSource(host)
                    .locations("classpath:feedkit-jdbc/h2")
                    .table("feedkit_flyway_history")
                    .placeholders(Map.of("feedkit.tables", "feedkit_", "feedkit.prefix", "feedkit_"))
                    .load();
            assertThat(flyway.migrate().migrationsExecuted).isEqualTo(JdbcSchema.VERSION);
            assertThat(flyway.migrate().migrationsExecuted).isZero();
            JdbcSchema.of(host).check();
            try (JdbcFeedStore store = JdbcFeedStore.create(host)) {
                assertThat(((WritableFollowGraph) store.graph()).add(List.of(new Edge("ann", "bob"))))
                        .containsExactly(true);
            }
        }
    }
}

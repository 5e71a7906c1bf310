package io.feedkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.health.StoreDescription;
import io.feedkit.testservers.PostgresServer;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The description of a store in SQL")
class DescriptionTest {

    private static StoreDescription of(String url) {
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl(url);
            JdbcSchema.of(pool).upgrade();
            try (JdbcFeedStore store = JdbcFeedStore.create(pool)) {
                return store.describe().get(0);
            }
        }
    }

    @Test
    @DisplayName("names the database without credentials, and settings by which a crash loses posts")
    void postgres() {
        StoreDescription fast = of(PostgresServer.shared().createDatabase());
        assertThat(fast.place()).matches("jdbc:postgresql://[^?@]*, POSTGRESQL, tables feedkit_\\*");
        assertThat(fast.dangers())
                .anySatisfy(danger -> assertThat(danger).contains("fsync is off", "set fsync=on"))
                .anySatisfy(danger -> assertThat(danger).contains("synchronous_commit is off"));
        try (PostgresServer durable = PostgresServer.start()) {
            StoreDescription safe = of(durable.createDatabase());
            assertThat(safe.dangers()).isEmpty();
            assertThat(safe.durability()).isEqualTo("survives a crash of the server");
            for (String level : List.of("local", "remote_write", "remote_apply")) {
                assertThat(of(durable.createDatabase() + "&options=-c%20synchronous_commit=" + level)
                                .dangers())
                        .as(level)
                        .isEmpty();
            }
            assertThat(of(durable.createDatabase() + "&options=-c%20synchronous_commit=off")
                            .dangers())
                    .singleElement()
                    .asString()
                    .contains("synchronous_commit is off");
        }
    }

    @Test
    @DisplayName("says that H2 in memory is lost when the process ends")
    void memory() {
        assertThat(of("jdbc:h2:mem:described").durability()).isEqualTo("lost when the process ends");
    }
}

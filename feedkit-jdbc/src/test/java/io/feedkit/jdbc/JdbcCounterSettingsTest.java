package io.feedkit.jdbc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.counter.Views;
import java.sql.Connection;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A bad argument of counters in SQL")
class JdbcCounterSettingsTest {

    private static void assertNamed(String message, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessageStartingWith(message);
    }

    @Test
    @DisplayName("is named, before the database is asked")
    void named() {
        try (TestDatabase database = TestDatabase.h2()) {
            JdbcCounterStore.Builder builder =
                    JdbcCounterStore.builder(database.dataSource()).maintenanceInterval(Duration.ZERO);
            for (Duration wrong : new Duration[] {null, Duration.ofMillis(-1), Duration.ofSeconds(Long.MAX_VALUE)}) {
                assertNamed("operationsKept must", () -> builder.operationsKept(wrong));
                assertNamed("viewsKept must", () -> builder.viewsKept(wrong));
                assertNamed("idleKept must", () -> builder.idleKept(wrong));
                assertNamed("maintenanceInterval must", () -> builder.maintenanceInterval(wrong));
                assertNamed("olderThan must", () -> builder.build().purgeViews(wrong, 1));
            }
            assertNamed("operationsKept must", () -> builder.operationsKept(Duration.ZERO));
            assertNamed("operationsKept must", () -> builder.operationsKept(Duration.ofMillis(999)));
            assertNamed("maintenanceInterval must", () -> builder.maintenanceInterval(Duration.ofDays(2)));
            assertNamed(
                    "window must be at most PT720H,",
                    () -> Views.of(builder.build(), Duration.ofDays(31), database.clock()));
            assertNamed("limit must", () -> builder.build().purge(0));
            assertNamed("dataSource must not be null", () -> JdbcCounterStore.builder(null));
            assertNamed("schema must not be null", () -> builder.schema(null));
            assertNamed("prefix must not be null", () -> builder.prefix(null));
            assertNamed("clock must not be null", () -> builder.clock(null));
            assertNamed("transaction must not be null", () -> builder.build().in(null));
            assertNamed("connection must not be null", () -> JdbcTransaction.of((Connection) null));
            assertNamed("handle must not be null", () -> JdbcTransaction.of((Handle) null));
        }
    }
}

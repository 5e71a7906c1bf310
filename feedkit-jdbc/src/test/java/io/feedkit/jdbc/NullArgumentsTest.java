package io.feedkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.testkit.internal.NullArguments;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class NullArgumentsTest {

    @Test
    @DisplayName("null is refused by the argument's name, in every public method of the stores in SQL")
    void jdbc() {
        try (TestDatabase database = TestDatabase.h2();
                JdbcCounterStore counters = JdbcCounterStore.builder(database.dataSource())
                        .maintenanceInterval(Duration.ZERO)
                        .build()) {
            NullArguments jdbc = NullArguments.ofModuleOf(JdbcFeedStore.class)
                    .with(JdbcFeedStore.Builder.class, () -> JdbcFeedStore.builder("jdbc:h2:mem:none"))
                    .with(JdbcCounterStore.class, () -> counters);
            assertThat(jdbc.violations()).isEmpty();
            assertThat(jdbc.checked()).isGreaterThan(30);
        }
    }
}

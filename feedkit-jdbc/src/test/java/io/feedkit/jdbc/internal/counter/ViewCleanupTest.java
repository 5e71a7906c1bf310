package io.feedkit.jdbc.internal.counter;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.jdbc.JdbcCounterStore;
import io.feedkit.jdbc.TestDatabase;
import io.feedkit.spi.counter.CounterWrites.Put;
import io.feedkit.spi.counter.CounterWrites.Replaced;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.Space;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The cleanup of views")
class ViewCleanupTest {

    private static final int PAGE = 1000;

    @Test
    @DisplayName("begins at different places, so that stores that restart often reach all rows")
    void anywhere() {
        List<Put> puts = new ArrayList<>();
        for (int i = 0; i < 3 * PAGE; i++) {
            puts.add(new Put(
                    new Owner(Space.VIEWS, "user-" + (10_000 + i)), "p", "0", OptionalLong.of(1), Replaced.NONE));
        }
        try (TestDatabase database = TestDatabase.h2();
                JdbcCounterStore store = JdbcCounterStore.builder(database.dataSource())
                        .maintenanceInterval(Duration.ZERO)
                        .build()) {
            assertThat(first(database, 1)).isEqualTo(new ViewCleanup.View("", "", 0));
            store.putAll(puts);
            Set<ViewCleanup.View> places = new HashSet<>();
            for (int seed = 0; seed < 20; seed++) {
                places.add(first(database, seed));
            }
            assertThat(places).hasSizeGreaterThan(5);
        }
    }

    /** The last view of the first page. */
    private static ViewCleanup.View first(TestDatabase test, int seed) {
        ViewCleanup cleanup = new ViewCleanup(test.database(), new CellTable(test.database()), new Random(seed));
        return test.database()
                .transaction("test", handle -> cleanup.purge(handle, 0, 1))
                .last();
    }

    @Test
    @DisplayName("finds places among ids of any kind")
    void places() {
        Random random = new Random(1);
        for (int i = 0; i < 100; i++) {
            assertThat(RandomId.between("user-1", "user-99", random)).matches("user-[1-9]{8}");
            assertThat(RandomId.between("0af3", "ff01", random)).matches("[0-9a-f]{8}");
            assertThat(RandomId.between("A", "c", random)).matches("[A-Za-c]{8}");
        }
        assertThat(RandomId.between("user", "user", random)).isEqualTo("user");
        assertThat(RandomId.between("user", "user7", random)).matches("user[0-7]7{7}");
    }
}

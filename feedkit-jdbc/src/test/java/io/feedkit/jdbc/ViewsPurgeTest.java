package io.feedkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.counter.Views;
import io.feedkit.jdbc.TestDatabase.Kind;
import io.feedkit.spi.counter.CounterWrites.Put;
import io.feedkit.spi.counter.CounterWrites.Replaced;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.Space;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass(allowZeroInvocations = true)
@OnDatabases
@DisplayName("Old views")
class ViewsPurgeTest {

    private static final Duration WINDOW = Duration.ofHours(1);

    private final TestDatabase database;
    private final JdbcCounterStore store;

    ViewsPurgeTest(Kind kind) {
        database = TestDatabase.lent(kind);
        store = JdbcCounterStore.builder(database.dataSource())
                .clock(database.clock())
                .maintenanceInterval(Duration.ZERO)
                .build();
    }

    @AfterEach
    void closeDatabase() {
        store.close();
        database.close();
    }

    @Test
    @DisplayName("are removed up to the limit, and the rest by later calls; young views and counts stay")
    void limited() {
        Views views = Views.of(store, WINDOW, database.clock());
        List.of("ann", "ben").forEach(user -> List.of("p", "q").forEach(post -> views.add(user, post)));
        database.clock().advance(WINDOW.plusMillis(1));
        views.add("ann", "p");
        views.add("cid", "q");
        assertThat(store.purgeViews(WINDOW, 2)).isEqualTo(2);
        assertThat(store.purgeViews(WINDOW, 2)).isOne();
        assertThat(store.purgeViews(WINDOW, 2)).isZero();
        assertThat(store.members(new Owner(Space.VIEWS, "ann"))).hasSize(1);
        assertThat(store.members(new Owner(Space.VIEWS, "ben"))).isEmpty();
        assertThat(views.add("cid", "q")).isFalse();
        assertThat(views.get(List.of("p", "q"))).containsExactly(3L, 3L);
    }

    @Test
    @DisplayName("are found after many young ones")
    void pages() {
        List<Put> puts = new ArrayList<>();
        for (int i = 0; i < 2500; i++) {
            long at = i % 1200 == 1199 ? 0 : database.clock().millis();
            puts.add(new Put(new Owner(Space.VIEWS, "user"), "post-" + i, "0", OptionalLong.of(at), Replaced.NONE));
        }
        store.put(puts);
        assertThat(store.purgeViews(WINDOW, 10)).isEqualTo(2);
        assertThat(store.members(new Owner(Space.VIEWS, "user"))).hasSize(2498);
    }

    @Test
    @DisplayName("are not removed if the limit or the age is out of range")
    void arguments() {
        assertThatThrownBy(() -> store.purgeViews(WINDOW, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("limit must be");
        for (Duration wrong : List.of(Duration.ofMillis(-1), Duration.ofSeconds(Long.MAX_VALUE))) {
            assertThatThrownBy(() -> store.purgeViews(wrong, 1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("olderThan must be");
        }
    }
}

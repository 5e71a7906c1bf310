package io.feedkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.counter.Counters;
import io.feedkit.jdbc.TestDatabase.Kind;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.CounterReads.Cell;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.Space;
import io.feedkit.unread.Announcements;
import io.feedkit.unread.RedDots;
import io.feedkit.unread.UnreadCounter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass(allowZeroInvocations = true)
@OnDatabases
@DisplayName("Marks of idle users")
class CounterIdleTest {

    private static final Duration TEN_DAYS = Duration.ofDays(10);

    private final TestDatabase database;
    private final JdbcCounterStore store;
    private final List<String> writes = new ArrayList<>();

    CounterIdleTest(Kind kind) {
        database = TestDatabase.lent(kind);
        store = JdbcCounterStore.builder(TestDataSources.before(database.dataSource(), this::before))
                .clock(database.clock())
                .maintenanceInterval(Duration.ZERO)
                .build();
    }

    private void before(String method, Object[] arguments) {
        if (method.equals("prepareStatement") && String.valueOf(arguments[0]).contains("counter_idle")) {
            writes.add(String.valueOf(arguments[0]));
        }
    }

    @AfterEach
    void closeDatabase() {
        store.close();
        database.close();
    }

    private Cell mark(String user) {
        return store.cell(new CellKey(new Owner(Space.ANNOUNCEMENTS_SEEN, user), ""));
    }

    @Test
    @DisplayName("are removed as a whole, and those of users who enter stay")
    void removed() {
        Announcements announcements = Announcements.of(store, database.clock());
        RedDots dots = RedDots.of(store);
        dots.add("old");
        dots.add("new");
        List.of("ann", "ben").forEach(user -> {
            announcements.enter(user);
            dots.markSeen(user, "old");
        });
        announcements.add("news", Announcements.EVERYBODY);
        UnreadCounter.of(store).add(List.of("ann"), "like", 1);
        Counters.of(store).add("plays", "song", 1);
        for (int i = 0; i < 5; i++) {
            database.clock().advance(TEN_DAYS);
            announcements.enter("ben");
            dots.markSeen("ben", "new");
            store.purge(100);
        }
        assertThat(mark("ann")).isEqualTo(Cell.NONE);
        assertThat(announcements.get("ann", List.of())).isZero();
        assertThat(dots.get("ann", List.of("old", "new"))).containsExactlyInAnyOrder("old", "new");
        assertThat(announcements.get("ben", List.of())).isOne();
        assertThat(dots.get("ben", List.of("old", "new"))).isEmpty();
        assertThat(UnreadCounter.of(store).get("ann").total()).isOne();
        assertThat(Counters.of(store).get("plays", "song")).isOne();
        assertThat(store.purge(100)).isZero();
    }

    @Test
    @DisplayName("are kept for the whole time, and for two days more at most")
    void kept() {
        Announcements announcements = Announcements.of(store, database.clock());
        announcements.enter("ann");
        database.clock().advance(JdbcCounterStore.DEFAULT_IDLE_KEPT.minusMillis(1));
        store.purge(100);
        assertThat(mark("ann").mark()).isPresent();
        database.clock().advance(Duration.ofDays(2).plusMillis(1));
        store.purge(100);
        assertThat(mark("ann")).isEqualTo(Cell.NONE);
    }

    @Test
    @DisplayName("are forgotten with their rows of days")
    void forgotten() {
        Announcements announcements = Announcements.of(store, database.clock());
        announcements.enter("ann");
        announcements.forget("ann");
        database.clock().advance(JdbcCounterStore.DEFAULT_IDLE_KEPT.multipliedBy(2));
        assertThat(store.purge(100)).isZero();
        assertThat(writes).isNotEmpty();
    }
}

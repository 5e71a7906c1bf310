package io.feedkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.feedkit.counter.Counters;
import io.feedkit.counter.Reactions;
import io.feedkit.counter.Views;
import io.feedkit.jdbc.TestDatabase.Kind;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.CounterWrites.Put;
import io.feedkit.spi.counter.CounterWrites.Raise;
import io.feedkit.spi.counter.CounterWrites.Replaced;
import io.feedkit.spi.counter.CounterWrites.When;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.Space;
import io.feedkit.unread.UnreadCounter;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass(allowZeroInvocations = true)
@OnDatabases
@DisplayName("Expired rows of counters")
class CounterMaintenanceTest {

    private static final Duration WINDOW = Duration.ofHours(1);

    private final TestDatabase database;
    private final JdbcCounterStore store;

    CounterMaintenanceTest(Kind kind) {
        database = TestDatabase.lent(kind);
        store = store(Duration.ZERO);
    }

    private JdbcCounterStore store(Duration interval) {
        return JdbcCounterStore.builder(database.dataSource())
                .clock(database.clock())
                .viewsKept(WINDOW)
                .maintenanceInterval(interval)
                .build();
    }

    @AfterEach
    void closeDatabase() {
        store.close();
        database.close();
    }

    private int rows(String table) {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM feedkit_counter_" + table)) {
            row.next();
            return row.getInt(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @DisplayName("are removed by a store that is only used")
    void removed() {
        try (JdbcCounterStore used = store(Duration.ofMillis(20))) {
            Counters counters = Counters.of(used);
            counters.add("plays", "song", 3, "operation");
            counters.add("plays", "song", -3);
            used.openTickets(List.of(new Owner(Space.POSTS, "p")));
            Reactions likes = Reactions.of(used);
            likes.add("ann", "q");
            likes.remove("ann", "q");
            Views views = Views.of(used, WINDOW, database.clock());
            views.add("ann", "viewed");
            await().untilAsserted(() -> {
                // A row may become a row of zeros after the scan of a day.
                database.clock().advance(Duration.ofHours(25));
                assertThat(rows("operation")).isZero();
                assertThat(rows("ticket")).isZero();
                assertThat(rows("member")).isZero();
                assertThat(rows("newest")).isZero();
                assertThat(rows("cell")).isOne();
            });
            assertThat(views.get(List.of("viewed"))).containsExactly(1L);
            assertThat(views.add("ann", "viewed")).isTrue();
        }
    }

    @Test
    @DisplayName("are removed by a call of the host, up to a limit, and all others stay")
    void purged() {
        Reactions likes = Reactions.of(store);
        likes.add("ann", "p");
        likes.add("ben", "p");
        likes.remove("ben", "p");
        UnreadCounter unread = UnreadCounter.of(store);
        unread.add(List.of("ann"), "like", 2);
        unread.markAllSeen("ann", "like");
        store.raise(List.of(new Raise(cell(Space.ANNOUNCEMENTS_SEEN, "ann"), 0, 0, Optional.empty(), When.ALWAYS)));
        store.put(List.of(new Put(new Owner(Space.CONVERSATION, "c"), "1", "", OptionalLong.of(1), Replaced.NONE)));
        int before = rows("cell");
        Counters counters = Counters.of(store);
        for (int i = 0; i < 5; i++) {
            counters.add("plays", "song-" + i, 1);
            counters.add("plays", "song-" + i, -1);
        }
        assertThat(store.purge(2)).isEqualTo(2);
        assertThat(store.purge(2)).isEqualTo(2);
        assertThat(store.purge(2)).isOne();
        assertThat(store.purge(2)).isZero();
        assertThat(rows("cell")).isEqualTo(before);
        assertThat(likes.get(List.of("p"))).containsExactly(1L);
        assertThat(unread.get("ann").total()).isZero();
        assertThat(likes.remove("ann", "p")).isTrue();
        assertThat(store.purge(10)).isOne();
    }

    private static CellKey cell(Space space, String id) {
        return new CellKey(new Owner(space, id), "");
    }

    @Test
    @DisplayName("are not searched for again and again while there are none")
    void rests() {
        AtomicInteger rounds = new AtomicInteger();
        AtomicInteger walks = new AtomicInteger();
        DataSource counted = TestDataSources.before(database.dataSource(), (method, arguments) -> {
            if (method.equals("prepareStatement")) {
                String sql = String.valueOf(arguments[0]);
                rounds.addAndGet(sql.contains("counter_ticket") ? 1 : 0);
                walks.addAndGet(sql.contains("SELECT owner, member, number") || sql.contains("CASE WHEN") ? 1 : 0);
            }
        });
        Views views = Views.of(store, WINDOW, database.clock());
        views.add("ann", "viewed");
        try (JdbcCounterStore used = JdbcCounterStore.builder(counted)
                .clock(database.clock())
                .viewsKept(WINDOW)
                .maintenanceInterval(Duration.ofMillis(5))
                .build()) {
            await().until(() -> rounds.get() >= 5);
            int walked = walks.get();
            assertThat(walked).isPositive();
            await().until(() -> rounds.get() >= 25);
            assertThat(walks.get()).isEqualTo(walked);
            database.clock().advance(WINDOW.plusMinutes(8));
            await().until(() -> rows("member") == 0);
            assertThat(used.purge(1)).isOne();
        }
    }

    @Test
    @DisplayName("are found by later calls if there are very many rows")
    void pages() {
        List<Put> puts = new ArrayList<>();
        for (int i = 0; i < 1500; i++) {
            // In the order of names, this one is the last.
            long at = i == 999 ? 0 : database.clock().millis();
            puts.add(new Put(new Owner(Space.VIEWS, "user"), "post-" + i, "0", OptionalLong.of(at), Replaced.NONE));
        }
        store.put(puts);
        assertThat(store.purge(10)).isOne();
        assertThat(store.purge(10)).isZero();
        assertThat(rows("member")).isEqualTo(1499);
    }
}

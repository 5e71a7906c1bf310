package io.feedkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.counter.ExclusiveReactions;
import io.feedkit.counter.Reactions;
import io.feedkit.counter.Reactions.Newest;
import io.feedkit.counter.Reactions.Reaction;
import io.feedkit.jdbc.TestDatabase.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass(allowZeroInvocations = true)
@OnDatabases
@DisplayName("Lists of newest users")
class CounterNewestTest {

    private final TestDatabase database;
    private final JdbcCounterStore store;

    /** The statements about lists. */
    private final List<String> statements = new ArrayList<>();

    CounterNewestTest(Kind kind) {
        database = TestDatabase.lent(kind);
        store = JdbcCounterStore.builder(TestDataSources.before(database.dataSource(), this::before))
                .maintenanceInterval(Duration.ZERO)
                .build();
    }

    private void before(String method, Object[] arguments) {
        if (method.equals("prepareStatement") && String.valueOf(arguments[0]).contains("counter_newest")) {
            statements.add(String.valueOf(arguments[0]));
        }
    }

    @AfterEach
    void closeDatabase() {
        store.close();
        database.close();
    }

    @Test
    @DisplayName("of many changed choices are changed in a few statements")
    void together() {
        ExclusiveReactions votes = ExclusiveReactions.of(store, "vote");
        Map<Reaction, String> up = new HashMap<>();
        Map<Reaction, String> down = new HashMap<>();
        for (int i = 0; i < 30; i++) {
            up.put(new Reaction("ann", "p" + i), "up");
            up.put(new Reaction("user-" + i, "p"), "up");
        }
        up.keySet().forEach(reaction -> down.put(reaction, "down"));
        votes.choose(up);
        statements.clear();
        votes.choose(down);
        assertThat(statements).hasSizeLessThan(10);
        assertThat(votes.newest("p0", "up", 10)).isEqualTo(new Newest(List.of(), true));
        assertThat(votes.newest("p0", "down", 10)).isEqualTo(new Newest(List.of("ann"), true));
        assertThat(votes.newest("p", "up", 50)).isEqualTo(new Newest(List.of(), true));
        assertThat(votes.newest("p", "down", 50).users()).hasSize(30);
    }

    @Test
    @DisplayName("that are full are not counted at each reaction, and are an eighth too long at most")
    void full() {
        Reactions likes = Reactions.of(store).keepingNewest(16);
        List<String> newest = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            likes.add("user-" + i, "p");
            newest.add(0, "user-" + i);
            assertThat(likes.newest("p", 100).users())
                    .hasSizeBetween(Math.min(i + 1, 16), 18)
                    .isEqualTo(newest.subList(0, likes.newest("p", 100).users().size()));
        }
        assertThat(statements.stream().filter(sql -> sql.contains("OFFSET")).count())
                .isLessThanOrEqualTo(20);
    }
}

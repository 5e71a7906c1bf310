package io.feedkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.counter.Reactions;
import io.feedkit.counter.Reactions.Reaction;
import io.feedkit.jdbc.TestDatabase.Kind;
import io.feedkit.unread.Announcements;
import io.feedkit.unread.Conversations;
import io.feedkit.unread.NotAMemberException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass(allowZeroInvocations = true)
@OnDatabases
@DisplayName("No rows of counters remain")
class CounterRowsLeftTest {

    private final TestDatabase database;
    private final JdbcCounterStore store;

    CounterRowsLeftTest(Kind kind) {
        database = TestDatabase.lent(kind);
        store = JdbcCounterStore.create(database.dataSource());
    }

    @AfterEach
    void closeDatabase() {
        store.close();
        database.close();
    }

    /** The owners and names of cells. */
    private List<String> cells(String where) throws SQLException {
        List<String> cells = new ArrayList<>();
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery("SELECT space, owner, name FROM feedkit_counter_cell WHERE " + where)) {
            while (row.next()) {
                cells.add(row.getString(1) + " " + row.getString(2) + " " + row.getString(3));
            }
        }
        return cells;
    }

    @Test
    @DisplayName("by calls that are refused to a stranger, or that change nothing")
    void refused() throws SQLException {
        Conversations conversations = Conversations.of(store);
        assertThatThrownBy(() -> conversations.add("talk", "ann")).isInstanceOf(NotAMemberException.class);
        assertThatThrownBy(() -> conversations.markAllSeen("talk", "ann")).isInstanceOf(NotAMemberException.class);
        conversations.leave("talk", "ann");
        conversations.forget("ann");
        Announcements.of(store).remove("unknown");
        Reactions.of(store).remove("ann", "p");
        assertThat(cells("1 = 1")).isEmpty();
        conversations.join("talk", "ben");
        conversations.add("talk", "ben");
        List<String> before = cells("1 = 1");
        assertThatThrownBy(() -> conversations.add("talk", "ann")).isInstanceOf(NotAMemberException.class);
        assertThatThrownBy(() -> conversations.markAllSeen("talk", "ann")).isInstanceOf(NotAMemberException.class);
        assertThat(cells("1 = 1")).containsExactlyInAnyOrderElementsOf(before);
    }

    @Test
    @DisplayName("of a user whose reactions and conversations are forgotten")
    void forgotten() throws SQLException {
        Reactions likes = Reactions.of(store);
        Reactions stars = Reactions.of(store, "star");
        likes.add(List.of(new Reaction("ann", "p"), new Reaction("ann", "q"), new Reaction("ben", "p")));
        stars.add("ann", "p");
        Conversations conversations = Conversations.of(store);
        conversations.join("talk", "ann");
        likes.forget("ann");
        assertThat(cells("space = 'REACTIONS'")).containsExactlyInAnyOrder("REACTIONS ann ", "REACTIONS ben ");
        stars.forget("ann");
        conversations.forget("ann");
        assertThat(cells("space IN ('REACTIONS', 'CONVERSATIONS')")).containsExactly("REACTIONS ben ");
        likes.add("ann", "p");
        assertThat(likes.get(List.of("p"))).containsExactly(2L);
    }
}

package io.feedkit.jdbc.internal.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.feedkit.Post;
import io.feedkit.jdbc.TestDatabase;
import io.feedkit.jdbc.TestDatabase.Kind;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.spi.Inbox.Outcome;
import io.feedkit.spi.InboxLimits;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("A delivery in one statement")
class SwiftDeliveryTest {

    private static final InboxLimits LIMITS = new InboxLimits(100, 3_600_000);
    private static final int CAREFUL = 1000;

    private final TestDatabase test = TestDatabase.of(Kind.POSTGRESQL);
    private final Database database = test.database();
    private final SwiftDelivery swift = new SwiftDelivery(database, new InboxRows(database), LIMITS);

    @BeforeEach
    void openInboxes() {
        JdbcInbox inbox = new JdbcInbox(database, LIMITS);
        for (String reader : List.of("ann", "bob")) {
            inbox.open(reader, 60_000, false);
        }
    }

    @AfterEach
    void close() {
        test.close();
    }

    private Map<String, Outcome> deliver(int number) {
        Post post = Post.of("star", "post" + number, 1_000 + number);
        Map<String, Outcome> outcomes = new HashMap<>();
        List<Push> left =
                swift.deliver(List.of(new Push(0, 0, "ann", post, 0), new Push(0, 1, "bob", post, 0)), outcomes);
        assertThat(left).hasSize(2 - outcomes.size());
        return outcomes;
    }

    @Test
    @Timeout(60)
    @DisplayName("leaves deliveries to the safe way after a deadlock, for a while")
    void deadlock() throws Exception {
        Map<String, Outcome> bothAdded = Map.of("ann", Outcome.ADDED, "bob", Outcome.ADDED);
        assertThat(deliver(0)).isEqualTo(bothAdded);
        assertThat(deadlocked(1)).isEmpty();
        for (int number = 2; number < 2 + CAREFUL; number++) {
            assertThat(deliver(number)).isEmpty();
        }
        assertThat(deliver(2 + CAREFUL)).isEqualTo(bothAdded);
    }

    /** Delivers while somebody else takes the locks in the other order, and waits for them longer than the delivery does. */
    private Map<String, Outcome> deadlocked(int number) throws SQLException {
        try (Connection rogue = DriverManager.getConnection(test.url())) {
            rogue.setAutoCommit(false);
            execute(rogue, "SET LOCAL deadlock_timeout = '1min'");
            execute(rogue, lock("bob"));
            CompletableFuture<Map<String, Outcome>> delivery = CompletableFuture.supplyAsync(() -> deliver(number));
            await().until(() -> isSomebodyWaiting(rogue));
            execute(rogue, lock("ann"));
            rogue.rollback();
            return delivery.join();
        }
    }

    private String lock(String reader) {
        return database.sql("SELECT FROM ${inbox} WHERE reader = '" + reader + "' FOR UPDATE");
    }

    private static boolean isSomebodyWaiting(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery("SELECT count(*) > 0 FROM pg_stat_activity"
                        + " WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0")) {
            return row.next() && row.getBoolean(1);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}

package io.feedkit.jdbc.internal.inbox.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.feedkit.Post;
import io.feedkit.jdbc.TestDatabase;
import io.feedkit.jdbc.TestDatabase.Kind;
import io.feedkit.jdbc.internal.inbox.JdbcInbox;
import io.feedkit.jdbc.internal.inbox.table.InboxTable;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.MultiTransaction;
import io.feedkit.spi.Inbox.Outcome;
import io.feedkit.spi.InboxLimits;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A bulk delivery on PostgreSQL")
class PostgresBulkDeliveryTest {

    private static final InboxLimits LIMITS = new InboxLimits(100, 3_600_000);
    private static final Map<String, Outcome> BOTH_ADDED = Map.of("ann", Outcome.ADDED, "bob", Outcome.ADDED);

    private final TestDatabase test = TestDatabase.of(Kind.POSTGRESQL);
    private final Database database = test.database();
    private final PostgresBulkDelivery bulk = new PostgresBulkDelivery(database, new InboxTable(database), LIMITS);

    @BeforeEach
    void openInboxes() {
        open("ann", "bob");
    }

    private void open(String... readers) {
        JdbcInbox inbox = new JdbcInbox(database, LIMITS);
        for (String reader : readers) {
            inbox.open(reader, 60_000, false);
        }
    }

    @AfterEach
    void close() {
        test.close();
    }

    private Map<String, Outcome> deliver(int number, String... readers) {
        Post post = Post.of("star", "post" + number, 1_000 + number);
        return deliver(Stream.of(readers)
                .map(reader -> new InboxInsert(0, 0, reader, post, 0))
                .toList());
    }

    private Map<String, Outcome> deliver(List<InboxInsert> inserts) {
        Map<String, Outcome> outcomes = new HashMap<>();
        List<InboxInsert> left =
                MultiTransaction.run("test", transactions -> bulk.deliver(inserts, outcomes, transactions));
        assertThat(left).hasSize(inserts.size() - outcomes.size());
        return outcomes;
    }

    private Map<String, Outcome> deliver(int number) {
        return deliver(number, "ann", "bob");
    }

    @Test
    @Timeout(300)
    @DisplayName("waits for another delivery to the same inboxes, and then succeeds")
    void overlap() throws SQLException {
        try (Connection other = DriverManager.getConnection(test.url())) {
            other.setAutoCommit(false);
            execute(other, database.sql("UPDATE ${inbox} SET entries = entries + 1"));
            CompletableFuture<Map<String, Outcome>> delivery = CompletableFuture.supplyAsync(() -> deliver(0));
            await().until(() -> isSomebodyWaiting(other));
            other.commit();
            assertThat(delivery.join()).isEqualTo(BOTH_ADDED);
        }
        assertThat(counted()).containsOnly(2);
    }

    @Test
    @DisplayName("reaches only its readers if the table is partitioned")
    void partitions() {
        String[] readers = {"ann", "bob", "cid", "dan", "eve", "flo"};
        open(readers);
        database.statement("test", handle -> handle.execute(database.sql("""
                ALTER TABLE ${inbox} RENAME TO whole;
                CREATE TABLE ${inbox} (LIKE whole INCLUDING ALL) PARTITION BY HASH (reader);
                CREATE TABLE half PARTITION OF ${inbox} FOR VALUES WITH (MODULUS 2, REMAINDER 0);
                CREATE TABLE other_half PARTITION OF ${inbox} FOR VALUES WITH (MODULUS 2, REMAINDER 1);
                INSERT INTO ${inbox} SELECT * FROM whole;
                """)));
        for (String reader : readers) {
            assertThat(deliver(0, reader)).isEqualTo(Map.of(reader, Outcome.ADDED));
        }
        assertThat(counted()).hasSize(readers.length).containsOnly(1);
    }

    private List<Integer> counted() {
        return database.read(
                "test",
                handle -> handle.createQuery(database.sql("SELECT entries FROM ${inbox}"))
                        .mapTo(Integer.class)
                        .list());
    }

    @ParameterizedTest(name = "of {0} posts")
    @ValueSource(ints = {1, 2})
    @Timeout(300)
    @DisplayName("locks the inboxes in the order of their readers")
    void lockOrder(int posts) throws SQLException {
        List<InboxInsert> inserts = List.of(
                new InboxInsert(0, 0, "bob", Post.of("star", "post0", 1_000), 0),
                new InboxInsert(posts - 1, 0, "ann", Post.of("star", "post" + (posts - 1), 999 + posts), 0));
        try (Connection other = DriverManager.getConnection(test.url())) {
            other.setAutoCommit(false);
            execute(other, lock("ann"));
            CompletableFuture<Map<String, Outcome>> delivery = CompletableFuture.supplyAsync(() -> deliver(inserts));
            await().until(() -> isSomebodyWaiting(other));
            execute(other, lock("bob") + " NOWAIT");
            other.commit();
            assertThat(delivery.join()).isEqualTo(BOTH_ADDED);
        }
    }

    @Test
    @Timeout(300)
    @DisplayName("is repeated after a deadlock with a transaction that locks in another order")
    void deadlock() throws SQLException {
        assertThat(deadlocked(0)).isEqualTo(BOTH_ADDED);
        assertThat(counted()).containsOnly(1);
    }

    /**
     * Delivers while another transaction locks in the other order, and waits for a lock longer than the delivery does.
     */
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

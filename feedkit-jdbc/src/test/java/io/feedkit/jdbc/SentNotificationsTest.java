package io.feedkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.KeyRange;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Outbox.Publication;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** The notifications that a store sends, as PostgreSQL delivers them. */
@Timeout(300)
class SentNotificationsTest {

    private static final String FENCE = "fence";

    private TestDatabase database;
    private JdbcFeedStore store;
    private Connection ear;

    @BeforeEach
    void listen() throws SQLException {
        database = TestDatabase.of(TestDatabase.Kind.POSTGRESQL);
        store = JdbcFeedStore.builder(database.dataSource())
                .maintenanceInterval(Duration.ZERO)
                .notifications(true)
                .build();
        ear = database.dataSource().getConnection();
        execute(ear, "LISTEN \"public.feedkit_task\"; LISTEN " + FENCE);
    }

    @AfterEach
    void close() throws SQLException {
        ear.close();
        store.close();
        database.close();
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Returns the number of notifications since the last call: all that arrive before a fence that is sent now. */
    private int notifications() throws SQLException {
        try (Connection other = database.dataSource().getConnection()) {
            execute(other, "NOTIFY " + FENCE);
        }
        int notifications = 0;
        while (true) {
            for (PGNotification notice : ear.unwrap(PGConnection.class).getNotifications(10_000)) {
                if (notice.getName().equals(FENCE)) {
                    return notifications;
                }
                notifications++;
            }
        }
    }

    private static Publication publication(String id) {
        return new Publication(Post.of("bob", id, 0), FanoutMode.PUSH);
    }

    @Test
    @DisplayName("a transaction with new tasks sends one notification, and any other none")
    void oncePerTransaction() throws SQLException {
        Outbox outbox = store.outbox();
        outbox.append(List.of(publication("1")));
        assertThat(notifications()).as("a post").isOne();
        outbox.append(List.of(publication("1")));
        assertThat(notifications()).as("the same post").isZero();
        outbox.append(IntStream.range(2, 60).mapToObj(i -> publication("" + i)).toList());
        assertThat(notifications()).as("a batch").isOne();
        outbox.delete(List.of(new PostKey("bob", "1"), new PostKey("bob", "2")));
        assertThat(notifications()).as("a delete").isOne();
        outbox.delete(List.of(new PostKey("bob", "1")));
        assertThat(notifications()).as("the same delete").isZero();
        outbox.delete(List.of(new PostKey("bob", "0")));
        assertThat(notifications())
                .as("a delete of a post that inboxes may hold")
                .isOne();
        outbox.delete(List.of(new PostKey("bob", "0")));
        assertThat(notifications()).as("the same delete of no post").isZero();
    }

    @Test
    @DisplayName("no notification is sent before a host's transaction commits, nor if it rolls back")
    void hostTransaction() throws SQLException {
        try (Connection host = database.dataSource().getConnection()) {
            host.setAutoCommit(false);
            store.outbox().joining(JdbcTransaction.of(host)).append(List.of(publication("1")));
            assertThat(notifications()).as("before the commit").isZero();
            host.commit();
            assertThat(notifications()).as("after the commit").isOne();
            store.outbox().joining(JdbcTransaction.of(host)).append(List.of(publication("2")));
            host.rollback();
            assertThat(notifications()).as("after the rollback").isZero();
        }
    }

    @Test
    @DisplayName("writes of tasks send a notification if other workers can claim the results")
    void steps() throws SQLException {
        FanoutLog log = store.outbox().fanout();
        store.outbox().append(List.of(publication("1"), publication("2")));
        List<Claim> claims = log.claim(2, 60_000);
        assertThat(notifications()).isOne();
        log.split(claims.get(0), List.of(new KeyRange("", "m"), new KeyRange("m", KeyRange.END)));
        assertThat(notifications()).as("split").isOne();
        log.moveToDeadLetters(claims.get(1), 1, "no");
        assertThat(log.finish(log.claim(2, 60_000), 60_000)).containsOnly(true);
        assertThat(notifications()).as("writes of a worker's own tasks").isZero();
        assertThat(log.replay(List.of(claims.get(1).task().id()))).isOne();
        assertThat(notifications()).as("replay").isOne();
        assertThat(log.restart(0, 0)).hasValue(2);
        assertThat(notifications()).as("restart").isOne();
        assertThat(log.restart(0, 0)).hasValue(0);
        assertThat(notifications()).as("nothing to restart").isZero();
    }

    @Test
    @DisplayName("a store without notifications sends none")
    void off() throws SQLException {
        database.store().outbox().append(List.of(publication("1")));
        assertThat(notifications()).isZero();
    }
}

package io.feedkit.jdbc.internal.counter;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.jdbc.OnDatabases;
import io.feedkit.jdbc.TestDatabase;
import io.feedkit.jdbc.TestDatabase.Kind;
import io.feedkit.spi.counter.CounterWrites.Redemption;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.Space;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass(allowZeroInvocations = true)
@OnDatabases
@DisplayName("Tickets whose number is in use")
class TicketTableTest {

    private static final Owner POST = new Owner(Space.POSTS, "p");
    private static final Owner OTHER = new Owner(Space.POSTS, "q");
    private static final long KEPT_MILLIS = 60_000;

    private final TestDatabase database;

    TicketTableTest(Kind kind) {
        database = TestDatabase.lent(kind);
    }

    @AfterEach
    void closeDatabase() {
        database.close();
    }

    /** Tickets of a process that draws these numbers. */
    private TicketTable drawing(long... numbers) {
        AtomicInteger next = new AtomicInteger();
        return new TicketTable(database.database(), () -> numbers[next.getAndIncrement()]);
    }

    private List<Long> open(TicketTable tickets, Owner... owners) {
        return database.database().transaction("test", handle -> tickets.open(handle, List.of(owners), KEPT_MILLIS));
    }

    @Test
    @DisplayName("are drawn anew; the others of the call stay")
    void drawnAnew() {
        assertThat(open(drawing(7), POST)).containsExactly(7L);
        assertThat(open(drawing(6, 7, 7, 7, 8), POST, OTHER, POST)).containsExactly(6L, 7L, 8L);
        assertThat(open(drawing(9, 9, 10), POST, POST)).containsExactly(9L, 10L);
        List<Redemption> redemptions = List.of(6L, 7L, 8L, 9L, 10L, 11L).stream()
                .map(TicketTableTest::discarded)
                .toList();
        List<Boolean> taken = database.database()
                .transaction(
                        "test",
                        handle -> drawing()
                                .take(handle, redemptions, database.clock().millis()));
        assertThat(taken).containsExactly(true, true, true, true, true, false);
    }

    private static Redemption discarded(long ticket) {
        return new Redemption(POST, ticket, List.of());
    }

    @Test
    @DisplayName("leave a host's transaction open")
    void inTransaction() throws SQLException {
        open(drawing(7), POST);
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            TicketTable tickets = drawing(7, 8, 9);
            List<Long> opened = database.database()
                    .joined("test", connection, handle -> tickets.open(handle, List.of(POST), KEPT_MILLIS));
            assertThat(opened).containsExactly(8L);
            opened = database.database()
                    .joined("test", connection, handle -> tickets.open(handle, List.of(POST), KEPT_MILLIS));
            assertThat(opened).containsExactly(9L);
            connection.commit();
        }
        assertThat(open(drawing(8, 9, 10), POST)).containsExactly(10L);
    }
}

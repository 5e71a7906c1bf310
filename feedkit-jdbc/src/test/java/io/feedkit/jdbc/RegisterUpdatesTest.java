package io.feedkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.jdbc.TestDatabase.Kind;
import io.feedkit.jdbc.internal.log.JdbcFanoutLog;
import io.feedkit.jdbc.internal.outbox.JdbcOutbox;
import io.feedkit.spi.Outbox.Publication;
import io.feedkit.testkit.internal.RegisterAsker;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass(allowZeroInvocations = true)
@OnDatabases
@DisplayName("Updates of the pulled register")
class RegisterUpdatesTest {

    private static final int MORE_THAN_ARE_TOLD = 20_001;

    private final TestDatabase database;
    private final JdbcOutbox outbox;

    RegisterUpdatesTest(Kind kind) {
        database = TestDatabase.lent(kind);
        outbox = new JdbcOutbox(database.database(), new JdbcFanoutLog(database.database()));
    }

    @AfterEach
    void closeDatabase() {
        database.close();
    }

    private static Post post(String author) {
        return Post.of(author, "p", 1);
    }

    @Test
    @DisplayName("tell of a delete that was open while more changed than is told")
    void openWhileMuchChanged() throws SQLException {
        PostKey key = post("ann").key();
        outbox.append(List.of(new Publication(post("ann"), FanoutMode.PULL)));
        RegisterAsker asker = RegisterAsker.of(outbox.pulled(), List.of("ann"));
        asker.ask();
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            outbox.joining(JdbcTransaction.of(connection)).delete(List.of(key));
            database.clock().advance(Duration.ofSeconds(10));
            outbox.pulled()
                    .put(IntStream.range(0, MORE_THAN_ARE_TOLD)
                            .mapToObj(n -> post("author-" + n))
                            .toList());
            database.clock().advance(Duration.ofSeconds(10));
            asker.ask();
            assertThat(asker.believed().retracting()).isEmpty();
            connection.commit();
        }
        asker.ask();
        assertThat(asker.believed().retracting()).containsExactly(key);
    }

    @Test
    @DisplayName("tell what changed after the clock was set back")
    void clockSetBack() {
        RegisterAsker asker = RegisterAsker.ofAll(outbox.pulled());
        asker.ask();
        database.clock().advance(Duration.ofMinutes(-1));
        outbox.pulled().put(List.of(post("ann")));
        asker.ask();
        assertThat(asker.believed().pulled()).containsOnlyKeys("ann");
    }
}

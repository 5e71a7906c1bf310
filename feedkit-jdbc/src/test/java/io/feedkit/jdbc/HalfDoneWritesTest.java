package io.feedkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.Post;
import io.feedkit.Published.Status;
import io.feedkit.StoreUnavailableException;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.jdbc.internal.log.JdbcFanoutLog;
import io.feedkit.jdbc.internal.outbox.JdbcOutbox;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.TableNames;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Outbox.Appended;
import io.feedkit.spi.Outbox.Publication;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Writes to outboxes in PostgreSQL whose second statement fails. A write that is reported as not done has changed
 * nothing.
 */
class HalfDoneWritesTest {

    private static final Post KNOWN = Post.of("bob", "known", 1);
    private static final Post FRESH = Post.of("bob", "fresh", 2);
    private static final String LOOK_UP = "SELECT p.author, p.id, p.published_at FROM";

    private final TestDatabase test = TestDatabase.postgres();
    private final Outbox outbox = outbox(test.dataSource());

    @AfterEach
    void close() {
        test.close();
    }

    @Test
    @DisplayName("a failed deletion leaves no tombstone")
    void deletion() {
        Outbox broken = outbox(TestDataSources.refusing(test.dataSource(), "feedkit_retracting", "42P01"));
        assertThatThrownBy(() -> broken.delete(List.of(FRESH.key()))).isInstanceOf(StoreUnavailableException.class);
        assertThat(append(outbox, FRESH)).containsExactly(Status.NEW);
    }

    @Test
    @DisplayName("several posts whose publication failed have no rows")
    void several() {
        append(outbox, KNOWN);
        Outbox broken = outbox(TestDataSources.refusing(test.dataSource(), LOOK_UP, "42P01"));
        assertThatThrownBy(() -> append(broken, KNOWN, FRESH)).isInstanceOf(StoreUnavailableException.class);
        assertThat(append(outbox, FRESH)).containsExactly(Status.NEW);
    }

    @Test
    @DisplayName("if the look-up of an earlier post fails, it is certain that nothing was written")
    void known() {
        append(outbox, KNOWN);
        Outbox broken = outbox(TestDataSources.refusing(test.dataSource(), LOOK_UP, "08006"));
        assertThatThrownBy(() -> append(broken, KNOWN)).isInstanceOf(StoreUnavailableException.class);
        assertThat(append(broken, FRESH)).containsExactly(Status.NEW);
        assertThat(append(outbox, KNOWN)).containsExactly(Status.SAME);
    }

    private static List<Status> append(Outbox outbox, Post... posts) {
        return outbox
                .append(List.of(posts).stream()
                        .map(post -> new Publication(post, FanoutMode.PUSH))
                        .toList())
                .stream()
                .map(Appended::status)
                .toList();
    }

    private static Outbox outbox(DataSource dataSource) {
        Database database = new Database(
                dataSource, new TableNames("", JdbcSchema.DEFAULT_PREFIX), Optional.empty(), Duration.ofSeconds(30));
        return new JdbcOutbox(database, new JdbcFanoutLog(database));
    }
}

package io.feedkit.jdbc.internal.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.jdbc.JdbcSchema;
import io.feedkit.jdbc.TestDatabase;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.TableNames;
import io.feedkit.spi.Outbox.Publication;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PortableWritesTest {

    /** Shorter than the time that counts as a stall, and longer than half of it. */
    private static final long STEP_MILLIS = SettledMark.MARGIN_MILLIS * 2 / 5;

    private final AtomicLong millis = new AtomicLong();

    /** A clock that advances whenever a statement reads it. */
    private final class Stepping extends Clock {
        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return Instant.ofEpochMilli(millis.addAndGet(STEP_MILLIS));
        }
    }

    @Test
    @DisplayName("a post whose task was inserted late has the time of its task, and the settled mark stays behind it")
    void stall() {
        try (TestDatabase test = TestDatabase.h2()) {
            Database database = new Database(
                    test.dataSource(),
                    new TableNames("", JdbcSchema.DEFAULT_PREFIX),
                    Optional.of(new Stepping()),
                    Duration.ofSeconds(30));
            PortableWrites steps =
                    new PortableWrites(database, false, false, () -> TimeUnit.MILLISECONDS.toNanos(millis.get()));
            Publication publication = new Publication(Post.of("bob", "1", 1), FanoutMode.PUSH);
            database.transaction("test", handle -> steps.insert(handle, List.of(publication)));
            assertThat(time(database, "appended_at FROM feedkit_post"))
                    .isGreaterThanOrEqualTo(time(database, "unsettled_at FROM feedkit_task"));
        }
    }

    private static long time(Database database, String column) {
        return database.read(
                "test",
                handle ->
                        handle.createQuery("SELECT " + column).mapTo(Long.class).one());
    }
}

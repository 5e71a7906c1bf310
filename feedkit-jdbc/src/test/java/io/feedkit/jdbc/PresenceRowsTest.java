package io.feedkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FeedEngine;
import io.feedkit.jdbc.TestDatabase.Kind;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.spi.PresenceStore;
import io.feedkit.spi.PresenceStore.Sighting;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;

/** The rows of presence. */
class PresenceRowsTest {

    private static final long HOUR = Duration.ofHours(1).toMillis();

    private static long rows(Database database) {
        return database.read(
                "test",
                handle -> handle.createQuery(database.sql("SELECT count(*) FROM ${presence}"))
                        .mapTo(Long.class)
                        .one());
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @OnDatabases
    @DisplayName("maintenance removes readers who may be forgotten, up to its limit, and nobody else")
    void purge(Kind kind) {
        try (TestDatabase database = TestDatabase.of(kind);
                JdbcFeedStore store = database.store()) {
            PresenceStore presence = store.presence();
            presence.report(
                    IntStream.range(0, 7)
                            .mapToObj(i -> new Sighting("gone-" + i, 0, HOUR))
                            .toList(),
                    2 * HOUR);
            presence.report(List.of(new Sighting("kept", 0, HOUR)), 24 * HOUR);
            presence.report(List.of(new Sighting("online", 0, 24 * HOUR)), 1);
            database.clock().advance(Duration.ofHours(2));
            assertThat(rows(database.database())).isEqualTo(9);
            assertThat(store.purge(3)).isEqualTo(3);
            assertThat(store.purge(100)).isEqualTo(4);
            assertThat(store.purge(100)).isZero();
            assertThat(rows(database.database())).isEqualTo(2);
        }
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @OnDatabases
    @DisplayName("two engines on one database see each other's readers, until one of them is closed")
    void engines(Kind kind) {
        try (TestDatabase database = TestDatabase.of(kind);
                JdbcFeedStore store = database.store();
                FeedEngine there = engine(database, store)) {
            try (FeedEngine here = engine(database, store)) {
                here.presence().connect("ann");
                here.presence().announce();
                assertThat(there.presence().isOnline("ann")).isTrue();
                database.clock().advance(Duration.ofMinutes(1));
                assertThat(there.presence().isOnline("ann")).isFalse();
            }
            assertThat(there.presence().isOnline("ann")).isTrue();
            there.forget("ann");
            assertThat(rows(database.database())).isZero();
        }
    }

    private static FeedEngine engine(TestDatabase database, JdbcFeedStore store) {
        return FeedEngine.builder(store)
                .clock(database.clock())
                .workers(0)
                .presence(store.presence())
                .build();
    }
}

package io.feedkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.FeedEngine;
import io.feedkit.ForeignStoreException;
import io.feedkit.jdbc.TestDatabase.Kind;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.InboxLimits;
import io.feedkit.testkit.internal.Race;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;

@DisplayName("The identity of a source of truth in SQL")
@ParameterizedClass(allowZeroInvocations = true)
@OnDatabases
class SourceIdentityTest {

    private static final int PROCESSES = 16;
    private static final InboxLimits LIMITS = new InboxLimits(10, 3_600_000);

    private final TestDatabase database;

    SourceIdentityTest(Kind kind) {
        database = TestDatabase.of(kind);
    }

    @AfterEach
    void close() {
        database.close();
    }

    private String counterIdentity() {
        try (JdbcCounterStore counters = JdbcCounterStore.create(database.dataSource())) {
            return counters.identity();
        }
    }

    private JdbcFeedStore store(String prefix) {
        return JdbcFeedStore.builder(database.dataSource())
                .prefix(prefix)
                .maintenanceInterval(Duration.ZERO)
                .build();
    }

    private JdbcFeedStore store() {
        return store(JdbcSchema.DEFAULT_PREFIX);
    }

    private static FeedEngine engine(FeedStore store) {
        return FeedEngine.builder(store).workers(0).build();
    }

    @Test
    @DisplayName("is made once for the tables, and is the same for all processes, and for counters")
    void once() {
        assertThat(Race.run(PROCESSES, process -> {
                    try (JdbcFeedStore store = store()) {
                        return store.outbox().identity();
                    }
                }))
                .containsOnly(database.store().outbox().identity());
        assertThat(counterIdentity()).isEqualTo(database.store().outbox().identity());
    }

    @Test
    @DisplayName("is another for other tables, whose inboxes are refused to it until they are adopted")
    void otherTables() {
        JdbcSchema schema = JdbcSchema.of(database.dataSource(), "", "other_");
        schema.create();
        try (JdbcFeedStore one = store();
                JdbcFeedStore other = store("other_")) {
            assertThat(one.outbox().identity()).isNotEqualTo(other.outbox().identity());
            engine(one).close();
            engine(other).close();
            FeedStore mixed = FeedStore.of(one.outbox(), other::inbox, one.graph(), one.seenMarks());
            assertThatThrownBy(() -> engine(mixed))
                    .isInstanceOf(ForeignStoreException.class)
                    .hasMessageContainingAll(
                            "other_source",
                            other.outbox().identity(),
                            one.outbox().identity(),
                            "JdbcSchema.adoptInboxes");
            assertThat(schema.adoptInboxes(one.outbox()))
                    .hasValue(other.outbox().identity());
            engine(mixed).close();
            assertThatThrownBy(() -> engine(other)).isInstanceOf(ForeignStoreException.class);
        }
    }

    @Test
    @DisplayName("is new after newIdentity, for posts, counters and the inboxes in the same tables")
    void newIdentity() {
        JdbcSchema schema = JdbcSchema.of(database.dataSource());
        String first = schema.newIdentity();
        try (JdbcFeedStore store = store()) {
            assertThat(store.outbox().identity()).isEqualTo(first);
            engine(store).close();
        }
        String second = schema.newIdentity();
        assertThat(second).isNotEqualTo(first);
        try (JdbcFeedStore store = store()) {
            assertThat(store.outbox().identity()).isEqualTo(second);
            engine(store).close();
        }
        assertThat(counterIdentity()).isEqualTo(second);
    }

    @Test
    @DisplayName("leaves inboxes alone that belong to a source of truth elsewhere")
    void inboxesOfOthers() {
        Inbox inbox = database.store().inbox(LIMITS);
        inbox.claim(InMemoryFeedStore.create().outbox().identity());
        String owner = "elsewhere";
        assertThatThrownBy(() -> database.store().inbox(LIMITS).claim(owner)).isInstanceOf(ForeignStoreException.class);
        database.store().outbox().identity();
        JdbcSchema.of(database.dataSource()).newIdentity();
        assertThatThrownBy(() -> engine(store())).isInstanceOf(ForeignStoreException.class);
    }
}

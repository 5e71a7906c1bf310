package io.feedkit.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import io.feedkit.StoreUnavailableException;
import io.feedkit.health.StoreDescription;
import io.feedkit.spi.InboxCopies.Head;
import io.feedkit.testservers.CassandraServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@OnCassandra
@DisplayName("The keyspace of copies")
class KeyspaceTest {

    private static CqlSession session;

    private final String prefix = TestCassandra.newPrefix();

    @BeforeAll
    static void begin() {
        session = TestCassandra.openShared();
    }

    @AfterAll
    static void end() {
        session.close();
    }

    private CassandraInboxCopies.Builder builder(String keyspace) {
        return CassandraInboxCopies.builder(session)
                .keyspace(keyspace)
                .prefix(prefix)
                .timeout(TestCassandra.PATIENT);
    }

    /** Expects a refusal, also of copies that start without a server, because it answers. */
    private AbstractThrowableAssert<?, ?> assertRefused(String keyspace, int replicas) {
        assertThatThrownBy(() -> builder(keyspace)
                        .replicas(replicas)
                        .startWithoutServer(true)
                        .build())
                .isInstanceOf(UnusableKeyspaceException.class);
        return assertThatThrownBy(() -> builder(keyspace).replicas(replicas).build())
                .isInstanceOfSatisfying(UnusableKeyspaceException.class, refused -> {
                    assertThat(refused.keyspace()).isEqualTo(keyspace);
                    assertThat(refused.isRetryable()).isFalse();
                });
    }

    @Test
    @DisplayName("must exist; the message has the statement that creates it")
    void unknown() {
        assertRefused("Unknown", 3)
                .hasMessage("unusable keyspace Unknown: it does not exist: run CREATE KEYSPACE \"Unknown\""
                        + " WITH replication = {'class': 'NetworkTopologyStrategy', 'datacenter1': 3}");
        assertThatThrownBy(() -> CassandraInboxCopies.createTables(session, "Unknown"))
                .isInstanceOfSatisfying(
                        StoreUnavailableException.class,
                        refused -> assertThat(refused.isRetryable()).isFalse())
                .hasMessageContaining("Unknown");
    }

    @Test
    @DisplayName("must have the tables; the message has the call that creates them")
    void tables() {
        TestCassandra.createKeyspace(session, "\"Bare\"", 1);
        assertRefused("Bare", 1)
                .hasMessage("unusable keyspace Bare: it lacks the tables inbox_copy, inbox_copy_part,"
                        + " inbox_copy_source: call CassandraInboxCopies.createTables(session, \"Bare\")");

        CassandraInboxCopies.createTables(session, "Bare");
        CassandraInboxCopies.createTables(session, "Bare");
        CassandraInboxCopies copies = builder("Bare").replicas(1).build();
        copies.publish(List.of(new Head("ann", 1, new byte[0])), 10_000);
        assertThat(copies.heads(List.of("ann")).get(0)).isPresent();
        assertThat(copies).hasToString("CassandraInboxCopies[Bare, " + prefix + "]");
    }

    @Test
    @DisplayName("must have as many replicas in the local datacenter as the setting says")
    void replicas() {
        assertRefused(TestCassandra.KEYSPACE, 3)
                .hasMessage("unusable keyspace feeds: it has 1 replicas in the datacenter datacenter1, but replicas is"
                        + " 3: set replicas(1), or run ALTER KEYSPACE feeds WITH replication ="
                        + " {'class': 'NetworkTopologyStrategy', 'datacenter1': 3} and repair it");

        TestCassandra.run(
                session,
                "CREATE KEYSPACE IF NOT EXISTS simple WITH replication ="
                        + " {'class': 'SimpleStrategy', 'replication_factor': 2}");
        assertRefused("simple", 3).hasMessageContainingAll("simple", "2 replicas", "replicas is 3");
        assertRefused("simple", 2).hasMessageContaining("lacks the tables");
        assertRefused("system", 1).hasMessageContainingAll("LocalStrategy", "NetworkTopologyStrategy");
    }

    @Test
    @DisplayName("must have copies of this library's version; other prefixes are not concerned")
    void version() {
        TestCassandra.run(
                session,
                "INSERT INTO feeds.inbox_copy_source (space, version, identity) VALUES (?, 2, 'source-1')",
                prefix);
        assertRefused(TestCassandra.KEYSPACE, 1)
                .hasMessage("unusable keyspace feeds: the copies with the prefix " + prefix
                        + " have version 2, but this library needs 1: use the library that wrote them, or another"
                        + " prefix");

        CassandraInboxCopies other = CassandraInboxCopies.builder(session)
                .keyspace(TestCassandra.KEYSPACE)
                .prefix(prefix + "-other")
                .replicas(1)
                .build();
        assertThat(other.heads(List.of("ann")).get(0)).isEmpty();
    }

    @Test
    @DisplayName("is described with what endangers the copies")
    void description() {
        StoreDescription one =
                builder(TestCassandra.KEYSPACE).replicas(1).build().describe().get(0);
        assertThat(one)
                .hasToString("inbox_copies: Cassandra at 127.0.0.1:"
                        + CassandraServer.shared().port()
                        + ", keyspace feeds, prefix " + prefix
                        + "; 1 replica; may be lost: inboxes are then built from the posts; DANGER: with 1 replica some"
                        + " copies cannot be read or written while one node is down: use 3");

        TestCassandra.createTables(session, "hintless", 1);
        TestCassandra.run(session, "ALTER TABLE hintless.inbox_copy WITH gc_grace_seconds = 0");
        assertThat(builder("hintless").replicas(1).build().describe().get(0).dangers())
                .containsExactly(
                        one.dangers().get(0),
                        "gc_grace_seconds of hintless.inbox_copy is 0, so a node that was down gets no hints: set it to"
                                + " 10800");
    }

    @Test
    @DisplayName("gets its tables from the script that the docs show")
    void script() throws IOException {
        String page = Files.readString(Path.of("..", "..", "docs", "reference", "cassandra.md"));
        try (var script = CassandraInboxCopies.class.getResourceAsStream("tables.cql")) {
            assertThat(page).contains(new String(script.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @Test
    @DisplayName("and the other settings are refused by name and value")
    void settings() {
        assertThatThrownBy(() -> builder("my keys"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("keyspace must be 1 to 48 characters a-z, A-Z, 0-9 and _, but is \"my keys\"");
        CassandraInboxCopies.Builder builder = CassandraInboxCopies.builder(session);
        assertThatThrownBy(() -> builder.prefix("a b"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("prefix", "\"a b\"");
        assertThatThrownBy(() -> builder.replicas(0)).hasMessage("replicas must be between 1 and 100, but is 0");
        assertThatThrownBy(() -> builder.timeout(Duration.ZERO))
                .hasMessage("timeout must be between PT0.01S and PT1M, but is PT0S");
        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("keyspace is not set");
        builder.replicas(1);
        assertThatThrownBy(() -> builder.replicas(1)).isInstanceOf(IllegalStateException.class);
    }
}

package io.feedkit.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import io.feedkit.StoreUnavailableException;
import io.feedkit.spi.InboxCopies.Head;
import io.feedkit.spi.InboxCopies.Part;
import io.feedkit.testservers.CassandraServer;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@OnCassandra
@Tag("survival")
@DisplayName("Copies with three replicas")
class ReplicasTest {

    private static final long DAY = Duration.ofDays(1).toMillis();
    private static final Duration RECOVERY = Duration.ofSeconds(60);
    private static final int READERS = 50;

    private static List<String> readers(String name) {
        return IntStream.range(0, READERS).mapToObj(n -> name + n).toList();
    }

    private static void copy(CassandraInboxCopies copies, List<String> readers, long token) {
        copies.store(
                readers.stream()
                        .map(reader -> new Part(reader, token, 0, new byte[1000]))
                        .toList(),
                DAY);
        copies.publish(
                readers.stream()
                        .map(reader -> new Head(reader, token, new byte[100]))
                        .toList(),
                DAY);
    }

    private static void assertCopies(CassandraInboxCopies copies, List<String> readers, long token) {
        List<Head> heads =
                copies.heads(readers).stream().map(head -> head.orElseThrow()).toList();
        assertThat(heads).extracting(Head::token).containsOnly(token);
        assertThat(copies.parts(heads)).allSatisfy(parts -> assertThat(parts).hasSize(1));
    }

    private static void awaitUp(CqlSession session, int nodes) {
        await().atMost(RECOVERY)
                .until(() -> session.getMetadata().getNodes().values().stream()
                                .map(Node::getState)
                                .filter(NodeState.UP::equals)
                                .count()
                        >= nodes);
    }

    /** New nodes may need a while to tell each other of a table. */
    private static void awaitAgreement(CqlSession session) {
        await().atMost(RECOVERY).until(session::checkSchemaAgreement);
    }

    @Test
    @DisplayName("are all found and written while one node is killed, and fail in time while two are")
    void killed() {
        List<CassandraServer> nodes = CassandraServer.cluster(3);
        try (CqlSession session = TestCassandra.open(nodes.get(0).address())) {
            awaitUp(session, 3);
            TestCassandra.createKeyspace(session, TestCassandra.KEYSPACE, 3);
            awaitAgreement(session);
            CassandraInboxCopies.createTables(session, TestCassandra.KEYSPACE);
            awaitAgreement(session);
            CassandraInboxCopies copies = CassandraInboxCopies.builder(session)
                    .keyspace(TestCassandra.KEYSPACE)
                    .timeout(Duration.ofSeconds(2))
                    .build();
            assertThat(copies.describe().get(0).dangers()).isEmpty();
            copies.claim("source-1");
            copy(copies, readers("before-"), 1);
            assertCopies(copies, readers("before-"), 1);

            nodes.get(2).kill();
            assertCopies(copies, readers("before-"), 1);
            copy(copies, readers("during-"), 2);
            copy(copies, readers("before-"), 3);
            assertCopies(copies, readers("during-"), 2);
            assertCopies(copies, readers("before-"), 3);
            copies.claim("source-1");

            nodes.get(1).kill();
            for (String reader : readers("before-").subList(0, 3)) {
                long start = System.nanoTime();
                assertThatThrownBy(() -> copies.heads(List.of(reader)))
                        .isInstanceOfSatisfying(
                                StoreUnavailableException.class,
                                failure -> assertThat(failure.isRetryable()).isTrue());
                assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
            }
            assertThatThrownBy(() -> copy(copies, readers("before-"), 4)).isInstanceOf(StoreUnavailableException.class);

            nodes.get(1).restart();
            await().atMost(RECOVERY)
                    .ignoreExceptionsInstanceOf(StoreUnavailableException.class)
                    .untilAsserted(() -> {
                        copy(copies, readers("before-"), 5);
                        assertCopies(copies, readers("before-"), 5);
                        assertCopies(copies, readers("during-"), 2);
                    });
        } finally {
            nodes.forEach(CassandraServer::close);
        }
    }
}

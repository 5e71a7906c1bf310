package io.feedkit.cassandra;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import io.feedkit.StoreUnavailableException;
import io.feedkit.spi.InboxCopies;
import io.feedkit.spi.InboxCopies.Head;
import io.feedkit.spi.InboxCopies.Part;
import io.feedkit.testservers.CassandraServer;
import io.feedkit.testservers.FaultyProxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@OnCassandra
@Tag("survival")
@DisplayName("Copies on a server that fails")
class ServerFaultsTest {

    private static final long DAY = Duration.ofDays(1).toMillis();
    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    /** A call takes at most one time-out, since nothing answers the first statement; the rest is for a slow machine. */
    private static final Duration LONGEST = TIMEOUT.plusSeconds(3);

    private static final Duration RECOVERY = Duration.ofSeconds(60);

    private static CassandraServer server;
    private static FaultyProxy proxy;
    private static CqlSession session;

    private final String prefix = TestCassandra.newPrefix();
    private final CassandraInboxCopies copies = builder().build();

    @BeforeAll
    static void begin() {
        CassandraServer.Options options = CassandraServer.options();
        proxy = FaultyProxy.before(options.port());
        server = options.start();
        session = TestCassandra.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), proxy.port()));
        TestCassandra.createTables(session, TestCassandra.KEYSPACE, 1);
    }

    @AfterAll
    static void end() {
        session.close();
        server.close();
        proxy.close();
    }

    private CassandraInboxCopies.Builder builder() {
        return TestCassandra.builder(session, prefix).timeout(TIMEOUT);
    }

    private static void copy(InboxCopies copies, long token) {
        copies.store(
                IntStream.range(0, 3)
                        .mapToObj(number -> new Part("ann", token, number, ("part " + number).getBytes(UTF_8)))
                        .toList(),
                DAY);
        copies.publish(List.of(new Head("ann", token, "head".getBytes(UTF_8))), DAY);
    }

    private static void assertCopy(InboxCopies copies, long token) {
        Head head = copies.heads(List.of("ann")).get(0).orElseThrow();
        assertThat(head.token()).isEqualTo(token);
        assertThat(copies.parts(List.of(head)).get(0)).extracting(Part::number).containsExactly(0, 1, 2);
    }

    /** Expects that each operation fails in time. */
    private static void assertFails(InboxCopies copies, Consumer<StoreUnavailableException> requirements) {
        Head head = new Head("ann", 1, new byte[0]);
        List<ThrowingCallable> operations = List.of(
                () -> copies.claim("source-1"),
                () -> copies.store(List.of(new Part("ann", 1, 0, new byte[0])), DAY),
                () -> copies.publish(List.of(head), DAY),
                () -> copies.heads(List.of("ann", "ben")),
                () -> copies.parts(List.of(head)),
                () -> copies.drop(List.of("ann")));
        for (ThrowingCallable operation : operations) {
            long start = System.nanoTime();
            StoreUnavailableException failure = catchThrowableOfType(StoreUnavailableException.class, operation);
            assertThat(failure).isNotNull().satisfies(requirements);
            assertThat(failure.operation()).startsWith("copies.");
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(LONGEST);
        }
    }

    private static void assertFailsForNow(InboxCopies copies) {
        assertFails(copies, failure -> assertThat(failure.isRetryable()).isTrue());
    }

    private static void assertRecovers(InboxCopies copies, long token) {
        await().atMost(RECOVERY)
                .ignoreExceptionsInstanceOf(StoreUnavailableException.class)
                .untilAsserted(() -> {
                    copies.claim("source-1");
                    copy(copies, token);
                    assertCopy(copies, token);
                });
    }

    @Test
    @DisplayName("killed: calls fail at once; restarted: the copies are there, and calls work")
    void killed() {
        copy(copies, 1);
        server.kill();
        assertFailsForNow(copies);

        server.restart();
        await().atMost(RECOVERY)
                .ignoreExceptionsInstanceOf(StoreUnavailableException.class)
                .untilAsserted(() -> assertCopy(copies, 1));
        assertRecovers(copies, 2);
    }

    @Test
    @DisplayName("frozen: calls fail in time; resumed: calls work")
    void frozen() {
        copy(copies, 1);
        server.freeze();
        try {
            assertFailsForNow(copies);
        } finally {
            server.thaw();
        }
        assertRecovers(copies, 2);
    }

    @Test
    @DisplayName("slow: calls fail in time; fast again: calls work")
    void slow() {
        copy(copies, 1);
        proxy.delay(TIMEOUT.multipliedBy(5));
        try {
            assertFailsForNow(copies);
        } finally {
            proxy.pass();
        }
        assertRecovers(copies, 2);
    }

    @Test
    @DisplayName("wiped: calls fail until the keyspace and the tables are there again; the copies are lost")
    void wiped() {
        copy(copies, 1);
        server.restartEmpty();
        await().atMost(RECOVERY)
                .untilAsserted(() -> assertFails(
                        copies, failure -> assertThat(failure.isRetryable()).isFalse()));

        try (CqlSession operator = TestCassandra.open(server.address())) {
            TestCassandra.createTables(operator, TestCassandra.KEYSPACE, 1);
        }
        await().atMost(RECOVERY)
                .ignoreExceptionsInstanceOf(StoreUnavailableException.class)
                .untilAsserted(() -> assertThat(copies.heads(List.of("ann"))).containsExactly(Optional.empty()));
        assertRecovers(copies, 2);
    }

    @Test
    @DisplayName("without its tables, fails permanently and names the table; new tables are empty")
    void tablesDropped() {
        copy(copies, 1);
        for (String table : List.of("inbox_copy", "inbox_copy_part", "inbox_copy_source")) {
            TestCassandra.run(session, "DROP TABLE feeds." + table);
        }
        assertFails(copies, failure -> {
            assertThat(failure.isRetryable()).isFalse();
            assertThat(failure).hasMessageContaining("inbox_copy");
        });

        CassandraInboxCopies.createTables(session, TestCassandra.KEYSPACE);
        assertThat(copies.heads(List.of("ann"))).containsExactly(Optional.empty());
        assertRecovers(copies, 2);
    }

    @Test
    @DisplayName("restored from an older snapshot: answers with the older copy, whole")
    void olderSnapshot() {
        copy(copies, 1);
        server.kill();
        server.keepData();
        server.restart();
        assertRecovers(copies, 2);

        server.kill();
        server.returnToKeptData();
        server.restart();
        await().atMost(RECOVERY)
                .ignoreExceptionsInstanceOf(StoreUnavailableException.class)
                .untilAsserted(() -> assertCopy(copies, 1));
        assertRecovers(copies, 3);
    }

    @Test
    @DisplayName("down at the start: refused, or checked by the first call that reaches it")
    void downAtStart() {
        copy(copies, 1);
        server.kill();
        assertThatThrownBy(() -> builder().build())
                .isInstanceOfSatisfying(
                        StoreUnavailableException.class,
                        failure -> assertThat(failure.isRetryable()).isTrue());
        CassandraInboxCopies later = builder().startWithoutServer(true).build();
        CassandraInboxCopies refused = CassandraInboxCopies.builder(session)
                .keyspace(TestCassandra.KEYSPACE)
                .prefix(prefix)
                .timeout(TIMEOUT)
                .startWithoutServer(true)
                .build();
        assertFailsForNow(later);
        assertThat(later.describe().get(0).dangers()).isEmpty();

        server.restart();
        await().atMost(RECOVERY)
                .ignoreExceptionsInstanceOf(StoreUnavailableException.class)
                .untilAsserted(() -> assertCopy(later, 1));
        assertThat(later.describe().get(0).dangers()).hasSize(1);
        assertRecovers(later, 2);
        await().atMost(RECOVERY)
                .untilAsserted(() -> assertFails(
                        refused,
                        failure -> assertThat(failure)
                                .hasMessageContainingAll("not checked yet", "1 replicas", "replicas is 3")
                                .rootCause()
                                .isInstanceOf(UnusableKeyspaceException.class)));
    }
}

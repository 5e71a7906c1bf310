package io.feedkit.cassandra;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.TraceEvent;
import io.feedkit.cassandra.internal.CopyTables;
import io.feedkit.spi.InboxCopies;
import io.feedkit.spi.InboxCopies.Head;
import io.feedkit.spi.InboxCopies.Part;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@OnCassandra
@DisplayName("Reads of copies")
class TombstonesTest {

    private static final long DAY = Duration.ofDays(1).toMillis();
    private static final Pattern READ = Pattern.compile("Read (\\d+) live rows and (\\d+) tombstone cells");
    private static final CopyTables TABLES = new CopyTables(TestCassandra.KEYSPACE);

    private static CqlSession session;

    private final String prefix = TestCassandra.newPrefix();
    private final InboxCopies copies = TestCassandra.builder(session, prefix)
            .timeout(TestCassandra.PATIENT)
            .build();

    @BeforeAll
    static void begin() {
        session = TestCassandra.openShared();
    }

    @AfterAll
    static void end() {
        session.close();
    }

    /** What the server says that it read, such as "3 live, 0 tombstones". */
    private static String traced(String statement, Object... values) {
        ResultSet answer = session.execute(SimpleStatement.newInstance(statement, values)
                .setConsistencyLevel(DefaultConsistencyLevel.LOCAL_QUORUM)
                .setPageSize(1000)
                .setTracing(true));
        return answer.getExecutionInfo().getQueryTrace().getEvents().stream()
                .map(TraceEvent::getActivity)
                .map(READ::matcher)
                .filter(Matcher::find)
                .map(read -> read.group(1) + " live, " + read.group(2) + " tombstones")
                .findFirst()
                .orElse("not traced");
    }

    private String tracedHead() {
        return traced(TABLES.selectHead(), prefix, "ann");
    }

    private String tracedParts(long token) {
        return traced(TABLES.selectParts(), prefix, "ann", token);
    }

    private void copy(long token, int parts) {
        for (int number = 0; number < parts; number++) {
            copies.store(List.of(new Part("ann", token, number, "part".getBytes(UTF_8))), DAY);
        }
        copies.publish(List.of(new Head("ann", token, "head".getBytes(UTF_8))), DAY);
    }

    @Test
    @DisplayName("meet no tombstones, after many copies, a drop, and a new copy")
    void none() {
        for (int token = 1; token <= 5; token++) {
            copy(token, 3);
        }
        assertThat(tracedHead()).isEqualTo("1 live, 0 tombstones");
        assertThat(tracedParts(5)).isEqualTo("3 live, 0 tombstones");

        copies.drop(List.of("ann"));
        assertThat(copies.heads(List.of("ann")).get(0)).isEmpty();
        assertThat(tracedHead()).as("after a drop").isEqualTo("1 live, 0 tombstones");

        copy(6, 2);
        assertThat(tracedHead()).isEqualTo("1 live, 0 tombstones");
        assertThat(tracedParts(6)).isEqualTo("2 live, 0 tombstones");
    }

    @Test
    @DisplayName("meet none where a head has replaced an expired one")
    void expired() {
        copies.publish(List.of(new Head("ann", 1, new byte[0])), 1000);
        await().until(() -> copies.heads(List.of("ann")).get(0).isEmpty());
        assertThat(tracedHead()).as("the trace shows tombstones").isEqualTo("0 live, 1 tombstones");

        copy(2, 1);
        assertThat(tracedHead()).isEqualTo("1 live, 0 tombstones");
    }

    @Test
    @DisplayName("find no head that a machine with a clock ahead wrote before a drop")
    void dropBeatsClockAhead() {
        long ahead = (System.currentTimeMillis() + DAY) * 1000;
        session.execute(SimpleStatement.newInstance(
                        TABLES.insertHead() + " AND TIMESTAMP " + ahead, prefix, "ann", ByteBuffer.allocate(20), 1000)
                .setConsistencyLevel(DefaultConsistencyLevel.ONE));
        assertThat(copies.heads(List.of("ann")).get(0)).isPresent();

        copies.drop(List.of("ann"));
        assertThat(copies.heads(List.of("ann")).get(0)).isEmpty();
    }
}

package io.feedkit.cassandra;

import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import io.feedkit.spi.InboxCopies;
import io.feedkit.testkit.InboxCopiesCompatibilityKit;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

@OnCassandra
class CassandraInboxCopiesCompatibilityTest extends InboxCopiesCompatibilityKit {

    private static CqlSession session;

    private final String prefix = TestCassandra.newPrefix();
    private final InboxCopies copies = open();
    private final InboxCopies anotherProcess = open();

    @BeforeAll
    static void begin() {
        session = TestCassandra.openShared();
    }

    @AfterAll
    static void end() {
        session.close();
    }

    private InboxCopies open() {
        return TestCassandra.builder(session, prefix)
                .timeout(TestCassandra.PATIENT)
                .build();
    }

    @Override
    protected InboxCopies copies() {
        return copies;
    }

    @Override
    protected InboxCopies anotherProcess() {
        return anotherProcess;
    }

    /** Cassandra's clock cannot be set. */
    @Override
    protected void pass(Duration duration) {
        long end = now() + duration.toMillis();
        await().atMost(duration.plusSeconds(30)).until(() -> now() > end);
    }

    @Override
    protected boolean waits() {
        return true;
    }

    /** Lifetimes end up to a second early, because Cassandra counts in whole seconds of its clock. */
    @Override
    protected Duration shortTime() {
        return Duration.ofSeconds(3);
    }

    @Override
    protected long now() {
        return TestCassandra.run(session, "SELECT toUnixTimestamp(now()) AS time FROM system.local")
                .get(0)
                .getLong("time");
    }
}

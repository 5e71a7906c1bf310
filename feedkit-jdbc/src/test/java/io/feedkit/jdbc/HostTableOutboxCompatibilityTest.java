package io.feedkit.jdbc;

import io.feedkit.jdbc.TestDatabase.Kind;
import io.feedkit.jdbc.internal.host.HostPosts;
import io.feedkit.jdbc.internal.log.JdbcFanoutLog;
import io.feedkit.jdbc.internal.outbox.JdbcOutbox;
import io.feedkit.spi.TransactionalOutbox;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Posts in a table of the host's. The host inserts their rows when it publishes. */
class HostTableOutboxCompatibilityTest extends JdbcOutboxCompatibilityTest {

    HostTableOutboxCompatibilityTest(Kind kind) {
        super(kind);
    }

    /**
     * One outbox for each reused database: creating the table and reading its columns takes longer than most tests.
     */
    private static final Map<TestDatabase, HostedOutbox> OUTBOXES = new ConcurrentHashMap<>();

    @Override
    TransactionalOutbox newOutbox(Kind kind, TestDatabase database) {
        HostedOutbox outbox = OUTBOXES.computeIfAbsent(database, missing -> hosted(missing, kind));
        outbox.table().execute("DELETE FROM article");
        return outbox;
    }

    private static HostedOutbox hosted(TestDatabase database, Kind kind) {
        HostTable table = HostTable.create(database, kind);
        return new HostedOutbox(
                new JdbcOutbox(
                        database.database(),
                        new JdbcFanoutLog(database.database()),
                        Optional.of(HostPosts.of(database.database(), HostTable.MAPPING))),
                table);
    }

    /** Fewer races than usual: the writes are those of the outbox without a host's table, which has its own kit. */
    @Override
    protected int rounds() {
        return 5;
    }
}

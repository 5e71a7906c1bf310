package io.feedkit.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.feedkit.testservers.CassandraServer;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Sessions and stores for tests. */
final class TestCassandra {

    /** The keyspace of most tests, with one replica. */
    static final String KEYSPACE = "feeds";

    /** For tests in which nothing fails: a loaded machine may freeze for seconds. */
    static final Duration PATIENT = Duration.ofSeconds(20);

    private static final AtomicInteger PREFIXES = new AtomicInteger();

    private TestCassandra() {}

    /**
     * Opens a session that changes tables quickly and closes at once. Its defaults for reads and writes would make them
     * fail, and pages tiny: FeedKit's statements must not use them.
     */
    static CqlSession open(InetSocketAddress... nodes) {
        DriverConfigLoader settings = DriverConfigLoader.programmaticBuilder()
                .withString(DefaultDriverOption.LOAD_BALANCING_LOCAL_DATACENTER, CassandraServer.DATACENTER)
                .withString(DefaultDriverOption.REQUEST_CONSISTENCY, "THREE")
                .withInt(DefaultDriverOption.REQUEST_PAGE_SIZE, 1)
                .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, PATIENT)
                .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, PATIENT)
                .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, PATIENT)
                .withDuration(DefaultDriverOption.METADATA_SCHEMA_REQUEST_TIMEOUT, PATIENT)
                .withDuration(DefaultDriverOption.METADATA_SCHEMA_WINDOW, Duration.ofMillis(20))
                .withDuration(DefaultDriverOption.RECONNECTION_BASE_DELAY, Duration.ofMillis(50))
                .withDuration(DefaultDriverOption.RECONNECTION_MAX_DELAY, Duration.ofMillis(500))
                .withBoolean(DefaultDriverOption.NETTY_DAEMON, true)
                .withInt(DefaultDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD, 0)
                .withInt(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, 0)
                .build();
        return CqlSession.builder()
                .addContactPoints(List.of(nodes))
                .withConfigLoader(settings)
                .build();
    }

    /** Opens a session on the shared server, with the tables in the keyspace. */
    static CqlSession openShared() {
        CqlSession session = open(CassandraServer.shared().address());
        createTables(session, KEYSPACE, 1);
        return session;
    }

    static void createKeyspace(CqlSession session, String keyspace, int replicas) {
        run(
                session,
                "CREATE KEYSPACE IF NOT EXISTS %s WITH replication = {'class': 'NetworkTopologyStrategy', '%s': %d}"
                        .formatted(keyspace, CassandraServer.DATACENTER, replicas));
    }

    static void createTables(CqlSession session, String keyspace, int replicas) {
        createKeyspace(session, keyspace, replicas);
        CassandraInboxCopies.createTables(session, keyspace);
    }

    /** Runs a statement of a test, at the least consistency. */
    static List<Row> run(CqlSession session, String statement, Object... values) {
        return session.execute(
                        SimpleStatement.newInstance(statement, values).setConsistencyLevel(DefaultConsistencyLevel.ONE))
                .all();
    }

    static String newPrefix() {
        return "test-" + PREFIXES.incrementAndGet();
    }

    /** Copies with one replica. */
    static CassandraInboxCopies.Builder builder(CqlSession session, String prefix) {
        return CassandraInboxCopies.builder(session)
                .keyspace(KEYSPACE)
                .prefix(prefix)
                .replicas(1);
    }
}

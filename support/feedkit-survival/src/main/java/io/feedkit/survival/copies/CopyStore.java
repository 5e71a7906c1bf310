package io.feedkit.survival.copies;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.feedkit.cassandra.CassandraInboxCopies;
import io.feedkit.spi.InboxCopies;
import io.feedkit.testservers.CassandraServer;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/** A session of Cassandra, in which each run has copies of its own. */
final class CopyStore implements AutoCloseable {

    private static final String KEYSPACE = "feeds";
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    /** For stores in which nothing fails: a loaded machine may freeze for seconds. */
    static final Duration PATIENT = Duration.ofSeconds(5);

    private static final Duration RECONNECTION = Duration.ofMillis(500);
    private static final Duration SCHEMA_WINDOW = Duration.ofMillis(20);

    private final CqlSession session;

    private CopyStore(CqlSession session) {
        this.session = session;
    }

    /** Opens a session, and creates keyspace and tables if they are missing. */
    static CopyStore open(InetSocketAddress server) {
        DriverConfigLoader settings = DriverConfigLoader.programmaticBuilder()
                .withString(DefaultDriverOption.LOAD_BALANCING_LOCAL_DATACENTER, CassandraServer.DATACENTER)
                .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, TIMEOUT)
                .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, TIMEOUT)
                .withDuration(DefaultDriverOption.METADATA_SCHEMA_REQUEST_TIMEOUT, TIMEOUT)
                .withDuration(DefaultDriverOption.METADATA_SCHEMA_WINDOW, SCHEMA_WINDOW)
                .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, TIMEOUT)
                .withDuration(DefaultDriverOption.RECONNECTION_BASE_DELAY, RECONNECTION.dividedBy(10))
                .withDuration(DefaultDriverOption.RECONNECTION_MAX_DELAY, RECONNECTION)
                .withBoolean(DefaultDriverOption.NETTY_DAEMON, true)
                .withInt(DefaultDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD, 0)
                .withInt(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, 0)
                .build();
        CqlSession session = CqlSession.builder()
                .addContactPoint(server)
                .withConfigLoader(settings)
                .build();
        session.execute(SimpleStatement.newInstance(
                "CREATE KEYSPACE IF NOT EXISTS %s WITH replication = {'class': 'NetworkTopologyStrategy', '%s': 1}"
                        .formatted(KEYSPACE, CassandraServer.DATACENTER)));
        CassandraInboxCopies.createTables(session, KEYSPACE);
        return new CopyStore(session);
    }

    /**
     * The copies of a run.
     *
     * @param answer how long a call may take
     */
    InboxCopies copies(String run, Duration answer) {
        return CassandraInboxCopies.builder(session)
                .keyspace(KEYSPACE)
                .prefix(run)
                .replicas(1)
                .timeout(answer)
                .build();
    }

    /** Deletes all heads and parts. */
    void wipe() {
        for (String table : List.of("inbox_copy", "inbox_copy_part")) {
            session.execute(SimpleStatement.newInstance("TRUNCATE " + KEYSPACE + "." + table));
        }
    }

    @Override
    public void close() {
        session.close();
    }
}

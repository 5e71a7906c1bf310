package io.feedkit.bench.copies;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.feedkit.cassandra.CassandraInboxCopies;
import io.feedkit.spi.InboxCopies;
import io.feedkit.testservers.CassandraServer;
import io.feedkit.testservers.Durability;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One node of Cassandra with the tables of copies, in a keyspace with one replica. Like Cassandra by default, it writes
 * its commit log to the disk every ten seconds.
 */
final class CopyServer implements AutoCloseable {

    static final String KEYSPACE = "feedkit_bench";

    /** A machine with all servers may be slow for a moment. */
    private static final Duration PATIENT = Duration.ofSeconds(20);

    private static final Duration SCHEMA_WINDOW = Duration.ofMillis(20);
    private static final int TRACE_ATTEMPTS = 500;

    private final CassandraServer server;
    private final CqlSession session;
    private final Map<String, InboxCopies> opened = new ConcurrentHashMap<>();

    private CopyServer(CassandraServer server) {
        this.server = server;
        this.session = open(server);
    }

    /** Names what is missing for a server. */
    static Optional<String> lacks() {
        return CassandraServer.isInstalled()
                ? Optional.empty()
                : Optional.of("a JDK 17 or 11 for Cassandra, or its directory in -Dfeedkit.cassandra.jdk");
    }

    static CopyServer start() {
        CassandraServer server = CassandraServer.options()
                .durability(Durability.FAST)
                .optimized()
                .start();
        try {
            CopyServer started = new CopyServer(server);
            started.createTables();
            return started;
        } catch (RuntimeException e) {
            server.close();
            throw e;
        }
    }

    private static CqlSession open(CassandraServer server) {
        DriverConfigLoader settings = DriverConfigLoader.programmaticBuilder()
                .withString(DefaultDriverOption.LOAD_BALANCING_LOCAL_DATACENTER, CassandraServer.DATACENTER)
                .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, PATIENT)
                .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, PATIENT)
                .withDuration(DefaultDriverOption.METADATA_SCHEMA_REQUEST_TIMEOUT, PATIENT)
                .withDuration(DefaultDriverOption.METADATA_SCHEMA_WINDOW, SCHEMA_WINDOW)
                .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, PATIENT)
                .withInt(DefaultDriverOption.REQUEST_TRACE_ATTEMPTS, TRACE_ATTEMPTS)
                .withBoolean(DefaultDriverOption.NETTY_DAEMON, true)
                .withInt(DefaultDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD, 0)
                .withInt(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, 0)
                .build();
        return CqlSession.builder()
                .addContactPoint(server.address())
                .withConfigLoader(settings)
                .build();
    }

    private void createTables() {
        run("CREATE KEYSPACE %s WITH replication = {'class': 'NetworkTopologyStrategy', '%s': 1}"
                .formatted(KEYSPACE, CassandraServer.DATACENTER));
        CassandraInboxCopies.createTables(session, KEYSPACE);
    }

    CqlSession session() {
        return session;
    }

    /** Copies with a prefix of their own; for the same prefix the same object. */
    InboxCopies copies(String prefix) {
        return opened.computeIfAbsent(prefix, this::open);
    }

    private InboxCopies open(String prefix) {
        return CassandraInboxCopies.builder(session)
                .keyspace(KEYSPACE)
                .prefix(prefix)
                .replicas(1)
                .timeout(PATIENT)
                .build();
    }

    void run(String statement) {
        session.execute(SimpleStatement.newInstance(statement));
    }

    /** Removes all copies. */
    void wipe() {
        for (String table : List.of("inbox_copy", "inbox_copy_part")) {
            run("TRUNCATE " + KEYSPACE + "." + table);
        }
    }

    @Override
    public void close() {
        try (server) {
            session.close();
        }
    }
}

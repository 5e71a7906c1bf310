package io.feedkit.tools.servers;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.feedkit.FeedKitException;
import io.feedkit.cassandra.CassandraInboxCopies;
import java.time.Duration;

/** The keyspace of one run in Cassandra, with one replica. Closing it drops the keyspace. */
public final class CassandraKeyspace implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    /** The driver reads the schema again this long after a change. */
    private static final Duration SCHEMA_WINDOW = Duration.ofMillis(20);

    private final CqlSession session;
    private final String name;
    private final CassandraInboxCopies copies;

    private CassandraKeyspace(CqlSession session, String name) {
        this.session = session;
        this.name = name;
        CassandraInboxCopies.createTables(session, name);
        this.copies = CassandraInboxCopies.builder(session)
                .keyspace(name)
                .replicas(1)
                .timeout(TIMEOUT)
                .build();
    }

    /**
     * Creates a keyspace with a new name.
     *
     * @param option the option's name
     * @param url the address
     * @param name the beginning of the keyspace's name
     * @return the keyspace
     * @throws IllegalArgumentException if the address is wrong, or the server does not answer, or refuses
     */
    public static CassandraKeyspace create(String option, String url, String name) {
        CassandraUrl parts = CassandraUrl.of(option, url);
        String keyspace = RunKeys.random(name);
        CqlSession session = null;
        try {
            session = open(parts);
            execute(
                    session,
                    "CREATE KEYSPACE %s WITH replication = {'class': 'NetworkTopologyStrategy', '%s': 1}"
                            .formatted(keyspace, parts.datacenter()));
            return new CassandraKeyspace(session, keyspace);
        } catch (DriverException | FeedKitException | IllegalStateException e) {
            if (session != null) {
                dropAndClose(session, keyspace);
            }
            throw new IllegalArgumentException(option + " cannot be used: " + e.getMessage(), e);
        }
    }

    private static CqlSession open(CassandraUrl url) {
        DriverConfigLoader settings = DriverConfigLoader.programmaticBuilder()
                .withString(DefaultDriverOption.LOAD_BALANCING_LOCAL_DATACENTER, url.datacenter())
                .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, TIMEOUT)
                .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, TIMEOUT)
                .withDuration(DefaultDriverOption.METADATA_SCHEMA_REQUEST_TIMEOUT, TIMEOUT)
                .withDuration(DefaultDriverOption.METADATA_SCHEMA_WINDOW, SCHEMA_WINDOW)
                .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, TIMEOUT)
                .withBoolean(DefaultDriverOption.NETTY_DAEMON, true)
                .withInt(DefaultDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD, 0)
                .withInt(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, 0)
                .build();
        return CqlSession.builder()
                .addContactPoint(url.address())
                .withConfigLoader(settings)
                .build();
    }

    private static void execute(CqlSession session, String statement) {
        session.execute(SimpleStatement.newInstance(statement));
    }

    private static void dropAndClose(CqlSession session, String keyspace) {
        try (session) {
            execute(session, "DROP KEYSPACE IF EXISTS " + keyspace);
        }
    }

    /**
     * Returns the copies of inboxes in the keyspace.
     *
     * @return the copies
     */
    public CassandraInboxCopies copies() {
        return copies;
    }

    /** Drops the keyspace. */
    @Override
    public void close() {
        dropAndClose(session, name);
    }
}

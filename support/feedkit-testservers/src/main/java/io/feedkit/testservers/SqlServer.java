package io.feedkit.testservers;

import java.util.concurrent.atomic.AtomicInteger;

/** A database server of its own, with any number of databases. */
public abstract sealed class SqlServer extends TestServer permits PostgresServer, MariaDbServer, MySqlServer {

    private final AtomicInteger databases = new AtomicInteger();

    SqlServer(String name, boolean shared) {
        super(name, shared, Ports.free());
    }

    /**
     * Returns the address of a database.
     *
     * @param database its name
     * @return its JDBC URL, which needs neither user nor password
     */
    public abstract String url(String database);

    /**
     * Creates an empty database, for Unicode text, with a unique name.
     *
     * @return its JDBC URL; {@link FaultyProxy#url} changes it to lead through a proxy
     * @throws IllegalStateException if the server does not answer
     */
    public final String createDatabase() {
        String database = "feedkit_" + databases.incrementAndGet();
        process().sql(url(anyDatabase()), create(database));
        return url(database);
    }

    @Override
    final ServerProcess.Probe probe() {
        return () -> ServerProcess.execute(url(anyDatabase()), "SELECT 1");
    }

    /** A database that always exists. */
    abstract String anyDatabase();

    /** The statement that creates a database. */
    abstract String create(String database);
}

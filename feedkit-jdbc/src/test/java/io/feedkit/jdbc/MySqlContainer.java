package io.feedkit.jdbc;

import java.util.concurrent.atomic.AtomicInteger;
import org.testcontainers.mysql.MySQLContainer;

/** A MySQL in a container instead of one from a Maven jar, in the profile {@code docker}. It ends with the JVM. */
final class MySqlContainer {

    /** Whether tests on MySQL use the container. */
    static final boolean IS_WANTED = Boolean.getBoolean("feedkit.test.docker");

    private static final AtomicInteger COUNT = new AtomicInteger();

    private MySqlContainer() {}

    private static final class Shared {
        static final MySQLContainer SERVER = started();

        private static MySQLContainer started() {
            MySQLContainer server = new MySQLContainer("mysql:8.4");
            server.start();
            return server;
        }
    }

    /** The URL of a new database without tables. */
    static String emptyUrl() {
        MySQLContainer server = Shared.SERVER;
        return "jdbc:mysql://" + server.getHost() + ":" + server.getMappedPort(MySQLContainer.MYSQL_PORT) + "/feedkit_"
                + COUNT.incrementAndGet()
                + "?createDatabaseIfNotExist=true&allowPublicKeyRetrieval=true&user=root&password="
                + server.getPassword();
    }
}

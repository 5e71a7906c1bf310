package io.feedkit.jdbc;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.testcontainers.mysql.MySQLContainer;

/** Databases of a MySQL in a container, for tests with the tag {@code docker}, which run in the profile of that name. The container ends with the JVM. */
final class MySqlDatabase {

    private static final Queue<TestDatabase> IDLE = new ConcurrentLinkedQueue<>();
    private static final AtomicInteger COUNT = new AtomicInteger();

    private MySqlDatabase() {}

    private static final class Shared {
        static final MySQLContainer SERVER = started();

        private static MySQLContainer started() {
            MySQLContainer server = new MySQLContainer("mysql:8.4");
            server.start();
            return server;
        }
    }

    /** An empty database. */
    static TestDatabase empty() {
        return TestDatabase.lent(IDLE, MySqlDatabase::emptyUrl);
    }

    private static String emptyUrl() {
        MySQLContainer server = Shared.SERVER;
        return "jdbc:mysql://" + server.getHost() + ":" + server.getMappedPort(MySQLContainer.MYSQL_PORT) + "/feedkit_"
                + COUNT.incrementAndGet()
                + "?createDatabaseIfNotExist=true&allowPublicKeyRetrieval=true&user=root&password="
                + server.getPassword();
    }
}

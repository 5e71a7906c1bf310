package io.feedkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FeedEngine;
import io.feedkit.testservers.HostModule;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A module that requires io.feedkit.jdbc")
class ModuleTest {

    /** What a host needs beside FeedKit's modules. */
    private static final List<String> JARS =
            List.of("jspecify", "slf4j-api", "jdbi3-core", "HikariCP", "h2", "geantyref", "jakarta.annotation-api");

    @TempDir
    private Path directory;

    private HostModule host() {
        return new HostModule(
                directory,
                List.of("io.feedkit.jdbc", "com.h2database"),
                List.of(FeedEngine.class, JdbcFeedStore.class),
                JARS);
    }

    @Test
    @Timeout(300)
    @DisplayName("compiles against the API, and publishes and reads in a JVM that has it on the module path")
    void runs() {
        assertThat(host().run("""
                package host.app;

                import io.feedkit.*;
                import io.feedkit.jdbc.*;
                import java.sql.*;

                public class Main {
                    private static final String URL = "jdbc:h2:mem:host;DB_CLOSE_DELAY=-1";

                    public static void main(String[] arguments) throws SQLException {
                        try (JdbcFeedStore store = store();
                                FeedEngine feed = FeedEngine.builder(store).workers(0).build();
                                Connection connection = DriverManager.getConnection(URL)) {
                            feed.follow("ann", "bob");
                            connection.setAutoCommit(false);
                            feed.publish(Post.of("bob", "kept", 1), JdbcTransaction.of(connection));
                            connection.commit();
                            feed.publish(Post.of("bob", "undone", 2), JdbcTransaction.of(connection));
                            connection.rollback();
                            feed.fanout().drain();
                            System.out.println("read "
                                    + feed.read("ann", PageRequest.first(9)).items().stream().map(Post::id).toList()
                                    + " in " + Main.class.getModule() + " from " + store.getClass().getModule());
                        }
                    }

                    private static JdbcFeedStore store() {
                        org.h2.jdbcx.JdbcDataSource tables = new org.h2.jdbcx.JdbcDataSource();
                        tables.setURL(URL);
                        JdbcSchema.of(tables).create();
                        return JdbcFeedStore.create(URL);
                    }
                }
                """, "read")).isEqualTo("read [kept] in module host.app from module io.feedkit.jdbc");
    }

    @Test
    @DisplayName("cannot see the internals")
    void internals() {
        assertThat(host().compileMentionOf("io.feedkit.jdbc.internal.sql.Database"))
                .contains("package io.feedkit.jdbc.internal.sql is not visible");
    }
}

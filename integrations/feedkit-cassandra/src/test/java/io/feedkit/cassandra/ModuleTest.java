package io.feedkit.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FeedEngine;
import io.feedkit.testservers.CassandraServer;
import io.feedkit.testservers.HostModule;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@OnCassandra
@Tag("matrix")
@DisplayName("A module that requires io.feedkit.cassandra")
class ModuleTest {

    /** What a host needs beside FeedKit's modules. */
    private static final List<String> JARS = List.of(
            "jspecify",
            "slf4j-api",
            "java-driver-core",
            "java-driver-guava-shaded",
            "native-protocol",
            "config",
            "metrics-core",
            "HdrHistogram",
            "reactive-streams",
            "jackson-(core|annotations|databind)",
            "netty-(buffer|codec-base|common|handler|resolver|transport|transport-native-unix-common)");

    @TempDir
    private Path directory;

    private HostModule host() {
        return new HostModule(
                directory,
                List.of("io.feedkit.cassandra"),
                List.of(FeedEngine.class, CassandraInboxCopies.class),
                JARS);
    }

    @Test
    @DisplayName("compiles against the API, and copies in a JVM that has it on the module path")
    void runs() {
        assertThat(host().run("""
                package host.app;

                import com.datastax.oss.driver.api.core.CqlSession;
                import io.feedkit.cassandra.CassandraInboxCopies;
                import io.feedkit.spi.InboxCopies.Head;
                import java.net.InetSocketAddress;
                import java.time.Duration;
                import java.util.List;

                public class Main {
                    public static void main(String[] arguments) {
                        try (CqlSession session = CqlSession.builder()
                                .addContactPoint(new InetSocketAddress("127.0.0.1", %d))
                                .withLocalDatacenter("%s")
                                .build()) {
                            session.execute("CREATE KEYSPACE IF NOT EXISTS modules WITH replication ="
                                    + " {'class': 'NetworkTopologyStrategy', 'datacenter1': 1}");
                            CassandraInboxCopies.createTables(session, "modules");
                            CassandraInboxCopies copies = CassandraInboxCopies.builder(session)
                                    .keyspace("modules")
                                    .replicas(1)
                                    .timeout(Duration.ofSeconds(20))
                                    .build();
                            copies.publish(List.of(new Head("ann", 7, new byte[0])), 10_000);
                            System.out.println("copied " + copies.heads(List.of("ann")).get(0).get().token()
                                    + " in " + Main.class.getModule() + " from " + copies.getClass().getModule());
                        }
                    }
                }
                """.formatted(CassandraServer.shared().port(), CassandraServer.DATACENTER), "copied"))
                .isEqualTo("copied 7 in module host.app from module io.feedkit.cassandra");
    }

    @Test
    @DisplayName("cannot see the internals")
    void internals() {
        assertThat(host().compileMentionOf("io.feedkit.cassandra.internal.CopyTables"))
                .contains("package io.feedkit.cassandra.internal is not visible");
    }
}

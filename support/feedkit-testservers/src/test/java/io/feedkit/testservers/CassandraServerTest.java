package io.feedkit.testservers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("survival")
class CassandraServerTest {

    private static void assertAnswers(CassandraServer server) throws Exception {
        server.probe().ask();
    }

    @Test
    @DisplayName("is gone when killed, answers again on its port, and leaves no process and no directory when closed")
    void life() throws Exception {
        assumeThat(CassandraServer.isInstalled()).isTrue();
        CassandraServer server = CassandraServer.start();
        ProcessHandle process = Processes.server(server.port());
        Path home = Processes.workingDirectory(process).getParent();
        assertThat(home).isDirectory();
        assertAnswers(server);
        assertThatThrownBy(server::keepData).isInstanceOf(IllegalStateException.class);

        server.kill();
        await().untilAsserted(() -> assertThat(Processes.family(process)).noneMatch(Processes::runs));
        assertThatThrownBy(() -> assertAnswers(server)).isInstanceOf(IOException.class);
        server.keepData();
        Path written = Files.writeString(home.resolve("data/written"), "later");
        server.returnToKeptData();
        assertThat(written).doesNotExist();

        server.restart();
        assertAnswers(server);
        ProcessHandle second = Processes.server(server.port());
        assertThat(Processes.listeningAddresses(second)).hasSize(2).allMatch(address -> isLoopback(address));

        server.close();
        server.close();
        await().untilAsserted(() -> assertThat(Processes.runs(second)).isFalse());
        assertThat(home).doesNotExist();
    }

    /** IPv4, or the same within IPv6, as Java's sockets have it. */
    private static boolean isLoopback(String address) {
        return List.of("0100007F", "0000000000000000FFFF00000100007F")
                .contains(address.substring(0, address.indexOf(':')));
    }

    @Test
    @DisplayName("keeps its jars off this class path")
    void otherClassPath() {
        assertThatThrownBy(() -> Class.forName("org.apache.cassandra.service.CassandraDaemon"))
                .isInstanceOf(ClassNotFoundException.class);
    }
}

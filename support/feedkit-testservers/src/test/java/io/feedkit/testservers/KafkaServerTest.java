package io.feedkit.testservers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("survival")
class KafkaServerTest {

    private static final short API_VERSIONS = 18;
    private static final int QUESTION = 4711;

    /** Asks which requests the broker knows. */
    private static void assertAnswers(KafkaServer server) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            out.writeInt(10);
            out.writeShort(API_VERSIONS);
            out.writeShort(0);
            out.writeInt(QUESTION);
            out.writeShort(-1);
            DataInputStream in = new DataInputStream(socket.getInputStream());
            in.readInt();
            assertThat(in.readInt()).isEqualTo(QUESTION);
            assertThat(in.readShort()).as("error").isZero();
        }
    }

    @Test
    @DisplayName("is gone when killed, answers again on its port, and leaves no process and no directory when closed")
    void life() throws IOException {
        KafkaServer server = KafkaServer.start();
        ProcessHandle process = Processes.server(server.port());
        Path home = Processes.workingDirectory(process).getParent();
        assertThat(home).isDirectory();
        assertAnswers(server);

        server.kill();
        await().untilAsserted(() -> assertThat(Processes.family(process)).noneMatch(Processes::runs));
        assertThatThrownBy(() -> assertAnswers(server)).isInstanceOf(IOException.class);

        server.restart();
        assertAnswers(server);
        ProcessHandle second = Processes.server(server.port());
        assertThat(Processes.listeningAddresses(second)).hasSize(3).allMatch(address -> isLoopback(address));

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
        assertThatThrownBy(() -> Class.forName("kafka.Kafka")).isInstanceOf(ClassNotFoundException.class);
    }
}

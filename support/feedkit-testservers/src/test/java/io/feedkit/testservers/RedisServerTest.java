package io.feedkit.testservers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RedisServerTest {

    /** What a server says to one command, as long as it says what is expected. */
    private static void assertAnswer(RedisServer server, String command, String expected) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.US_ASCII));
            byte[] answer = socket.getInputStream().readNBytes(expected.length());
            assertThat(new String(answer, StandardCharsets.US_ASCII)).isEqualTo(expected);
        }
    }

    @Test
    @DisplayName("is gone when killed, and has what it answered for when restarted on its port")
    void killed() throws IOException {
        try (RedisServer server = RedisServer.start()) {
            ProcessHandle process = Processes.server(server.port());
            assertAnswer(server, "SET note kept", "+OK\r\n");
            server.kill();
            await().untilAsserted(() -> assertThat(Processes.family(process)).noneMatch(Processes::runs));
            assertThat(server.isRunning()).isFalse();
            assertThatThrownBy(() -> assertAnswer(server, "GET note", "")).isInstanceOf(IOException.class);

            server.restart();
            assertThat(server.isRunning()).isTrue();
            assertAnswer(server, "GET note", "$4\r\nkept\r\n");
        }
    }

    @Test
    @DisplayName("answers nothing while frozen, and what was asked meanwhile when thawed")
    void frozen() throws IOException {
        try (RedisServer server = RedisServer.start(Durability.FAST);
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            server.freeze();
            socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
            socket.setSoTimeout(100);
            assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);

            server.thaw();
            socket.setSoTimeout(0);
            assertThat(socket.getInputStream().readNBytes(7)).asString().isEqualTo("+PONG\r\n");
        }
    }

    @Test
    @DisplayName("leaves no process and no directory when closed")
    void closed() throws IOException {
        RedisServer server = RedisServer.start(Durability.FAST);
        ProcessHandle process = Processes.server(server.port());
        Path home = Processes.workingDirectory(process).getParent();
        assertThat(home).isDirectory();

        server.close();
        server.close();

        await().untilAsserted(() -> assertThat(Processes.runs(process)).isFalse());
        assertThat(home).doesNotExist();
        assertThatThrownBy(server::restart).hasMessage("this server is closed");
    }

    @Test
    @DisplayName("is fast when shared, listens on the loopback address only, and is nobody's to kill")
    void sharedServer() throws IOException {
        RedisServer server = RedisServer.shared();
        assertThat(RedisServer.shared()).isSameAs(server);
        assertAnswer(server, "CONFIG GET appendonly", "*2\r\n$10\r\nappendonly\r\n$2\r\nno\r\n");
        assertAnswer(server, "CONFIG GET save", "*2\r\n$4\r\nsave\r\n$0\r\n\r\n");
        await().untilAsserted(() -> assertThat(Processes.listeningAddresses(Processes.server(server.port())))
                .containsExactly(String.format("0100007F:%04X", server.port())));

        assertThatThrownBy(server::kill).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(server::restart).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(server::close).isInstanceOf(IllegalStateException.class);
        assertAnswer(server, "PING", "+PONG\r\n");
    }
}

package io.feedkit.testservers;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ServerFailureTest {

    @Test
    @DisplayName("a server that ends at its start is reported with its log")
    void endsAtStart() {
        ServerProcess process = new ServerProcess("broken");
        try {
            assertThatThrownBy(() -> process.launch(
                            List.of("sh", "-c", "echo no such luck; exit 3"),
                            () -> ServerProcess.execute("jdbc:postgresql://127.0.0.1:1/none", "SELECT 1")))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("exit code 3")
                    .hasMessageContaining("no such luck");
        } finally {
            process.delete();
        }
    }

    @Test
    @DisplayName("the log tells what the server refused")
    void log() {
        PostgresServer server = PostgresServer.shared();
        assertThatThrownBy(() -> Sql.execute(server.url("missing"), "SELECT 1")).hasMessageContaining("missing");
        await().until(() -> server.logTail().contains("\"missing\" does not exist"));
    }
}

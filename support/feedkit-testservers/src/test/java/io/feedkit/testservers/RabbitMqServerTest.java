package io.feedkit.testservers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("matrix")
class RabbitMqServerTest {

    private static boolean worksIn(Path directory, ProcessHandle process) {
        try {
            return Processes.workingDirectory(process).equals(directory);
        } catch (IOException e) {
            return false;
        }
    }

    private static List<ProcessHandle> processes(Path directory) {
        return ProcessHandle.allProcesses()
                .filter(process -> worksIn(directory, process))
                .toList();
    }

    @Test
    @DisplayName("listens on the loopback address only, and leaves no process and no directory behind, nor does a kill")
    void lifecycle() throws IOException {
        assumeTrue(RabbitMqProgram.find().isPresent(), "rabbitmq-server is not on the PATH");
        RabbitMqServer server = RabbitMqServer.start(RabbitMqProgram.find().orElseThrow());
        Path data = server.process().data();
        assertThat(processes(data).stream()
                        .map(process -> process.info().command().orElse(""))
                        .map(command -> Path.of(command).getFileName().toString()))
                .contains("beam.smp", "epmd");
        for (ProcessHandle process : processes(data)) {
            assertThat(Processes.listeningAddresses(process))
                    .as("addresses of %s", process.info().command())
                    .allSatisfy(
                            address -> assertThat(address).matches("0100007F:.*|00000000000000000000000001000000:.*"));
        }
        server.beginMemoryAlarm();
        await().until(() -> server.logTail().contains("memory resource limit alarm set"));
        server.endMemoryAlarm();

        server.kill();
        assertThat(processes(data)).noneMatch(Processes::runs);
        server.restart();
        assertThat(server.isRunning()).isTrue();
        assertThatThrownBy(server::encryptedPort).hasMessageContaining("without a certificate");

        server.close();
        assertThat(processes(data)).noneMatch(Processes::runs);
        assertThat(data.getParent()).doesNotExist();
    }
}

package io.feedkit.testservers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AbandonedServerTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    /** Starts a server, says its port, and ends without closing it when it is told to. */
    static final class Abandoning {

        private Abandoning() {}

        public static void main(String[] arguments) throws IOException {
            System.out.println("port " + PostgresServer.shared().port());
            System.in.read();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("a server ends with its JVM, whether that ends by itself or is killed")
    void endsWithItsJvm(boolean kill) throws IOException {
        try (ChildProcess child = ChildProcess.start(Abandoning.class, List.of())) {
            int port = Integer.parseInt(child.awaitLine("port", LIMIT).substring("port ".length()));
            ProcessHandle server =
                    Processes.server(ProcessHandle.of(child.pid()).orElseThrow(), port);
            List<ProcessHandle> family = Processes.family(server);
            Path home = Processes.workingDirectory(server).getParent();

            if (kill) {
                child.kill9();
            } else {
                child.send("end");
                assertThat(child.awaitExit(LIMIT)).isZero();
            }

            await().untilAsserted(() -> assertThat(family).noneMatch(Processes::runs));
            await().until(() -> !home.toFile().exists());
            assertThat(Processes.sharedMemory(server)).isEmpty();
        }
    }
}

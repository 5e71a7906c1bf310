package io.feedkit.testservers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ChildProcessTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    /** Says hello, then echoes what it is sent; ends at "bye". */
    static final class Echo {

        private Echo() {}

        public static void main(String[] arguments) throws IOException {
            System.out.println("hello " + arguments[0] + " " + System.getProperty("mood"));
            System.err.println("ready");
            byte[] buffer = new byte[100];
            for (int n = System.in.read(buffer); n > 0; n = System.in.read(buffer)) {
                String line = new String(buffer, 0, n, StandardCharsets.UTF_8).strip();
                System.out.println("echo " + line);
                if (line.equals("bye")) {
                    System.exit(7);
                }
            }
        }
    }

    @Test
    @DisplayName("talks, and ends by itself with its exit code")
    void ends() {
        try (ChildProcess child = ChildProcess.start(Echo.class, List.of("world"), List.of("-Dmood=good"))) {
            assertThat(child.awaitLine("hello", LIMIT)).isEqualTo("hello world good");
            child.awaitLine("ready", LIMIT);
            child.send("bye");
            child.awaitLine("echo bye", LIMIT);
            assertThat(child.awaitExit(LIMIT)).isEqualTo(7);
            assertThat(child.output()).containsExactly("hello world good", "ready", "echo bye");
            assertThatThrownBy(() -> child.awaitLine("more", LIMIT))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("Echo ended without printing \"more\"")
                    .hasMessageContaining("echo bye");
        }
    }

    @Test
    @DisplayName("is killed for real")
    void killed() {
        try (ChildProcess child = ChildProcess.start(Echo.class, List.of("world"))) {
            child.awaitLine("ready", LIMIT);
            ProcessHandle process = ProcessHandle.of(child.pid()).orElseThrow();
            assertThatThrownBy(() -> child.awaitLine("never", Duration.ofMillis(50)))
                    .hasMessageContaining("without printing \"never\"");
            assertThatThrownBy(() -> child.awaitExit(Duration.ofMillis(50))).hasMessageContaining("still runs");
            assertThat(child.isAlive()).isTrue();

            child.kill9();

            assertThat(process.isAlive()).isFalse();
            assertThat(child.awaitExit(LIMIT)).isEqualTo(128 + 9);
        }
    }

    @Test
    @DisplayName("is gone when closed")
    void closed() {
        ChildProcess child = ChildProcess.start(Echo.class, List.of("world"));
        child.awaitLine("ready", LIMIT);
        child.close();
        child.close();
        assertThat(ProcessHandle.of(child.pid())).isEmpty();
    }
}

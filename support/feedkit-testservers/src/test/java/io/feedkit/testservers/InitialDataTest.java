package io.feedkit.testservers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The data of a server that has never run")
class InitialDataTest {

    @TempDir
    private Path directory;

    private Path binaries;
    private Path runs;

    @BeforeEach
    void create() throws IOException {
        binaries = Files.createDirectory(directory.resolve("program"));
        runs = Files.createFile(directory.resolve("runs"));
    }

    /** A program that makes a data directory with one file, and leaves a line for each run. */
    private List<String> command(ServerProcess process, String content) {
        String script = "umask 077; mkdir $1; echo $2 > $1/file; echo run >> $3";
        return List.of("sh", "-c", script, "program", process.data().toString(), content, runs.toString());
    }

    private static void withProcess(Consumer<ServerProcess> use) {
        ServerProcess process = new ServerProcess("fake");
        try {
            use.accept(process);
        } finally {
            process.delete();
        }
    }

    private void fill(String content) {
        withProcess(process -> {
            InitialData.fill(process, binaries, command(process, content));
            assertThat(process.data().resolve("file")).hasContent(content);
            assertThat(permissions(process.data())).isEqualTo("rwx------");
        });
    }

    private static String permissions(Path file) {
        try {
            return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    @DisplayName("is made once, and copied with its permissions for later servers")
    void copied() {
        fill("one");
        fill("one");
        assertThat(runs).hasContent("run");
    }

    @Test
    @DisplayName("is made again with other options")
    void otherOptions() {
        fill("one");
        fill("another");
        fill("one");
        assertThat(runs).hasContent("run\nrun");
    }

    @Test
    @DisplayName("is not kept if the program fails")
    void failed() throws IOException {
        withProcess(process -> assertThatThrownBy(() -> InitialData.fill(process, binaries, List.of("false")))
                .isInstanceOf(IllegalStateException.class));
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).containsExactlyInAnyOrder(binaries, runs);
        }
    }
}

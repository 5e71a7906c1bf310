package io.feedkit.examples.microblog.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A script in {@code src/test/clients}, which drives a client against the application. */
final class Script {

    private static final int LIMIT_SECONDS = 480;

    private final ProcessBuilder builder;

    /**
     * A script that sees nothing of the user's own clients.
     *
     * @param home a folder for what the client keeps
     * @param interpreter a program, such as {@code node}
     * @param name of the script
     * @param variables of the environment
     */
    Script(Path home, String interpreter, String name, Map<String, String> variables) {
        Path script = Path.of("src", "test", "clients", name).toAbsolutePath();
        builder = new ProcessBuilder(interpreter, script.toString())
                .directory(home.toFile())
                .redirectErrorStream(true);
        Map<String, String> environment = builder.environment();
        environment.putAll(Map.of(
                "HOME", home.toString(),
                "XDG_CONFIG_HOME", home.toString(),
                "LC_ALL", "C.UTF-8",
                "PYTHONDONTWRITEBYTECODE", "1",
                "NO_PROXY", "127.0.0.1",
                "no_proxy", "127.0.0.1"));
        environment.putAll(variables);
    }

    static String setting(String variable, String otherwise) {
        return Optional.ofNullable(System.getenv(variable)).orElse(otherwise);
    }

    /** Whether a command ends well, such as one that imports a library. */
    static boolean succeeds(String... command) throws InterruptedException {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            try {
                return process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
            } finally {
                end(process);
            }
        } catch (IOException e) {
            return false; // the program is not there
        }
    }

    /**
     * Runs the script to its end. If it fails, or takes too long, its output is in the failure.
     *
     * @param listener is told each line that the script prints
     */
    void run(Consumer<String> listener) throws IOException, InterruptedException {
        List<String> output = new ArrayList<>();
        Process process = builder.start();
        CompletableFuture.delayedExecutor(LIMIT_SECONDS, TimeUnit.SECONDS).execute(() -> end(process));
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                output.add(line);
                listener.accept(line);
            }
            assertThat(process.waitFor())
                    .as(() ->
                            "exit code within " + LIMIT_SECONDS + " s after this output:\n" + String.join("\n", output))
                    .isZero();
        } finally {
            end(process);
        }
    }

    /** Ends a process that is still running, and those that it has started. */
    private static void end(Process process) {
        List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
        all.add(process.toHandle());
        all.forEach(ProcessHandle::destroyForcibly);
    }
}

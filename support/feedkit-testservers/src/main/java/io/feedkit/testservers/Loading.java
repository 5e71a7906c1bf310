package io.feedkit.testservers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/** Checks whether the operating system can load a program, with all libraries that the program needs. */
final class Loading {

    private Loading() {}

    /**
     * Runs a program.
     *
     * @param argument an argument that makes it end at once, with exit code 0
     * @return the operating system's message if it cannot be loaded; empty if it can
     */
    static Optional<String> obstacle(Path program, String argument) {
        try {
            Process process = new ProcessBuilder(program.toString(), argument)
                    .redirectErrorStream(true)
                    .start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int code = process.waitFor();
            return code == 0 ? Optional.empty() : Optional.of(said.strip() + " (exit code " + code + ")");
        } catch (IOException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while starting " + program, e);
        }
    }
}

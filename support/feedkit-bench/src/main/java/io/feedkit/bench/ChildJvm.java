package io.feedkit.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Another JVM on the same class path, for measurements that need JVM flags of their own, such as a small heap. Its main
 * class reports through {@link #print}.
 *
 * @param flags the JVM's flags
 */
public record ChildJvm(List<String> flags) {

    private static final String MARK = "measured\t";

    /** Copies the flags. */
    public ChildJvm {
        flags = List.copyOf(flags);
    }

    /**
     * Reports medians to the JVM that started this one.
     *
     * @param name the name by which the parent finds them
     * @param medians the measured values
     */
    public static void print(String name, Rounds.Medians medians) {
        System.out.println(MARK + name + "\t" + medians.value() + "\t" + medians.baseline());
    }

    /**
     * Runs a main class to its end. Its error stream is this JVM's.
     *
     * @param main the class
     * @param arguments its arguments
     * @return the reported medians, by name
     * @throws IllegalStateException if it failed
     */
    public Map<String, Rounds.Medians> run(Class<?> main, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        try {
            Process process =
                    new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
            try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
                Map<String, Rounds.Medians> measured = new LinkedHashMap<>();
                output.lines().filter(line -> line.startsWith(MARK)).forEach(line -> {
                    String[] parts = line.split("\t", -1);
                    measured.put(
                            parts[1], new Rounds.Medians(Double.parseDouble(parts[2]), Double.parseDouble(parts[3])));
                });
                int code = process.waitFor();
                if (code != 0) {
                    throw new IllegalStateException(main.getSimpleName() + " ended with exit code " + code);
                }
                return measured;
            } finally {
                process.destroy();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while " + main.getSimpleName() + " was running", e);
        }
    }
}

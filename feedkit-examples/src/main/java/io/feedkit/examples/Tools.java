package io.feedkit.examples;

import java.io.IOException;
import java.io.PrintStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.ExitCode;

/** Runs the commands of the tools from their jar. Without the jar, it prints how to build it. */
final class Tools {

    private static final List<String> COMMANDS = List.of("replay", "inspect", "counters", "brokers");

    private static final String JAR = "feedkit-tools.jar";

    /** The path of the built jar, relative to the folder of the examples' jar. */
    private static final String BUILT = "../../support/feedkit-tools/target/" + JAR;

    private Tools() {}

    /** Whether the arguments begin with a command of the tools. */
    static boolean has(String... args) {
        return args.length > 0 && COMMANDS.contains(args[0]);
    }

    /** Runs a command of the tools, and returns its exit code. */
    static int run(String... args) {
        Optional<Path> jar = jar(own());
        if (jar.isEmpty()) {
            explain(args[0], System.err);
            return ExitCode.USAGE;
        }
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-jar",
                jar.get().toString()));
        command.addAll(List.of(args));
        try {
            return new ProcessBuilder(command).inheritIO().start().waitFor();
        } catch (IOException e) {
            System.err.println(e.getMessage());
            return ExitCode.SOFTWARE;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.SOFTWARE;
        }
    }

    static void explain(String command, PrintStream err) {
        err.println(command + " is a command of " + JAR + ". Build it with: mvn -DskipTests package");
        err.println("Then run: java -jar support/feedkit-tools/target/" + JAR + " " + command);
    }

    private static Path own() {
        try {
            return Path.of(Tools.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The tools' jar, in the folder of the examples' jar or of its own build. */
    static Optional<Path> jar(Path own) {
        return Stream.of(JAR, BUILT)
                .map(place -> own.toAbsolutePath().resolveSibling(place).normalize())
                .filter(Files::isRegularFile)
                .findFirst();
    }
}

package io.feedkit.examples;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** A command of the tools: runs it if the tools' jar is there, and says where it is otherwise. */
@Command(hidden = true)
final class MovedCommand implements Callable<Integer> {

    private static final String JAR = "feedkit-tools.jar";

    /** Where a build puts the jar, seen from the folder of the examples' jar. */
    private static final String BUILT = "../../support/feedkit-tools/target/" + JAR;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call
    private CommandSpec spec;

    @Parameters(arity = "0..*", hidden = true)
    private final List<String> arguments = new ArrayList<>();

    MovedCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        Optional<Path> jar = jar(own());
        if (jar.isEmpty()) {
            spec.commandLine()
                    .getErr()
                    .println(spec.name() + " is a command of " + JAR + ": run mvn -DskipTests package, then java -jar"
                            + " support/feedkit-tools/target/" + JAR + " " + spec.name());
            return ExitCode.USAGE;
        }
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElse("java"), "-jar", jar.get().toString(), spec.name()));
        command.addAll(arguments);
        return new ProcessBuilder(command).inheritIO().start().waitFor();
    }

    private static Path own() {
        try {
            return Path.of(MovedCommand.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The tools' jar beside the examples' jar, or where a build puts it. */
    static Optional<Path> jar(Path own) {
        Path folder = own.toAbsolutePath().getParent();
        return Stream.of(JAR, BUILT)
                .map(place -> folder.resolve(place).normalize())
                .filter(Files::isRegularFile)
                .findFirst();
    }
}

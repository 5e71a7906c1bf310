package io.feedkit.testservers;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The scripts of a RabbitMQ server, and the Erlang installation that they use.
 *
 * @param scripts the directory with {@code rabbitmq-server}
 * @param erlang the directory with {@code erl}, {@code epmd} and {@code erl_call}
 */
public record RabbitMqProgram(Path scripts, Path erlang) {

    /** The system property with the directory that Debian's packages were unpacked into. */
    static final String DIRECTORY = "feedkit.rabbitmq";

    private static final String SERVER = "rabbitmq-server";
    private static final String CALL = "erl_call";

    /**
     * Looks for a server: in the directory that the system property {@value #DIRECTORY} names, or otherwise on the
     * PATH, or at the place of Debian's packages.
     *
     * @return the program; empty if there is none
     */
    public static Optional<RabbitMqProgram> find() {
        return Found.PROGRAM;
    }

    private static Optional<RabbitMqProgram> search() {
        return Optional.ofNullable(System.getProperty(DIRECTORY))
                .map(directory -> inDebian(Path.of(directory)))
                .or(() -> onPath(SERVER)
                        .flatMap(scripts -> onPath(CALL).map(erlang -> new RabbitMqProgram(scripts, erlang))))
                .or(() -> Optional.of(inDebian(Path.of("/"))).filter(RabbitMqProgram::isInstalled));
    }

    private static RabbitMqProgram inDebian(Path root) {
        return new RabbitMqProgram(root.resolve("usr/lib/rabbitmq/bin"), root.resolve("usr/lib/erlang/bin"));
    }

    private boolean isInstalled() {
        return Files.isExecutable(server()) && Files.isExecutable(call());
    }

    private static Optional<Path> onPath(String file) {
        return Stream.of(Optional.ofNullable(System.getenv("PATH")).orElse("").split(File.pathSeparator, -1))
                .filter(directory -> !directory.isEmpty())
                .map(Path::of)
                .filter(directory -> Files.isExecutable(directory.resolve(file)) && !isWrapper(directory.resolve(file)))
                .findFirst();
    }

    /** Whether a file is Debian's wrapper, which changes to the user of a service. */
    private static boolean isWrapper(Path path) {
        try {
            return path.toRealPath().endsWith("rabbitmq-script-wrapper");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The script that runs a node. */
    Path server() {
        return scripts.resolve(SERVER);
    }

    /** The program that calls functions of a node. */
    Path call() {
        return erlang.resolve(CALL);
    }

    /** The PATH of the scripts. */
    String path() {
        return String.join(
                File.pathSeparator,
                scripts.toString(),
                erlang.toString(),
                Optional.ofNullable(System.getenv("PATH")).orElse("/usr/bin:/bin"));
    }

    private static final class Found {
        static final Optional<RabbitMqProgram> PROGRAM = search();
    }
}

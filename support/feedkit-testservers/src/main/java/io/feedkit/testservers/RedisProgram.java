package io.feedkit.testservers;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A program that runs as a Redis server.
 *
 * @param path the file
 * @param name the name and version that it reports, such as {@code Redis 6.2.11}
 */
public record RedisProgram(Path path, String name) {

    private static final Pattern VERSION = Pattern.compile("(\\w+) server v=([0-9.]+)");
    private static final int LIMIT_SECONDS = 30;

    /**
     * Returns Redis 6.2 from a Maven jar, with its own allocator (jemalloc).
     *
     * @return the program
     */
    public static RedisProgram embedded() {
        return Found.EMBEDDED;
    }

    /**
     * Returns the programs of this machine: the embedded one, and {@code redis-server} and {@code valkey-server} if
     * they are installed.
     *
     * @return the programs, the embedded one first
     */
    public static List<RedisProgram> all() {
        return Found.ALL;
    }

    @Override
    public String toString() {
        return name;
    }

    private static Optional<RedisProgram> installed(String file) {
        Stream<String> path =
                Stream.of(Optional.ofNullable(System.getenv("PATH")).orElse("").split(File.pathSeparator, -1));
        return Stream.concat(path.filter(directory -> !directory.isEmpty()), Stream.of("/usr/bin"))
                .map(directory -> Path.of(directory, file))
                .filter(Files::isExecutable)
                .findFirst()
                .map(RedisProgram::of);
    }

    private static RedisProgram of(Path path) {
        try {
            Process process = new ProcessBuilder(path.toString(), "--version")
                    .redirectError(Redirect.DISCARD)
                    .start();
            String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            Matcher version = VERSION.matcher(answer);
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) || !version.find()) {
                throw new IllegalStateException(path + " does not report its version, but: " + answer);
            }
            return new RedisProgram(path, version.group(1) + " " + version.group(2));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while asking " + path + " for its version", e);
        }
    }

    private static final class Found {
        static final RedisProgram EMBEDDED = of(Binaries.redis().resolve("redis-server"));
        static final List<RedisProgram> ALL = programs();

        private static List<RedisProgram> programs() {
            List<RedisProgram> programs = new ArrayList<>(List.of(EMBEDDED));
            installed("redis-server").ifPresent(programs::add);
            installed("valkey-server").ifPresent(programs::add);
            return List.copyOf(programs);
        }
    }
}

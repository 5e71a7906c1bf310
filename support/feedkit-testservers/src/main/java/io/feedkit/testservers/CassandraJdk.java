package io.feedkit.testservers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.Runtime.Version;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;

/** A JDK that is not newer than a server can bear. */
final class CassandraJdk {

    private static final String PROPERTY = "feedkit.cassandra.jdk";
    private static final Path INSTALLED = Path.of("/usr/lib/jvm");
    private static final int OLDEST = 11;

    private CassandraJdk() {}

    /** Returns the program {@code java} of this JVM's JDK, of the one in the property, or of an installed one. */
    static Optional<Path> find(int newest) {
        if (Runtime.version().feature() <= newest) {
            return Optional.of(java(Path.of(System.getProperty("java.home"))));
        }
        String named = System.getProperty(PROPERTY);
        return named == null ? installed(newest) : Optional.of(java(Path.of(named)));
    }

    private static Optional<Path> installed(int newest) {
        if (!Files.isDirectory(INSTALLED)) {
            return Optional.empty();
        }
        try (Stream<Path> all = Files.list(INSTALLED)) {
            return all.filter(home -> Files.isExecutable(java(home)))
                    .filter(home -> feature(home) >= OLDEST && feature(home) <= newest)
                    .max(Comparator.comparingInt(CassandraJdk::feature))
                    .map(CassandraJdk::java);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path java(Path home) {
        return home.resolve("bin/java");
    }

    /** The version in the JDK's file {@code release}; 0 if it is unknown. */
    private static int feature(Path home) {
        try (InputStream file = Files.newInputStream(home.resolve("release"))) {
            Properties release = new Properties();
            release.load(file);
            return Version.parse(release.getProperty("JAVA_VERSION", "").replace("\"", ""))
                    .feature();
        } catch (IOException | IllegalArgumentException e) {
            return 0;
        }
    }
}

package io.feedkit.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.testservers.ChildProcess;
import io.feedkit.testservers.RedisServer;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A module that requires io.feedkit.redis")
class ModuleTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String MODULE = "module host.app { requires io.feedkit.redis; }";

    /** The jars of a host's class path, without those of the tests. */
    private static final List<String> JARS = List.of(
            "jspecify",
            "slf4j-api",
            "lettuce-core",
            "redis-authx-core",
            "netty-.*",
            "reactor-core",
            "reactive-streams");

    @TempDir
    private Path directory;

    /** Both modules of FeedKit, and the jars that they and the host need. */
    private static String modulePath() {
        return Stream.concat(
                        Stream.of(home(io.feedkit.FeedEngine.class), home(RedisInboxes.class)),
                        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                                .map(Path::of)
                                .filter(ModuleTest::isOfTheHost))
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static boolean isOfTheHost(Path path) {
        String file = path.getFileName().toString();
        return JARS.stream().anyMatch(jar -> file.matches(jar + "-[0-9].*\\.jar"));
    }

    private static Path home(Class<?> type) {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath());
    }

    private Path out() {
        return directory.resolve("out");
    }

    /** Compiles a class of the host's module. Returns the messages of the compiler, if there are any. */
    private String compile(String source) throws IOException {
        Path sources = Files.createDirectories(directory.resolve("src/host/app"));
        Path moduleInfo = directory.resolve("src/module-info.java");
        Path main = sources.resolve("Main.java");
        Files.writeString(moduleInfo, MODULE, UTF_8);
        Files.writeString(main, source, UTF_8);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, UTF_8)) {
            List<String> options = List.of("--module-path", modulePath(), "-d", out().toString(), "-proc:none");
            compiler.getTask(messages, files, null, options, null, files.getJavaFileObjects(moduleInfo, main))
                    .call();
        }
        return messages.toString();
    }

    @Test
    @Timeout(300)
    @DisplayName("compiles against the API, and publishes and reads in a JVM that has it on the module path")
    void runs() throws IOException {
        assertThat(ModuleFinder.of(home(RedisInboxes.class)).find("io.feedkit.redis"))
                .isPresent();
        assertThat(compile("""
                package host.app;

                import io.feedkit.*;
                import io.feedkit.memory.InMemoryFeedStore;
                import io.feedkit.redis.RedisInboxes;
                import io.feedkit.redis.RedisServers;
                import io.feedkit.spi.FeedStore;
                import io.lettuce.core.RedisURI;

                public class Main {
                    public static void main(String[] arguments) {
                        FeedStore truth = InMemoryFeedStore.create();
                        RedisServers servers = RedisServers.at(RedisURI.create("%s"));
                        try (RedisInboxes inboxes = RedisInboxes.builder(servers).prefix("module").build();
                                FeedEngine feed = FeedEngine.builder(FeedStore.of(
                                                truth.outbox(), inboxes::inbox, truth.graph(), truth.seenMarks()))
                                        .workers(0).build()) {
                            feed.follow("ann", "bob");
                            feed.publish(Post.of("bob", "kept", 1));
                            feed.fanout().drain();
                            System.out.println("read "
                                    + feed.read("ann", PageRequest.first(9)).items().stream().map(Post::id).toList()
                                    + " in " + Main.class.getModule() + " from " + inboxes.getClass().getModule());
                        }
                    }
                }
                """.formatted(RedisServer.shared().uri()))).isEmpty();
        String path = out() + File.pathSeparator + modulePath();
        try (ChildProcess host = ChildProcess.startModule("host.app/host.app.Main", path)) {
            assertThat(host.awaitLine("read", LIMIT))
                    .isEqualTo("read [kept] in module host.app from module io.feedkit.redis");
            assertThat(host.awaitExit(LIMIT)).isZero();
        }
    }

    @Test
    @DisplayName("cannot see the internals")
    void internals() throws IOException {
        assertThat(compile("""
                package host.app;

                public class Main {
                    public static final Class<?> HIDDEN = io.feedkit.redis.internal.call.RedisLink.class;
                }
                """)).contains("package io.feedkit.redis.internal.call is not visible");
    }
}

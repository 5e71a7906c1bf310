package io.feedkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;

@DisplayName("A module that requires io.feedkit.core")
class ModuleTest {

    private static final String MODULE = "module host.app { requires io.feedkit.core; exports host.app; }";

    @TempDir
    private Path directory;

    private Path core;

    @BeforeEach
    void findCore() throws Exception {
        core = Path.of(FeedEngine.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        assertThat(ModuleFinder.of(core).find("io.feedkit.core")).isPresent();
    }

    private String modulePath() {
        return Stream.of(core, path(Logger.class), path(NullMarked.class))
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static Path path(Class<?> type) {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath());
    }

    /** Compiles a class of the host's module; the messages of the compiler, if there are any. */
    private String compile(String source) throws IOException {
        Path sources = Files.createDirectories(directory.resolve("src/host/app"));
        Path moduleInfo = directory.resolve("src/module-info.java");
        Path main = sources.resolve("Main.java");
        Files.writeString(moduleInfo, MODULE, UTF_8);
        Files.writeString(main, source, UTF_8);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, UTF_8)) {
            List<String> options = List.of(
                    "--module-path",
                    modulePath(),
                    "-d",
                    directory.resolve("out").toString(),
                    "-proc:none");
            compiler.getTask(messages, files, null, options, null, files.getJavaFileObjects(moduleInfo, main))
                    .call();
        }
        return messages.toString();
    }

    @Test
    @DisplayName("compiles against the whole API, and runs")
    void runs() throws Exception {
        assertThat(compile("""
                package host.app;

                import io.feedkit.*;
                import io.feedkit.event.FeedListener;
                import io.feedkit.fanout.FanoutPolicy;
                import io.feedkit.memory.InMemoryFeedStore;
                import io.feedkit.spi.FeedStore;

                public class Main {
                    public static String main() {
                        FeedStore store = InMemoryFeedStore.create();
                        try (FeedEngine feed = FeedEngine.builder(store)
                                .policy(FanoutPolicy.hybrid(2))
                                .listener(FeedListener.NONE)
                                .workers(0)
                                .build()) {
                            feed.follow("ann", "bob");
                            feed.publish("bob", "hello");
                            feed.fanout().drain();
                            return feed.read("ann", PageRequest.first(1)).items().get(0).id();
                        }
                    }
                }
                """)).isEmpty();
        Path[] paths = Stream.concat(
                        Stream.of(directory.resolve("out")),
                        Stream.of(modulePath().split(File.pathSeparator, -1)).map(Path::of))
                .toArray(Path[]::new);
        ModuleLayer boot = ModuleLayer.boot();
        Configuration configuration =
                boot.configuration().resolve(ModuleFinder.of(paths), ModuleFinder.of(), Set.of("host.app"));
        ClassLoader loader = boot.defineModulesWithOneLoader(configuration, ClassLoader.getPlatformClassLoader())
                .findLoader("host.app");
        assertThat(call(loader)).isEqualTo("hello");
    }

    private static Object call(ClassLoader loader) throws ReflectiveOperationException {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            return loader.loadClass("host.app.Main").getMethod("main").invoke(null);
        } catch (InvocationTargetException e) {
            throw new AssertionError(e.getCause());
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Test
    @DisplayName("cannot see the internals")
    void internals() throws IOException {
        assertThat(compile("""
                package host.app;

                public class Main {
                    public static final Class<?> HIDDEN = io.feedkit.internal.read.FeedReader.class;
                }
                """)).contains("package io.feedkit.internal.read is not visible");
    }

    @Test
    @DisplayName("finds every package of the core exported but the internals")
    void exports() throws IOException {
        Set<String> exported =
                ModuleFinder.of(core).find("io.feedkit.core").orElseThrow().descriptor().exports().stream()
                        .map(export -> export.source())
                        .collect(Collectors.toSet());
        try (Stream<Path> files = Files.walk(core)) {
            Set<String> packages = files.filter(file -> file.toString().endsWith(".class"))
                    .filter(file -> !file.getFileName().toString().equals("module-info.class"))
                    .map(file -> core.relativize(file.getParent()).toString().replace('/', '.'))
                    .collect(Collectors.toSet());
            packages.removeIf(name -> name.startsWith("io.feedkit.internal."));
            assertThat(exported).isEqualTo(packages);
        }
    }
}

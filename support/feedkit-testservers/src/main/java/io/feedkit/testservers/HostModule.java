package io.feedkit.testservers;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
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

/**
 * The module {@code host.app} of a host that requires modules of FeedKit. It has one class, {@code host.app.Main}. It
 * is compiled and runs with a module path of FeedKit's modules and of named jars from this JVM's class path.
 */
public final class HostModule {

    private static final String MAIN = "host.app/host.app.Main";
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final Path directory;
    private final String declaration;
    private final String modulePath;

    /**
     * A module that is not compiled yet.
     *
     * @param directory the directory for its sources and classes
     * @param required the modules that it requires
     * @param ofFeedKit a type of each module of FeedKit on the module path
     * @param jars the names of the other jars, without their versions, as regular expressions
     */
    public HostModule(Path directory, List<String> required, List<Class<?>> ofFeedKit, List<String> jars) {
        this.directory = directory;
        declaration = required.stream()
                .map(module -> "requires " + module + ";")
                .collect(Collectors.joining(" ", "module host.app { ", " }"));
        modulePath = Stream.concat(
                        ofFeedKit.stream().map(HostModule::home),
                        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                                .filter(entry -> jars.stream().anyMatch(jar -> isJar(Path.of(entry), jar))))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static String home(Class<?> type) {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath())
                .toString();
    }

    private static boolean isJar(Path entry, String name) {
        return entry.getFileName().toString().matches(name + "-[0-9].*\\.jar");
    }

    /**
     * Compiles the module.
     *
     * @param source the text of its class
     * @return the messages of the compiler; empty if it has none
     */
    public String compile(String source) {
        try {
            Path sources = Files.createDirectories(directory.resolve("src/host/app"));
            Path moduleInfo = Files.writeString(directory.resolve("src/module-info.java"), declaration, UTF_8);
            Path main = Files.writeString(sources.resolve("Main.java"), source, UTF_8);
            JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
            StringWriter messages = new StringWriter();
            try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, UTF_8)) {
                List<String> options = List.of("--module-path", modulePath, "-d", classes(), "-proc:none");
                compiler.getTask(messages, files, null, options, null, files.getJavaFileObjects(moduleInfo, main))
                        .call();
            }
            return messages.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Compiles a class that mentions a type.
     *
     * @param type the type's full name
     * @return the messages of the compiler; empty if the module can see the type
     */
    public String compileMentionOf(String type) {
        return compile("package host.app; public class Main { static final Class<?> TYPE = " + type + ".class; }");
    }

    /**
     * Compiles the module and runs it in a JVM of its own.
     *
     * @param source the text of its class, which has a main method
     * @param text the text that the expected line contains
     * @return the first printed line with that text
     * @throws IllegalStateException if it does not compile, prints no such line in time, or ends with a failure
     */
    public String run(String source, String text) {
        String messages = compile(source);
        if (!messages.isEmpty()) {
            throw new IllegalStateException("the module does not compile: " + messages);
        }
        try (ChildProcess host = ChildProcess.startModule(MAIN, classes() + File.pathSeparator + modulePath)) {
            String line = host.awaitLine(text, LIMIT);
            int status = host.awaitExit(LIMIT);
            if (status != 0) {
                throw new IllegalStateException("the module printed \"" + line + "\", but ended with " + status);
            }
            return line;
        }
    }

    private String classes() {
        return directory.resolve("out").toString();
    }
}

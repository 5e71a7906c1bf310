package io.feedkit.testkit.internal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The public types of one module, found in the directory or JAR of one of them. */
final class PublicTypes {

    private static final String CLASS = ".class";

    private PublicTypes() {}

    /** The public types in a type's package and below it that are not internal, including nested types. */
    static List<Class<?>> of(Class<?> anchor) {
        try {
            Path place = Path.of(
                    anchor.getProtectionDomain().getCodeSource().getLocation().toURI());
            if (Files.isDirectory(place)) {
                return in(place, anchor);
            }
            try (FileSystem jar = FileSystems.newFileSystem(URI.create("jar:" + place.toUri()), Map.of())) {
                return in(jar.getPath("/"), anchor);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<Class<?>> in(Path root, Class<?> anchor) throws IOException {
        try (Stream<Path> files =
                Files.walk(root.resolve(anchor.getPackageName().replace('.', '/')))) {
            return files.map(file -> root.relativize(file).toString())
                    .filter(file -> file.endsWith(CLASS) && !file.contains("-info"))
                    .map(file -> file.substring(0, file.length() - CLASS.length())
                            .replace('/', '.')
                            .replace('\\', '.'))
                    .filter(name -> !name.contains(".internal."))
                    .sorted()
                    .<Class<?>>map(name -> load(name, anchor.getClassLoader()))
                    .filter(PublicTypes::isPublic)
                    .toList();
        }
    }

    private static Class<?> load(String name, ClassLoader loader) {
        try {
            return Class.forName(name, false, loader);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean isPublic(Class<?> type) {
        return Modifier.isPublic(type.getModifiers())
                && !type.isAnonymousClass()
                && (type.getEnclosingClass() == null || isPublic(type.getEnclosingClass()));
    }
}

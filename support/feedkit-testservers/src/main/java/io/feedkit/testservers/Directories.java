package io.feedkit.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * Temporary directories: in memory, if Linux offers enough of it, so that no server waits for a disk; otherwise in the
 * directory of temporary files.
 */
final class Directories {

    private static final Path MEMORY = Path.of("/dev/shm");
    private static final long ENOUGH_BYTES = 4L << 30;

    private Directories() {}

    static Path temporary(String name) {
        try {
            String prefix = "feedkit-" + name + "-";
            return (isMemoryEnough() ? Files.createTempDirectory(MEMORY, prefix) : Files.createTempDirectory(prefix))
                    .toRealPath();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Creates a directory that others see only when it is complete. If several processes create it at once, the first
     * to finish wins, and the others delete theirs.
     *
     * @param directory the directory; an existing one is not changed
     * @param filler fills a new directory beside it
     */
    static void make(Path directory, Filler filler) throws IOException {
        Path fresh = Files.createTempDirectory(directory.getParent(), "new-");
        try {
            filler.fill(fresh);
            Files.move(fresh, directory, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            if (!Files.isDirectory(directory)) {
                throw e;
            }
        } finally {
            delete(fresh);
        }
    }

    /** Fills a directory. */
    interface Filler {
        void fill(Path directory) throws IOException;
    }

    private static boolean isMemoryEnough() throws IOException {
        return Files.isWritable(MEMORY) && Files.getFileStore(MEMORY).getUsableSpace() >= ENOUGH_BYTES;
    }

    static void delete(Path directory) {
        try {
            Files.walkFileTree(directory, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.deleteIfExists(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure)
                        throws IOException {
                    if (failure != null) {
                        throw failure;
                    }
                    Files.deleteIfExists(visited);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (NoSuchFileException e) {
            // It is already deleted.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

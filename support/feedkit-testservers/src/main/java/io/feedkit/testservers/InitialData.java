package io.feedkit.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.CRC32;

/**
 * The data directory of a server that has never run. A server's own program takes seconds to create one. So the first
 * is kept beside the {@link Binaries}, once for each user of the machine, and later servers get a copy. Another
 * program, or other options, get another directory.
 */
final class InitialData {

    private InitialData() {}

    /**
     * Fills the data directory of a server.
     *
     * @param binaries the directory of the server's programs
     * @param command the command that creates the data, which is slow
     */
    static void fill(ServerProcess process, Path binaries, List<String> command) {
        Path kept = binaries.resolveSibling(binaries.getFileName() + "-data-" + checksum(process, command));
        if (Files.isDirectory(kept)) {
            copy(process, kept, process.data());
            return;
        }
        process.run(command);
        try {
            Directories.make(kept, fresh -> copy(process, process.data(), fresh));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot keep a copy of " + process.data(), e);
        }
    }

    /** Copies a directory, with owners and permissions, because servers check them. */
    private static void copy(ServerProcess process, Path from, Path to) {
        process.run(List.of("cp", "--archive", "--no-target-directory", from.toString(), to.toString()));
    }

    /** The checksum of the command, without the directory that differs between servers. */
    private static String checksum(ServerProcess process, List<String> command) {
        String options = String.join("\n", command).replace(process.home().toString(), "");
        CRC32 checksum = new CRC32();
        checksum.update(options.getBytes(StandardCharsets.UTF_8));
        return Long.toHexString(checksum.getValue());
    }
}

package io.feedkit.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The processor time of a server that forks its workers, read from {@code /proc}: its own and that of all its children.
 */
public final class ProcessTimes {

    private static final Path PROCESSES = Path.of("/proc");
    private static final double TICKS_A_SECOND = 100;

    /** Indexes of fields in {@code /proc/.../stat}, counted from the state, which follows the name. */
    private static final int PARENT = 1;

    private static final int FIRST_TIME = 11;
    private static final int TIMES = 4;

    private ProcessTimes() {}

    /** The id of the process that started a process. */
    public static long parent(long process) {
        return stat(process)
                .map(stat -> Long.parseLong(stat.get(PARENT)))
                .orElseThrow(() -> new IllegalStateException("there is no process " + process));
    }

    /** Seconds of a process, of its children, and of those of its children that have ended. */
    public static double seconds(long process) {
        String parent = Long.toString(process);
        long ticks = stat(process).map(ProcessTimes::ticks).orElse(0L);
        try (DirectoryStream<Path> all = Files.newDirectoryStream(PROCESSES, "[0-9]*")) {
            for (Path each : all) {
                ticks += stat(Long.parseLong(each.getFileName().toString()))
                        .filter(stat -> stat.get(PARENT).equals(parent))
                        .map(ProcessTimes::ticks)
                        .orElse(0L);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return ticks / TICKS_A_SECOND;
    }

    private static long ticks(List<String> stat) {
        return stat.subList(FIRST_TIME, FIRST_TIME + TIMES).stream()
                .mapToLong(Long::parseLong)
                .sum();
    }

    private static Optional<List<String>> stat(long process) {
        try {
            String line = Files.readString(PROCESSES.resolve(process + "/stat"));
            return Optional.of(
                    List.of(line.substring(line.lastIndexOf(')') + 2).trim().split(" ", -1)));
        } catch (IOException e) {
            return Optional.empty(); // it has ended
        }
    }
}

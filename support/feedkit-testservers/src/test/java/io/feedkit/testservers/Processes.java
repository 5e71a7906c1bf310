package io.feedkit.testservers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** What the kernel knows about child processes. */
final class Processes {

    private static final String LISTENING = "0A";

    private Processes() {}

    static ProcessHandle server(int port) {
        return server(ProcessHandle.current(), port);
    }

    static ProcessHandle server(ProcessHandle parent, int port) {
        return parent.children()
                .filter(child -> child.info().commandLine().orElse("").contains(Integer.toString(port)))
                .findFirst()
                .orElseThrow();
    }

    static List<ProcessHandle> family(ProcessHandle process) {
        return Stream.concat(Stream.of(process), process.descendants()).toList();
    }

    /**
     * Not of one that has ended and is not reaped yet: whoever adopts the orphans of this machine may take its time.
     */
    static boolean runs(ProcessHandle process) {
        char state = state(process);
        return state != 'Z' && state != 'X';
    }

    /** Whether it is stopped by a signal. */
    static boolean isStopped(ProcessHandle process) {
        return state(process) == 'T';
    }

    private static char state(ProcessHandle process) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2);
        } catch (IOException e) {
            return 'X';
        }
    }

    static Path workingDirectory(ProcessHandle process) throws IOException {
        return Files.readSymbolicLink(Path.of("/proc", Long.toString(process.pid()), "cwd"));
    }

    /**
     * The local addresses, in the kernel's hexadecimal form, on which a process listens. The kernel reads its table out
     * piece by piece, so an address may be missing while other sockets come and go.
     */
    static List<String> listeningAddresses(ProcessHandle process) throws IOException {
        Set<String> sockets = new HashSet<>();
        try (Stream<Path> files = Files.list(Path.of("/proc", Long.toString(process.pid()), "fd"))) {
            for (Path file : files.toList()) {
                if (Files.isSymbolicLink(file)) {
                    sockets.add(Files.readSymbolicLink(file).toString());
                }
            }
        }
        List<String> addresses = new ArrayList<>();
        for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
            for (String line : Files.readAllLines(Path.of(table))) {
                String[] columns = line.strip().split(" +", -1);
                if (columns[3].equals(LISTENING) && sockets.contains("socket:[" + columns[9] + "]")) {
                    addresses.add(columns[1]);
                }
            }
        }
        return addresses;
    }

    /** The System V shared memory that a process created. */
    static List<String> sharedMemory(ProcessHandle process) throws IOException {
        return Files.readAllLines(Path.of("/proc/sysvipc/shm")).stream()
                .filter(line -> line.strip().split(" +", -1)[4].equals(Long.toString(process.pid())))
                .toList();
    }
}

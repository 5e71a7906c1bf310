package io.feedkit.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A Redis server, by default without a password: Redis 6.2, or another program. A durable server writes each command to
 * its append-only file before it answers.
 */
public final class RedisServer extends TestServer {

    /** Newer versions wait five seconds for further replicas before they send the first its data. */
    private static final List<String> SYNC_AT_ONCE =
            List.of("--repl-diskless-sync", "yes", "--repl-diskless-sync-delay", "0");

    private static final List<String> DURABLE = List.of("--appendonly", "yes", "--appendfsync", "always");

    private final RedisProgram program;
    private final List<String> options;

    private RedisServer(RedisProgram program, int port, boolean shared, List<String> options) {
        super("redis", shared, port);
        this.program = program;
        this.options = List.copyOf(options);
    }

    /**
     * Starts a durable server.
     *
     * @return the server, which answers
     * @throws IllegalStateException if it does not answer in time
     */
    public static RedisServer start() {
        return start(Durability.DURABLE);
    }

    /**
     * Starts a server.
     *
     * @param durability whether acknowledged writes survive a kill
     * @param options further options of its command line, such as {@code "--maxmemory", "10mb"}
     * @return the server, which answers
     * @throws IllegalStateException if it does not answer in time
     */
    public static RedisServer start(Durability durability, String... options) {
        return start(RedisProgram.embedded(), durability, options);
    }

    /**
     * Starts a server.
     *
     * @param program the server's program
     * @param durability whether acknowledged writes survive a kill
     * @param options further options of its command line
     * @return the server, which answers
     * @throws IllegalStateException if it does not answer in time
     */
    public static RedisServer start(RedisProgram program, Durability durability, String... options) {
        return start(program, Ports.free(), durability, false, List.of(options));
    }

    /**
     * Returns the JVM's shared server, which is {@link Durability#FAST}. The first call starts it; it ends with the
     * JVM.
     *
     * @return the server
     */
    public static RedisServer shared() {
        return shared(RedisProgram.embedded());
    }

    /**
     * Returns the JVM's shared server of a program, which is {@link Durability#FAST}. The first call starts it; it ends
     * with the JVM.
     *
     * @param program the server's program
     * @return the server
     */
    public static RedisServer shared(RedisProgram program) {
        return Shared.SERVERS.computeIfAbsent(
                program, missing -> start(missing, Ports.free(), Durability.FAST, true, List.of()));
    }

    static RedisServer start(
            RedisProgram program, int port, Durability durability, boolean shared, List<String> options) {
        List<String> all = new ArrayList<>(List.of("--save", ""));
        all.addAll(SYNC_AT_ONCE);
        if (durability == Durability.DURABLE) {
            all.addAll(DURABLE);
        }
        all.addAll(options);
        return begun(new RedisServer(program, port, shared, all));
    }

    /** Starts a sentinel, which stores its state in a file that begins with the given lines. */
    static RedisServer sentinel(RedisProgram program, boolean shared, List<String> lines) {
        RedisServer sentinel = new RedisServer(program, Ports.free(), shared, List.of("--sentinel"));
        try {
            Files.write(Files.createDirectories(sentinel.process().data()).resolve("sentinel.conf"), lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return begun(sentinel);
    }

    /**
     * Returns the server's address.
     *
     * @return its URI
     */
    public String uri() {
        return "redis://" + address();
    }

    /**
     * Sends a command, on a connection of its own.
     *
     * @param words the command and its arguments
     * @return the answer as text; the elements of an array are lines
     * @throws IllegalStateException if the server refuses it, or does not answer
     */
    public String ask(String... words) {
        return ask(List.of(words));
    }

    String ask(List<String> words) {
        try (RedisSocket socket = new RedisSocket(port())) {
            return socket.ask(words);
        } catch (IOException e) {
            throw new IllegalStateException(address() + " failed to do " + words.get(0) + ": " + e.getMessage(), e);
        }
    }

    /** Host and port. */
    String address() {
        return "127.0.0.1:" + port();
    }

    @Override
    void initialize(ServerProcess process) {
        try {
            Files.createDirectories(process.data());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    List<String> command(ServerProcess process) {
        List<String> command = new ArrayList<>(List.of(program.path().toString()));
        Path configuration = process.data().resolve("sentinel.conf");
        if (Files.exists(configuration)) {
            command.add(configuration.toString());
        }
        command.addAll(List.of("--port", Integer.toString(port()), "--bind", "127.0.0.1"));
        command.addAll(List.of("--dir", process.data().toString()));
        // Otherwise it would overwrite its command line, by which it is found.
        command.addAll(List.of("--set-proc-title", "no"));
        command.addAll(options);
        return command;
    }

    @Override
    ServerProcess.Probe probe() {
        return this::ping;
    }

    private void ping() throws IOException {
        try (RedisSocket socket = new RedisSocket(port())) {
            socket.ask(List.of("PING"));
        } catch (RedisSocket.RefusedException e) {
            if (!String.valueOf(e.getMessage()).startsWith("NOAUTH")) {
                throw e;
            }
        }
    }

    private static RedisServer begun(RedisServer server) {
        server.begin();
        return server;
    }

    private static final class Shared {
        static final Map<RedisProgram, RedisServer> SERVERS = new ConcurrentHashMap<>();
    }
}

package io.feedkit.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

/** Redis 6.2 with its own allocator (jemalloc), without a password. A durable one writes each command to its append-only file before it answers. */
public final class RedisServer extends TestServer {

    private static final List<String> DURABLE = List.of("--appendonly", "yes", "--appendfsync", "always");
    private static final int ANSWER_MILLIS = 1000;

    private final Durability durability;

    private RedisServer(Durability durability, boolean shared) {
        super("redis", shared);
        this.durability = durability;
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
     * @param durability whether what is written survives a kill
     * @return the server, which answers
     * @throws IllegalStateException if it does not answer in time
     */
    public static RedisServer start(Durability durability) {
        return begun(new RedisServer(durability, false));
    }

    /**
     * Gives the JVM's shared server, which is {@link Durability#FAST}. The first call starts it; it ends with the JVM.
     *
     * @return the server
     */
    public static RedisServer shared() {
        return Shared.SERVER;
    }

    /**
     * Gives the server's address.
     *
     * @return its URI
     */
    public String uri() {
        return "redis://127.0.0.1:" + port();
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
        List<String> command = new ArrayList<>();
        command.add(Binaries.redis().resolve("redis-server").toString());
        command.addAll(List.of("--port", Integer.toString(port()), "--bind", "127.0.0.1"));
        command.addAll(List.of("--dir", process.data().toString(), "--save", ""));
        // It would overwrite its command line, by which it is found.
        command.addAll(List.of("--set-proc-title", "no"));
        if (durability == Durability.DURABLE) {
            command.addAll(DURABLE);
        }
        return command;
    }

    @Override
    ServerProcess.Probe probe() {
        return this::ping;
    }

    private void ping() throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port())) {
            socket.setSoTimeout(ANSWER_MILLIS);
            socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readNBytes(7), StandardCharsets.US_ASCII);
            if (!answer.equals("+PONG\r\n")) {
                throw new IOException("PING was answered with " + answer);
            }
        }
    }

    private static RedisServer begun(RedisServer server) {
        server.begin();
        return server;
    }

    private static final class Shared {
        static final RedisServer SERVER = begun(new RedisServer(Durability.FAST, true));
    }
}
